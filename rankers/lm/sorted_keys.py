"""Looking up n-grams by number in sorted arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def look_up(keys: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the row of each key, -1 where it is not there."""
    # Sorted needles walk the mapped file once from front to back.
    found = np.full(len(wanted), -1, dtype=np.int64)
    if not len(keys) or not len(wanted):
        return found
    # By hand: np.unique imports what takes longer than a sentence.
    order = np.argsort(wanted, kind="stable")
    ordered = wanted[order]
    first = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    distinct = ordered[first]
    rows = np.searchsorted(keys, distinct)
    rows = np.where(keys[np.minimum(rows, len(keys) - 1)] == distinct, rows, -1)
    found[order] = rows[np.cumsum(first) - 1]
    return found
