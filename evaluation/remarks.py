"""What to know of figures before reading them: items left out, targets too few."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from lexsub.evaluation.comparison import Comparison
from lexsub.evaluation.scores import FEW_TARGETS, Scores

Basis = tuple[str, str, int, int, int, bool]
"""System, measure, items attempted, items counted, targets, whether there is an interval."""

RULES = {
    "clean": "rules: clean (those of the official scorer: --normalisation official)",
    "official": "rules: official, as the official scorer (one rule for both sides: clean)",
    "lemma": "rules: lemma, as SWORDS and LexSubGen compare",
    "tsar": "rules: tsar, as TSAR-2022's script: letter by letter, the target left out",
    "exact": "rules: exact, letter by letter",
}
"""When two substitutes are the same, said under a table: figures of different rules differ."""


def remarks_on_scores(scores: Scores) -> list[str]:
    """Say where systems left items without an answer, and where few targets bear an interval."""
    return list(
        _remarks(
            (row.system, row.measure, row.attempted, row.items, row.targets, row.low == row.low)
            for row in scores
            if (row.subset, row.pos) == ("ALL", "all") and not math.isnan(row.value)
        )
    )


def remarks_on_comparison(comparison: Comparison) -> list[str]:
    """Say the same of the systems of a comparison."""
    bases: dict[Basis, None] = {}
    for row in comparison.rows:
        for basis in (
            (row.first, row.measure, row.first_attempted, row.items, row.first_targets, True),
            (row.second, row.measure, row.second_attempted, row.items, row.second_targets, True),
        ):
            bases[basis] = None
    return list(_remarks(bases))


def _remarks(bases: Iterable[Basis]) -> Iterator[str]:
    partial: dict[tuple[str, int, int], list[str]] = {}
    thin: dict[tuple[str, int], list[str]] = {}
    for system, measure, attempted, items, targets, has_interval in bases:
        if attempted < items:
            partial.setdefault((system, attempted, items), []).append(measure)
        if has_interval and targets < FEW_TARGETS:
            thin.setdefault((system, targets), []).append(measure)
    for (system, attempted, items), measures in partial.items():
        yield f"{system} attempted {attempted} of {items} ({_named(measures)})"
    alike: dict[tuple[int, str], list[str]] = {}
    for (system, targets), measures in thin.items():
        alike.setdefault((targets, _named(measures)), []).append(system)
    for (targets, named), systems in alike.items():
        yield (
            f"{', '.join(systems)} rest{'s' if len(systems) == 1 else ''} on {targets} "
            f"target{'' if targets == 1 else 's'} ({named}): with fewer than {FEW_TARGETS} an "
            "interval or p says little"
        )


def _named(measures: list[str]) -> str:
    more = len(measures) - 1
    return measures[0] + (f" and {more} more" if more else "")
