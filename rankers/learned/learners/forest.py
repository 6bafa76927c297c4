"""Forests: trees of several models, kept as arrays of numbers, and asked all at once.

A model that is handed on is such, too, whatever its learner: it needs no library of a learner, and
is open at once.  Trees are asked after QuickScorer (Lucchese et al., SIGIR 2015, section 3).

Each tree is a word of bits, one for every leaf from left to right.  A node that a row does not
pass to the left rules out the leaves of its left side; the first bit that is left is the leaf
where the row arrives.  The first nodes of all trees are compared with a block of rows at once, then
the second ones, and so on, whatever the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, is_zipfile

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError
from lexsub.rankers.learned.learners.trees import TYPES, Trees, check_trees
from lexsub.storage.files import atomic_write

WIDTHS = (np.uint8, np.uint16, np.uint32, np.uint64)
"""Words of bits: a tree needs one for each of its leaves."""
MOST = 64
"""Leaves that the widest word has bits for."""
BLOCK = 32
"""Rows side by side: what is compared at once stays in the processor's cache."""
MODULUS = 67
"""Two is a primitive root of it: the powers up to 2 ** 63 differ modulo it."""


@dataclass(frozen=True)
class BitTrees:
    """The nodes of several models: the n-th of every tree side by side.

    Attributes:
        columns: (nodes, trees) column that a node looks at.
        thresholds: (nodes, trees) greatest value that goes left.
        missing_left: (nodes, trees) whether nan goes left.
        masks: (nodes, trees) the leaves that remain where a row goes right; all where a tree has
            fewer nodes.
        leaves: (trees, bits) values, from left to right.
        starts: (models + 1,) first tree of each model.
    """

    columns: NDArray[np.int64]
    thresholds: NDArray[np.float32]
    missing_left: NDArray[np.bool_]
    masks: NDArray[Any]
    leaves: NDArray[np.float64]
    starts: NDArray[np.int64]

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the sum of the leaves by model, added in the order of the trees.

        Args:
            values: shape (rows, columns); nan is missing.

        Returns:
            Shape (models, rows): LightGBM's raw predictions, to the last bit.
        """
        if len(values) == 1:
            # numpy adds pairwise along a single row, and one tree after the other along several.
            return self.predict(np.repeat(values, 2, axis=0))[:, :1]
        totals = np.zeros((len(self.starts) - 1, len(values)))
        width, shape = values.shape[1], (len(self.leaves), min(len(values), BLOCK))
        own = self.columns + self.missing_left * width
        first = np.arange(0, self.leaves.size, self.leaves.shape[1])[:, None]
        word = self.masks.dtype
        # Memory is taken once: to get it anew for each block takes longer than all the rest.
        seen, left = np.empty(shape, np.float32), np.empty(shape, bool)
        ruled, remain = np.empty(shape, word), np.empty(shape, word)
        places, found = np.empty(shape, np.int64), np.empty(shape)
        for begin in range(0, len(values), BLOCK):
            rows = slice(max(min(begin, len(values) - BLOCK), 0), begin + BLOCK)
            known = np.ascontiguousarray(values[rows].T, np.float32)
            missing = np.isnan(known)
            # What is missing lies beyond all thresholds, for each node on the side where it goes.
            beyond = [np.where(missing, np.float32(one), known) for one in (np.inf, -np.inf)]
            sides = np.concatenate(beyond)
            remain.fill(np.iinfo(word).max)
            for columns, thresholds, masks in zip(own, self.thresholds, self.masks, strict=True):
                sides.take(columns, 0, seen, "clip")
                ruled[:] = np.less_equal(seen, thresholds[:, None], left)
                np.bitwise_or(np.negative(ruled, ruled), masks[:, None], ruled)
                np.bitwise_and(remain, ruled, remain)
            np.bitwise_and(remain, np.negative(remain, ruled), remain)
            PLACES.take(np.remainder(remain, word.type(MODULUS), remain), None, places, "clip")
            self.leaves.take(np.add(places, first, places), None, found, "clip")
            for model, total in enumerate(totals):
                trees = found[self.starts[model] : self.starts[model + 1]]
                total[rows] = trees.sum(axis=0)
        return totals


PLACES = np.zeros(MODULUS, np.int64)
"""Place of the only bit of a word, by the word modulo 67."""
PLACES[[(1 << place) % MODULUS for place in range(MOST)]] = range(MOST)


@dataclass
class Forest:
    """Trained models, asked by ourselves: their libraries give the same bits.

    Attributes:
        path: the file, for messages.
        trees: of each model.
    """

    path: Path
    trees: list[Trees]

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the mean of the models' scores, shape (rows,).

        Raises:
            FormatError: a tree looks at a column that is not there.
        """
        if self._last >= values.shape[1]:
            problem = f"splits by column {self._last} of {values.shape[1]}"
            raise FormatError(self.path, None, problem)
        if self._bits is not None:
            each = self._bits.predict(values)
        else:
            each = np.array([one.predict(values) for one in self.trees])
        mean: NDArray[np.float64] = np.mean(each, axis=0)
        return mean

    @cached_property
    def _last(self) -> int:
        return max((int(one.columns.max(initial=-1)) for one in self.trees), default=-1)

    @cached_property
    def _bits(self) -> BitTrees | None:
        return bit_trees(self.trees)

    def gains(self, columns: int) -> NDArray[np.float64]:
        """Return the sum over all splits of all models, shape (columns,)."""
        gains: NDArray[np.float64] = np.sum([one.gains_of(columns) for one in self.trees], axis=0)
        return gains


