"""Means over comparisons: a share, what it is the mean of, and its interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lexsub.evaluation.agreement.intervals import Interval, interval
from lexsub.evaluation.measure import ratio


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
