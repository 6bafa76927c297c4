"""Means over comparisons, and bootstrap intervals of agreement figures, over whole targets.

An item written as in a gold (``bright.a 12``) belongs to the target before the blank; any other
item is a unit of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import ratio
from lexsub.evaluation.resampling import bootstrap_counts, quantile_interval, unit_sums

Interval = tuple[float, float]

LEVEL = 0.95
RESAMPLES = 2_000
SEED = 0


def unit_of(item: str) -> str:
    """Return the unit that an item is drawn with."""
    return item.rpartition(" ")[0] or item


def interval(
    items: Sequence[str], rows: Floats, figure: Callable[[Floats], Floats]
) -> Interval | None:
    """Return the 95 % percentile interval of a figure of sums.

    Args:
        items: the item of each row.
        rows: what each adds to the sums, shape (rows, columns).
        figure: from sums of shape (resamples, columns) to figures; NaN for an undefined one.

    Returns:
        None where there are fewer than two units, or no resample has a figure.
    """
    names = {name: number for number, name in enumerate(sorted(set(map(unit_of, items))))}
    if len(names) < 2:
        return None
    sums = unit_sums(rows, np.array([names[unit_of(item)] for item in items]))
    drawn = [figure(counts @ sums) for counts in bootstrap_counts(len(names), RESAMPLES, SEED)]
    low, high = quantile_interval(np.concatenate(drawn), LEVEL)
    return None if np.isnan(low) else (low, high)


@dataclass(frozen=True, slots=True)
class Share:
    """A mean over comparisons.

    Attributes:
        value: the mean, or None where there was nothing to compare.
        comparisons: how many comparisons it is the mean of.
        items: how many items they come from.
        interval: its 95 % interval, by bootstrap over whole targets; None for fewer than two.
    """

    value: float | None
    comparisons: int
    items: int
    interval: Interval | None = None


def share(groups: Iterable[tuple[str, Sequence[Fraction | bool]]]) -> Share:
    """Return the mean of all comparisons, given by item."""
    filled = [(item, group) for item, group in groups if group]
    count = sum(len(group) for _, group in filled)
    if not count:
        return Share(None, 0, 0)
    # Fractions: the same figure whatever the order of the rows.
    totals = [sum((Fraction(value) for value in group), Fraction(0)) for _, group in filled]
    rows = np.array(
        [(float(total), len(group)) for total, (_, group) in zip(totals, filled, strict=True)]
    )
    bounds = interval(
        [item for item, _ in filled], rows, lambda sums: ratio(sums[:, 0], sums[:, 1])
    )
    return Share(float(sum(totals, Fraction(0)) / count), count, len(filled), bounds)
