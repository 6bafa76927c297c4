"""Is the difference between two systems more than chance?  Paired tests over whole targets.

Both tests recompute every figure from sums, so that precision, mode precision or a pooled F
are tested as what they are, ratios.  All systems and measures share the same draws.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, Literal

import numpy as np

from lexsub.errors import LexsubError, expected_of, key_path
from lexsub.evaluation import resampling as draws
from lexsub.evaluation.answers import GoldLike, System, as_gold
from lexsub.evaluation.figures import Setting, defined, scaled, shown, signature
from lexsub.evaluation.judging import Judge, Judged
from lexsub.evaluation.measure import Measure, parse_measures
from lexsub.matching.policies import Normalisation, policy_for
from lexsub.tables import Entry, Number, Table, Tabular

Pairs = Literal["all", "first"]

NULL_HYPOTHESIS = """\
Null hypothesis of approximate randomisation: the two systems are equally good on the measure, so
that on any {unit} their answers could be exchanged. Null hypothesis of the bootstrap: over all
{unit}s of the kind drawn, the difference of the two figures is 0. Both tests are paired and
two-sided; Holm's correction is over all {rows} comparisons of the table."""

MCNEMAR = """\
Null hypothesis of McNemar's exact test: an item on which just one of the two systems hits the mode
is as likely to be hit by either. It takes single items as independent."""

ALPHA = 0.05
"""Below it (after Holm's correction) a difference is marked as significant."""

# Two differences that are equal but for the last bits of their sums count as equal.
_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class Row:
    """One pair of systems under one measure.

    Attributes:
        measure: the measure, as it prints.
        first: the one system.
        second: the other.
        first_value: its figure.
        second_value: the other's.
        difference: first minus second.
        low: lower bound of the bootstrap interval of the difference.
        high: upper bound.
        bootstrap_p: p of the paired bootstrap, shifted to the null hypothesis.
        randomisation_p: p of approximate randomisation.
        holm_p: the latter under Holm's correction over the table.
        mcnemar_p: exact p for mode hits, None for other measures.
        items: items counted.
        first_attempted: of these, items that the one answers.
        second_attempted: and the other.
        first_targets: targets that enter the one's figure.
        second_targets: and the other's.
        units: how many targets (or items) were resampled.
        unit: ``%`` or ``1``, how figures print.
        signature: what the figures are.
    """

    measure: str
    first: str
    second: str
    first_value: float
    second_value: float
    difference: float
    low: float
    high: float
    bootstrap_p: float
    randomisation_p: float
    holm_p: float
    mcnemar_p: float | None
    items: int
    first_attempted: int
    second_attempted: int
    first_targets: int
    second_targets: int
    units: int
    unit: str
    signature: str


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Tabular):
    """The table of a comparison.

    Attributes:
        rows: pairs by measure.
        hypothesis: the null hypotheses, to be printed under the table.
    """

    rows: tuple[Row, ...]
    hypothesis: str

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as plain values.

        Values, differences and bounds are fractions; ``shown`` says how the field prints them:
        ``%`` (times 100) or ``1``.
        """
        return [
            {"shown" if key == "unit" else key: getattr(row, key) for key in Row.__slots__}
            for row in self.rows
        ]

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON values; undefined figures are null."""
        rows = [{key: defined(value) for key, value in record.items()} for record in self.records()]
        return {"rows": rows, "hypothesis": self.hypothesis}

    @classmethod
    def of_json(cls, document: Mapping[str, Any]) -> Comparison:
        """Return what :meth:`as_json` gave.

        Raises:
            KeyError: it has no rows, or no hypothesis.
            ValueError: one of its rows is none.
        """
        from pydantic import TypeAdapter, ValidationError

        rows = [
            {
                "unit" if key == "shown" else key: math.nan
                if value is None and key != "mcnemar_p"
                else value
                for key, value in record.items()
            }
            for record in document["rows"]
        ]
        try:
            found = TypeAdapter(tuple[Row, ...]).validate_python(rows)
        except ValidationError as error:
            fault = error.errors()[0]
            place, expected = key_path(fault["loc"], "rows"), expected_of(fault, "an object")
            raise ValueError(f"{place}: expected {expected}") from None
        return cls(found, str(document["hypothesis"]))

    def view(self) -> Table:
        """Return a row a pair and measure."""
        rows = self.rows
        exact = any(row.mcnemar_p is not None for row in rows)
        cells: list[tuple[Entry, ...]] = []
        for row in rows:
            figures = (shown(value, row.unit) for value in (row.first_value, row.second_value))
            p = row.bootstrap_p, row.randomisation_p, row.holm_p, row.mcnemar_p
            names = row.measure, row.first, row.second
            cells.append((*names, *figures, _difference(row), *map(_p, p if exact else p[:3])))
        systems = dict.fromkeys(name for row in rows for name in (row.first, row.second))
        tests = ["bootstrap p", "randomised p", "Holm p", *(["McNemar p"] if exact else [])]
        columns = ["measure", "A", "B", "A", "B", "A-B [95 %]", *tests]
        title = f"{len(rows)} comparisons of {', '.join(systems)}"
        return Table(title, columns, cells, tuple(self.hypothesis.splitlines()), names=3)


