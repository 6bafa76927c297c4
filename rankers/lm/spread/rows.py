"""N-grams as rows of word ids: sorted, added up, cut into ranges."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.storage.files import atomic_write

Rows = NDArray[np.int32]
"""Word ids, shape (n-grams, n)."""
Longs = NDArray[np.int64]
Keys = NDArray[np.uint64]


def pair_keys(rows: NDArray[Any]) -> Keys:
    """Return the first two words of each row as one number (the first alone where n is 1)."""
    first = rows[:, 0].astype(np.uint64) << np.uint64(32)
    return first | rows[:, 1].astype(np.uint64) if rows.shape[1] > 1 else first


def order_of(rows: NDArray[Any]) -> NDArray[np.intp]:
    """Return the order that sorts rows by their words, from the first on."""
    keys = [pair_keys(rows[:, at : at + 2]) for at in range(0, rows.shape[1], 2)]
    return np.lexsort(keys[::-1])


def begins(rows: NDArray[Any]) -> NDArray[np.bool_]:
    """Say of each row of a sorted table whether it differs from the one before."""
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return new


def added(rows: NDArray[Any], counts: NDArray[Any]) -> tuple[Rows, Longs, Longs]:
    """Return the distinct rows, sorted, with their counts added up.

    The third array says of each row given which of these it is.
    """
    order = order_of(rows)
    rows = rows[order]
    new = begins(rows)
    group = np.empty(len(rows), np.int64)
    group[order] = np.cumsum(new) - 1
    totals = np.bincount(group, counts, minlength=int(new.sum())).astype(np.int64)
    return rows[new].astype(np.int32), totals, group


def cuts(rows: NDArray[Any], borders: Keys) -> Longs:
    """Return where the ranges begin in a sorted table, and its length: shape (ranges + 1,)."""
    inner = np.searchsorted(pair_keys(rows), borders[1:])
    return np.concatenate([[0], inner, [len(rows)]]).astype(np.int64)


def find_row(rows: NDArray[Any], gram: Sequence[int]) -> int:
    """Return the place of an n-gram that is known to be in a sorted table."""
    low, high = 0, len(rows)
    for column, word in enumerate(gram):
        part = rows[low:high, column]
        low, high = (
            low + int(np.searchsorted(part, word)),
            low + int(np.searchsorted(part, word, side="right")),
        )
    return low


def save(path: Path, array: NDArray[Any]) -> None:
    """Write an array, whole or not at all."""
    with atomic_write(path) as file:
        np.save(file, array)


def load(path: Path) -> NDArray[Any]:
    """Map an array; what of it is used is read."""
    found: NDArray[Any] = np.load(path, mmap_mode="r")
    return found