def bit_trees(models: Sequence[Trees]) -> BitTrees | None:
    """Lay out models for :meth:`BitTrees.predict`; None if a tree has more than 64 leaves."""
    nodes: list[list[int]] = []
    masks: list[list[int]] = []
    leaves: list[list[float]] = []
    starts, before = [0], 0
    for model in models:
        children, values = model.children.tolist(), model.leaves.tolist()
        for root in model.roots.tolist():
            found, own = _masks(children, values, root)
            if len(own) > MOST:
                return None
            nodes.append([before + node for node, _ in found])
            masks.append([mask for _, mask in found])
            leaves.append(own)
        starts.append(len(leaves))
        before += len(model.columns)
    widest = max(map(len, leaves), default=1)
    word = next(one for one in WIDTHS if widest <= np.iinfo(one).bits)
    sizes = np.array([len(own) for own in nodes], np.int64)
    # The places of a table of trees and nodes that hold a node; the others let all leaves remain.
    here = np.arange(widest - 1) < sizes[:, None]
    joined = np.array([node for own in nodes for node in own], np.int64)

    def laid(values: NDArray[Any], fill: Any) -> NDArray[Any]:
        table = np.full(here.shape, fill, values.dtype)
        table[here] = values
        return np.ascontiguousarray(table.T)

    def of_nodes(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(model, name) for model in models])[joined]

    table = np.zeros((len(leaves), np.iinfo(word).bits))
    for row, values in zip(table, leaves, strict=True):
        row[: len(values)] = values
    all_masks = np.array([mask for own in masks for mask in own], word)
    return BitTrees(
        laid(of_nodes("columns"), 0),
        # What is missing lies beyond all thresholds.
        laid(np.minimum(_not_above(of_nodes("thresholds")), np.finfo(np.float32).max), 0),
        laid(of_nodes("missing_left"), False),
        laid(np.invert(all_masks), np.iinfo(word).max),
        table,
        np.array(starts, np.int64),
    )


def _masks(
    children: list[list[int]], values: list[float], root: int
) -> tuple[list[tuple[int, int]], list[float]]:
    """Return (node, bits of the leaves on its left side), and the leaves from left to right.

    Where there are more leaves than bits, what is found first.
    """
    masks: list[tuple[int, int]] = []
    leaves: list[float] = []
    # A node to go down from, and the first leaf below it where its left side is done: a tree
    # may be deeper than Python calls itself.
    ahead = [(root, -1)]
    while ahead and len(leaves) <= MOST:
        node, begin = ahead.pop()
        if node < 0:
            leaves.append(values[-1 - node])
        elif begin < 0:
            right, left = children[node]
            ahead += [(right, -1), (node, len(leaves)), (left, -1)]
        else:
            masks.append((node, (1 << len(leaves)) - (1 << begin)))
    return masks, leaves


def _not_above(thresholds: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the greatest float32 up to each threshold: it splits float32 values alike."""
    with np.errstate(over="ignore"):
        rounded = thresholds.astype(np.float32)
    below = np.nextafter(rounded, np.float32(-np.inf))
    return np.where(rounded > thresholds, below, rounded)


@dataclass
class PackedModel(Forest):
    """Models as arrays.

    Attributes:
        widest: the last column that there is.
    """

    widest: int = -1

    def save(self, path: Path) -> None:
        """Write the arrays, one behind the other, as ``.npz``."""
        arrays: dict[str, Any] = {
            "models": np.array(len(self.trees)),
            "widest": np.array(self.widest),
        }
        for number, trees in enumerate(self.trees):
            arrays |= {f"{name}{number}": getattr(trees, name) for name in TYPES}
        with atomic_write(path) as file:
            np.savez(file, **arrays)


def load_packed(path: Path, way_out: str = "install the model again") -> PackedModel:
    """Read a model; the way out is for one that is damaged.

    Raises:
        FormatError: it is not one.
    """
    try:
        if not is_zipfile(path):  # numpy would take it for a pickle, and say how to trust it
            raise ValueError("it is no archive of arrays")
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            number, widest = int(arrays["models"]), int(arrays["widest"])
            trees = [
                Trees(
                    **{name: _typed(arrays[f"{name}{model}"], kind) for name, kind in TYPES.items()}
                )
                for model in range(number)
            ]
        for one in trees:
            check_trees(one, widest)
        if not trees:
            raise ValueError("no model")
    except (ValueError, KeyError, OSError, EOFError, TypeError, IndexError, BadZipFile) as error:
        raise FormatError(path, None, f"holds no trees ({error}): {way_out}") from error
    return PackedModel(path, trees, widest=widest)


def _typed(array: NDArray[Any], kind: str) -> NDArray[Any]:
    if array.dtype.name != kind:
        raise ValueError(f"{array.dtype} where {kind} was expected")
    return array
