"""Bootstrap intervals of agreement figures, over whole targets.

An item written as in a gold (``bright.a 12``) belongs to the target before the blank; any other
item is a unit of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lexsub.evaluation.gold_arrays import Floats
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
