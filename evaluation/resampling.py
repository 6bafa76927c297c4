"""Resampling whole units, index draws made once, figures recomputed from sums; corrected p values.

Items of one target share candidates and difficulty, so the unit is the target (171 in the
SemEval-2007 test set), not the item.  A draw is a row of counts, one a unit; sums of a resample
are that row times the units' sums, so all measures of all systems share the draws.  Draws are
made in blocks: memory does not grow with their number, but for 8 bytes a figure and resample.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Lt

from lexsub.evaluation.judging import Judged
from lexsub.evaluation.measure import Measure
from lexsub.evaluation.sheets import Floats, Ints
from lexsub.parts.limits import Bounded

Unit = Literal["target", "item"]


@dataclass(frozen=True, slots=True)
class Interval(Bounded):
    """How intervals are made: a percentile bootstrap over whole units.

    Attributes:
        resamples: how many.
        unit: what is drawn: whole targets, or single items (which is too narrow, because the
            items of a target are alike).
        level: coverage.
        seed: seed of the draws.
    """

    resamples: Annotated[int, Ge(100)] = 10_000
    unit: Unit = "target"
    level: Annotated[float, Gt(0), Lt(1)] = 0.95
    seed: int = 0

    def __str__(self) -> str:
        return (
            f"bootstrap-{self.unit}s,resamples={self.resamples},level={self.level:g},"
            f"seed={self.seed}"
        )


# A block holds about this many counts (2 MB), however many units there are.
_BLOCK = 1 << 18


def unit_sums(statistics: Floats, units: Ints) -> Floats:
    """Sum the rows of each unit."""
    sums = np.zeros((int(units.max(initial=-1)) + 1, statistics.shape[1]))
    np.add.at(sums, units, statistics)
    return sums


def bootstrap_counts(units: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks (resamples in the block, units): how often each unit was drawn."""
    rng = np.random.default_rng(seed)
    for size in _sizes(units, resamples):
        drawn = rng.integers(0, units, (size, units))
        drawn += np.arange(size)[:, None] * units
        counts = np.bincount(drawn.ravel(), minlength=size * units)
        yield counts.reshape(size, units).astype(float)


def swaps(units: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks (trials in the block, units) of 0 and 1: which units change systems."""
    rng = np.random.default_rng(seed)
    for size in _sizes(units, resamples):
        yield rng.integers(0, 2, (size, units), dtype=np.int8).astype(float)


def quantile_interval(values: Floats, level: float) -> tuple[float, float]:
    """Return the percentile interval of the resampled figures that are defined."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return float("nan"), float("nan")
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    # Sums may differ in the last bits from one linear algebra library to the next.
    return round(float(low), 10), round(float(high), 10)


class Stack:
    """The sums by unit of systems under measures on one gold, side by side.

    Attributes:
        judged: measure to systems to what was judged.
        units: how many units have a counted item.
        columns: where a measure's columns stand among all.
        sums: by system, shape (units, columns).
    """

    def __init__(self, judged: Mapping[Measure, Mapping[str, Judged]], unit: Unit) -> None:
        self.judged = judged
        first = [next(iter(systems.values())) for systems in judged.values()]
        counted = np.any([one.counted.mask for one in first], axis=0)
        gold = first[0].gold
        every = gold.targets if unit == "target" else np.arange(len(gold.ids))
        used, units = np.unique(every[counted], return_inverse=True)
        self.units = len(used)
        widths = [one.statistics.shape[1] for one in first]
        ends = np.cumsum(widths).tolist()
        self.columns = {
            measure: slice(end - width, end)
            for measure, end, width in zip(judged, ends, widths, strict=True)
        }
        self.sums = {
            name: unit_sums(
                np.hstack([systems[name].statistics for systems in judged.values()])[counted], units
            )
            for name in next(iter(judged.values()))
        }

    def bootstrap(self, resamples: int, seed: int) -> dict[tuple[Measure, str], Floats]:
        """Return each system's figures on the same resamples, shape (resamples,)."""
        blocks: dict[tuple[Measure, str], list[Floats]] = {}
        for counts in bootstrap_counts(self.units, resamples, seed):
            for name, sums in self.sums.items():
                drawn = counts @ sums
                for measure, columns in self.columns.items():
                    blocks.setdefault((measure, name), []).append(measure.value(drawn[:, columns]))
        return {key: np.concatenate(values) for key, values in blocks.items()}


def stacks(judged: Mapping[Measure, Mapping[str, Judged]], unit: Unit) -> list[Stack]:
    """Stack the measures whose rows are the same items: they are resampled together."""
    groups: dict[int, dict[Measure, Mapping[str, Judged]]] = {}
    for measure, systems in judged.items():
        groups.setdefault(id(next(iter(systems.values())).gold), {})[measure] = systems
    return [Stack(group, unit) for group in groups.values()]


def _sizes(units: int, resamples: int) -> Iterator[int]:
    block = max(1, _BLOCK // max(units, 1))
    for start in range(0, resamples, block):
        yield min(block, resamples - start)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p values for all comparisons made (Holm, 1979): step down, never falling."""
    given = np.array(p_values)
    order = np.argsort(given, kind="stable")
    steps = np.minimum(np.arange(len(given), 0, -1) * given[order], 1.0)
    adjusted = np.empty(len(given))
    adjusted[order] = np.maximum.accumulate(steps)
    return [float(p) for p in adjusted]


def mcnemar(first: Floats, second: Floats) -> float:
    """Exact two-sided McNemar test on paired hits (0 or 1): binomial on the discordant pairs."""
    only_first = int(np.sum((first > 0) & (second == 0)))
    only_second = int(np.sum((second > 0) & (first == 0)))
    n = only_first + only_second
    tail = sum(comb(n, i) for i in range(min(only_first, only_second) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**n)))
