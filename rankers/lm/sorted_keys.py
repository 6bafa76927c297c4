"""Looking up n-grams by number in sorted arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def look_up(keys: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the row of each key, -1 where it is not there."""
    # Sorted needles walk the mapped file once from front to back.
    distinct, back = np.unique(wanted, return_inverse=True)
    if not len(keys) or not len(distinct):
        return np.full(len(wanted), -1, dtype=np.int64)
    rows = np.searchsorted(keys, distinct)
    rows = np.where(keys[np.minimum(rows, len(keys) - 1)] == distinct, rows, -1)
    found: NDArray[np.int64] = rows[back]
    return found
