"""Trees asked without numba: the bits of :mod:`lexsub.rankers.learned.learners.forest`, in numpy.

The first nodes of all trees are compared with all rows at once, then the second ones, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDEST = 16
"""Leaves that a tree may have: where the first bit of a word stands is looked up in a table."""

BLOCK = 256
"""Rows side by side."""


@dataclass(frozen=True)
class Abreast:
    """The nodes of several models: the n-th of every tree side by side.

    Attributes:
        columns: (nodes, trees) column that a node looks at; -1 - column where nan goes left.
        thresholds: (nodes, trees) greatest value that goes left.
        masks: (nodes, trees) the leaves that remain where a row goes right.
        leaves: (trees · bits,) values, from left to right.
        bits: places of each tree's leaves.
        first: (2 ** bits,) place of the first bit of a word.
        starts: (models + 1,) first tree of each model.
    """

    columns: NDArray[np.int64]
    thresholds: NDArray[np.float32]
    masks: NDArray[Any]
    leaves: NDArray[np.float64]
    bits: int
    first: NDArray[np.int64]
    starts: NDArray[np.int64]

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the sum of the leaves by model, added in the order of the trees.

        Args:
            values: shape (rows, columns); nan is missing.

        Returns:
            Shape (models, rows): LightGBM's raw predictions, to the last bit.
        """
        totals = np.zeros((len(self.starts) - 1, len(values)))
        for start in range(0, len(values), BLOCK):
            rows = slice(start, start + BLOCK)
            found = self._leaves(np.ascontiguousarray(values[rows], np.float32).T)
            for model, own in enumerate(totals):
                trees = found[self.starts[model] : self.starts[model + 1]]
                # One behind the other: np.sum adds pairwise along a single row.
                if len(trees):
                    own[rows] = np.add.accumulate(trees, axis=0)[-1]
        return totals

    def _leaves(self, known: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the value of the leaf where each row arrives, shape (trees, rows)."""
        missing = np.isnan(known)
        beyond = [np.where(missing, np.float32(one), known) for one in (np.inf, -np.inf)]
        sides = np.concatenate(beyond)
        remain = np.full((self.masks.shape[1], known.shape[1]), -1).astype(self.masks.dtype)
        for columns, thresholds, masks in zip(
            self.columns, self.thresholds, self.masks, strict=True
        ):
            own = np.where(columns < 0, len(known) - 1 - columns, columns)
            left = sides[own] <= thresholds[:, None]
            remain &= np.negative(left.view(np.uint8).astype(masks.dtype)) | masks[:, None]
        begin = np.arange(len(remain))[:, None] * self.bits
        found: NDArray[np.float64] = self.leaves[begin + self.first[remain]]
        return found


def abreast(
    trees: NDArray[np.int32], columns: NDArray[np.int32], thresholds: NDArray[np.float32],
    missing_left: NDArray[np.bool_], masks: NDArray[Any], leaves: NDArray[np.float64],
    starts: NDArray[np.int64],
) -> Abreast | None:  # fmt: skip
    """Lay out trees whose nodes stand one behind the other; None where one has too many leaves.

    Args:
        trees: (nodes,) tree of each node, rising.
        columns: (nodes,) column that it looks at.
        thresholds: (nodes,) greatest value that goes left.
        missing_left: (nodes,) whether nan goes left.
        masks: (nodes,) the leaves that remain where a row goes right.
        leaves: (trees, bits) values, from left to right.
        starts: (models + 1,) first tree of each model.
    """
    sizes = np.bincount(trees, minlength=len(leaves))
    most = int(sizes.max(initial=0))
    if most >= WIDEST:
        return None
    kind, bits = (np.uint8, 8) if most < 8 else (np.uint16, 16)
    place = np.arange(len(trees)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    shape = (most, len(leaves))
    # What stands where a tree has fewer nodes leaves all that remains.
    laid = Abreast(
        np.zeros(shape, np.int64), np.zeros(shape, np.float32),
        np.full(shape, np.iinfo(kind).max, kind),
        np.ascontiguousarray(leaves[:, :bits]).ravel(), bits,
        np.array([0, *((word & -word).bit_length() - 1 for word in range(1, 1 << bits))]), starts,
    )  # fmt: skip
    laid.columns[place, trees] = np.where(missing_left, -1 - columns.astype(np.int64), columns)
    # What is missing lies beyond all thresholds.
    laid.thresholds[place, trees] = np.minimum(thresholds, np.finfo(np.float32).max)
    laid.masks[place, trees] = masks.astype(kind)
    return laid
