"""What an evaluation found: its figures, as a table, with what to know before reading them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from lexsub.errors import LexsubError, needing
from lexsub.evaluation.comparison import MARKS, Comparison, marked, marks
from lexsub.evaluation.figures import Figure, ItemValues, defined, number
from lexsub.tables import Table, Tabular
from lexsub.tables.value import Entry, letter

Weights: TypeAlias = dict[str, dict[str, int]]
"""Whole gold weights by item and word: qrels."""
Runs: TypeAlias = dict[str, dict[str, float]]
"""Falling scores by item and word: a run."""


RECORDED = """
    system measure subset pos value low high unit items attempted targets skipped signature
"""
"""The fields of a figure that are recorded, in their order."""


@dataclass(frozen=True, slots=True, repr=False)
class Scores(Tabular):
    """What an evaluation found.

    Attributes:
        figures: in the order systems, subsets, parts of speech, measures.
        per_item: item figures, where they were asked for.
        notes: system → what of its files was passed over, with how often.
        missing: (system, measure) pairs without a figure, because the system has no such list.
        tests: tests all pairs of the systems, when the scores are shown; None where there is no
            pair, or no interval was asked for.
        ranked: returns gold and systems as other tools take them; None where they are not at hand.
    """

    figures: tuple[Figure, ...]
    per_item: tuple[ItemValues, ...] = ()
    notes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    missing: tuple[tuple[str, str], ...] = ()
    tests: Callable[[], Comparison | None] | None = field(default=None, compare=False)
    ranked: Callable[[], tuple[Weights, dict[str, Runs]]] | None = field(
        default=None, compare=False
    )

    def __iter__(self) -> Iterator[Figure]:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)

    def figure(self, system: str, measure: str, *, subset: str = "ALL", pos: str = "all") -> Figure:
        """Return one figure.

        Raises:
            KeyError: there is none.
        """
        wanted = (system, measure, subset, pos)
        for figure in self.figures:
            if (figure.system, figure.measure, figure.subset, figure.pos) == wanted:
                return figure
        raise KeyError(f"no figure for {system}, {measure}, {subset}, {pos}")

    def value(self, system: str, measure: str, *, subset: str = "ALL", pos: str = "all") -> float:
        """Return one figure's value, as a fraction."""
        return self.figure(system, measure, subset=subset, pos=pos).value

    def to_ranx(self) -> tuple[Any, dict[str, Any]]:
        """Return the gold as ranx's ``Qrels`` and each system as its ``Run``, an item a query.

        Spellings are those under which we compare (in place of ``official``: ``clean``), so that
        ranx computes the same AP (its ``map``), nDCG and precision. A system's ranking is taken,
        else its oot, else its best answers; items without gold are left out, and those that a
        system does not answer have an empty place in its run.

        Raises:
            MissingExtraError: ranx is not installed.
            LexsubError: weights that cannot be made whole, or scores read back from a file.
        """
        if self.ranked is None:
            raise LexsubError("these scores have no answers at hand; take those of evaluate()")
        with needing("ranx", "ranx", "Scores.to_ranx"):
            from ranx import Qrels, Run
        weights, runs = self.ranked()
        return Qrels(weights), {
            name: Run({key: run.get(key, {}) for key in weights}, name=name)
            for name, run in runs.items()
        }

    def records(self) -> list[dict[str, Any]]:
        """Return the figures as plain rows; undefined values are None.

        Values and bounds are fractions, all of them; ``shown`` says how the field prints them:
        ``%`` (times 100) or ``1`` (as they are).
        """
        return [
            {
                "shown" if key == "unit" else key: defined(getattr(figure, key))
                for key in RECORDED.split()
            }
            | {"skipped": dict(figure.skipped)}
            for figure in self.figures
        ]

    def item_records(self) -> list[dict[str, Any]]:
        """Return the figures of single items as plain rows."""
        return [
            {
                "system": one.system,
                "measure": one.measure,
                "id": item,
                "value": defined(float(value)),
            }
            for one in self.per_item
            for item, value in zip(one.ids, one.values, strict=True)
        ]

    def view(self) -> Table:
        """Return a table of measures by systems, with marks of significance where it is tested.

        Below it stands what must be read with it: items not attempted, answers passed over.
        """
        table = scores_table(self, self.tests() if self.tests else None)
        passed_over = [
            f"{system}: {what}: {count}"
            for system, notes in self.notes.items()
            for what, count in notes.items()
        ]
        return replace(table, notes=(*remarks_on_scores(self), *passed_over, *table.notes))


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line of a table: a measure on a subset, with a cell for each system.

    Attributes:
        label: measure, with subset and part of speech where they are not all.
        cells: the figure of each system, None where it has none.
        first: of them: it says which items all are of, and what they are.
    """

    label: str
    cells: tuple[Figure | None, ...]
    first: Figure


def table_rows(scores: Scores) -> tuple[list[str], list[TableRow]]:
    """Return the systems and the rows of the table with a column for each of them."""
    systems = list(dict.fromkeys(figure.system for figure in scores))
    rows: dict[tuple[str, str, str], dict[str, Figure]] = {}
    for figure in scores:
        key = (figure.subset, figure.pos, figure.measure)
        rows.setdefault(key, {})[figure.system] = figure
    found = []
    for (subset, pos, measure), by_system in rows.items():
        label, first = _label(measure, subset, pos), next(iter(by_system.values()))
        found.append(TableRow(label, tuple(map(by_system.get, systems)), first))
    return systems, found


def scores_table(scores: Scores, comparison: Comparison | None = None) -> Table:
    """Return measures as rows, systems as columns; its note is the signature of the first row.

    Args:
        scores: the figures.
        comparison: gives each figure the letters of the systems it is significantly better than.
    """
    systems, rows = table_rows(scores)
    letters = {system: letter(place) for place, system in enumerate(systems)}
    beaten = marks(comparison, letters) if comparison else {}
    headers = [f"{letters[system]}: {system}" if comparison else system for system in systems]
    title = f"{len(scores)} figure{'s' * (len(scores) != 1)} of {', '.join(systems) or 'no system'}"
    cells: list[tuple[Entry, ...]] = []
    for row in rows:
        better = [beaten.get((system, row.label), "") for system in systems]
        cells.append((row.label, row.first.items, *map(marked, map(number, row.cells), better)))
    notes = (*(row.first.signature for row in rows[:1]), *([MARKS] if comparison else ()))
    return Table(title, ("measure", "items", *headers), cells, notes)


def _label(measure: str, subset: str, pos: str) -> str:
    extra = [part for part, all_ in ((subset, "ALL"), (pos, "all")) if part != all_]
    return " ".join([measure, *extra])


FEW_TARGETS = 5
"""Of fewer, resampling draws nearly the same again and again: intervals come out too narrow."""


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
    bases = dict.fromkeys(
        basis
        for row in comparison.rows
        for basis in (
            (row.first, row.measure, row.first_attempted, row.items, row.first_targets, True),
            (row.second, row.measure, row.second_attempted, row.items, row.second_targets, True),
        )
    )
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
        yield f"{system} attempted {attempted} of {items} ({named(measures)})"
    alike: dict[tuple[int, str], list[str]] = {}
    for (system, targets), measures in thin.items():
        alike.setdefault((targets, named(measures)), []).append(system)
    for (targets, what), systems in alike.items():
        yield (
            f"{', '.join(systems)} rest{'s' if len(systems) == 1 else ''} on {targets} "
            f"target{'' if targets == 1 else 's'} ({what}): with fewer than {FEW_TARGETS} an "
            "interval or p says little"
        )


def named(measures: Sequence[str]) -> str:
    """Return the first of some measures, and how many more there are."""
    more = len(measures) - 1
    return measures[0] + (f" and {more} more" if more else "")