def _difference(row: Row) -> Number:
    # Figures are rounded as the official script rounds; it prints no differences.
    return replace(scaled(row.difference, row.unit, row.low, row.high), kind="difference")


def _p(value: float | None) -> Number | None:
    return None if value is None else Number(value, digits=4, kind="p")


MARKS = (
    "Letters: systems that this one is significantly better than (paired randomisation, "
    f"p < {ALPHA} after Holm's correction)."
)


def marks(comparison: Comparison, letters: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return, by system and measure, the letters of the systems it is significantly better than.

    p is that of approximate randomisation under Holm's correction over the table.
    """
    beaten: dict[tuple[str, str], list[str]] = {}
    for row in comparison.rows:
        if row.holm_p < ALPHA and row.difference:
            better, worse = (row.first, row.second)[:: 1 if row.difference > 0 else -1]
            beaten.setdefault((better, row.measure), []).append(letters[worse])
    return {key: " ".join(worse) for key, worse in beaten.items()}


def marked(entry: Entry, letters: str) -> Entry:
    """Return a cell with the letters of the systems it is significantly better than."""
    return replace(entry, marks=letters) if isinstance(entry, Number) else entry


def compare(
    gold: GoldLike,
    systems: Mapping[str, System],
    measures: str | Iterable[str | Measure] = "best oot",
    *,
    normalise: str | Normalisation | None = None,
    subset: str = "ALL",
    pairs: Pairs = "all",
    resampling: draws.Interval | None = None,
) -> Comparison:
    """Compare systems pairwise under some measures.

    Args:
        gold: the gold standard, as for ``evaluate``.
        systems: at least two; see :func:`lexsub.evaluation.scoring.evaluate`.
        measures: as for ``evaluate``.
        normalise: the policy under which substitutes are compared; None for the gold's own.
        subset: ALL, NMWT, NMWS, RAND or MAN.
        pairs: every pair, or the ``first`` system with each other one.
        resampling: number of resamples (of both tests), unit, level and seed; 10,000 over
            whole targets by default.

    Raises:
        LexsubError: fewer than two systems, no measure that all have the answers for, or as
            for ``evaluate``.
    """
    if len(systems) < 2:
        raise LexsubError(f"{len(systems)} system to compare; expected at least 2")
    gold = as_gold(gold)
    resampling = resampling or draws.Interval()
    policy = policy_for(gold, normalise)
    judge = Judge(gold, policy, systems)
    judged: dict[Measure, dict[str, Judged]] = {}
    for measure in parse_measures(measures):
        by_system = {name: judge.judge(name, measure, subset) for name in systems}
        complete = {name: one for name, one in by_system.items() if one is not None}
        if len(complete) == len(systems):
            judged[measure] = complete
    if not judged:
        raise LexsubError("there is no measure for which every system has answers")
    chosen = list(combinations(systems, 2))
    if pairs == "first":
        chosen = [pair for pair in chosen if pair[0] == next(iter(systems))]
    setting = Setting(gold, policy, str(resampling))
    rows: list[Row] = []
    for stack in draws.stacks(judged, resampling.unit):
        rows += _rows(stack, chosen, resampling, subset, setting)
    order = list(map(str, judged))
    rows.sort(key=lambda row: order.index(row.measure))
    corrected = draws.holm([row.randomisation_p for row in rows])
    rows = [replace(row, holm_p=p) for row, p in zip(rows, corrected, strict=True)]
    hypothesis = NULL_HYPOTHESIS.format(unit=resampling.unit, rows=len(rows))
    if any(row.mcnemar_p is not None for row in rows):
        hypothesis += "\n" + MCNEMAR
    return Comparison(tuple(rows), hypothesis)


def _rows(
    stack: draws.Stack,
    pairs: Sequence[tuple[str, str]],
    resampling: draws.Interval,
    subset: str,
    setting: Setting,
) -> Iterator[Row]:
    """Yield a row for each measure over one gold and each pair, not yet corrected."""
    values = {
        (measure, name): float(measure.value(sums[:, columns].sum(axis=0)))
        for measure, columns in stack.columns.items()
        for name, sums in stack.sums.items()
    }
    drawn = stack.bootstrap(resampling.resamples, resampling.seed)
    extreme = _extreme(stack, pairs, resampling, values)
    for measure, (first, second) in product(stack.judged, pairs):
        difference = values[measure, first] - values[measure, second]
        resampled = drawn[measure, first] - drawn[measure, second]
        known = resampled[~np.isnan(resampled)]
        shifted = np.abs(known - difference) >= abs(difference) - _SLACK
        low, high = draws.quantile_interval(resampled, resampling.level)
        undefined = bool(np.isnan(difference))
        chance = (extreme[measure, (first, second)] + 1) / (resampling.resamples + 1)
        one, other = (stack.judged[measure][name] for name in (first, second))
        credit = one.statistics[:, 0], other.statistics[:, 0]
        items = int(one.counted.mask.sum())
        yield Row(
            measure=str(measure),
            first=first,
            second=second,
            first_value=values[measure, first],
            second_value=values[measure, second],
            difference=difference,
            low=low,
            high=high,
            bootstrap_p=1.0 if undefined else (int(shifted.sum()) + 1) / (len(known) + 1),
            randomisation_p=1.0 if undefined else chance,
            holm_p=1.0,
            mcnemar_p=draws.mcnemar(*credit) if measure.is_hit else None,
            items=items,
            first_attempted=int(one.attempted.sum()),
            second_attempted=int(other.attempted.sum()),
            first_targets=one.targets,
            second_targets=other.targets,
            units=stack.units,
            unit=measure.unit,
            signature=signature(measure, setting, subset=subset, pos="all", items=items),
        )


def _extreme(
    stack: draws.Stack,
    pairs: Sequence[tuple[str, str]],
    how: draws.Interval,
    values: Mapping[tuple[Measure, str], float],
) -> dict[tuple[Measure, tuple[str, str]], int]:
    """Count the random trials whose difference is at least as great as the observed one."""
    extreme = dict.fromkeys(product(stack.judged, pairs), 0)
    for chosen in draws.swaps(stack.units, how.resamples, how.seed):
        for pair in pairs:
            first, second = (stack.sums[name] for name in pair)
            moved = chosen @ (second - first)
            left, right = first.sum(axis=0) + moved, second.sum(axis=0) - moved
            for measure, columns in stack.columns.items():
                trial = measure.value(left[:, columns]) - measure.value(right[:, columns])
                observed = abs(values[measure, pair[0]] - values[measure, pair[1]])
                # A trial in which a figure is undefined is no evidence against the null.
                great = np.nan_to_num(np.abs(trial), nan=np.inf) >= observed - _SLACK
                extreme[measure, pair] += int(great.sum())
    return extreme
