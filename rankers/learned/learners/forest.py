"""Forests: trees of several models, kept as arrays of numbers, and asked all at once.

A model that is handed on is such, too, whatever its learner: it needs no library of a learner, and
is open at once.  Trees are asked after QuickScorer (Lucchese et al., SIGIR 2015, section 3).

Each tree is a word of bits, one for every leaf from left to right.  A node that a row does not
pass to the left rules out the leaves of its left side; the first bit that is left is the leaf
where the row arrives.  Nodes are compared one after the other, whatever the answers, for a block
of rows side by side: there is no branch to mispredict.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, is_zipfile

import numpy as np
from numpy.typing import NDArray

from lexsub.compiling import can_compile, compiled
from lexsub.errors import FormatError
from lexsub.rankers.learned.learners.abreast import Abreast, abreast
from lexsub.rankers.learned.learners.trees import TYPES, Trees, check_trees
from lexsub.storage.files import atomic_write

WIDTHS = (np.uint16, np.uint32, np.uint64)
"""Words of bits: a tree needs one for each of its leaves."""
MOST = 64
"""Leaves that the widest word has bits for."""


@dataclass(frozen=True)
class BitTrees:
    """The nodes of several models, model by model and tree by tree.

    Attributes:
        models: number of models.
        trees: (nodes,) tree of each node, counted over all models.
        columns: (nodes,) column that it looks at.
        thresholds: (nodes,) greatest value that goes left.
        missing_left: (nodes,) whether nan goes left.
        masks: (nodes,) the leaves that remain where a row goes right.
        leaves: (trees, bits) values, from left to right.
        starts: (models + 1,) first tree of each model.
        first: (67,) place of the only bit of a word, by the word modulo 67.
    """

    trees: NDArray[np.int32]
    columns: NDArray[np.int32]
    thresholds: NDArray[np.float32]
    missing_left: NDArray[np.bool_]
    masks: NDArray[Any]
    leaves: NDArray[np.float64]
    starts: NDArray[np.int64]
    first: NDArray[np.int64]

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the sum of the leaves by model, added in the order of the trees.

        Args:
            values: shape (rows, columns); nan is missing.

        Returns:
            Shape (models, rows): LightGBM's raw predictions, to the last bit.

        Raises:
            ImportError: numba is not installed.
        """
        totals = np.empty((len(self.starts) - 1, len(values)))
        rows = np.ascontiguousarray(values, np.float32)
        word = self.masks.dtype.type
        _compiled()(
            rows,
            self.trees,
            self.columns,
            self.thresholds,
            self.missing_left,
            self.masks,
            self.leaves,
            self.starts,
            self.first,
            word(np.iinfo(word).max),
            word(1),
            word(67),
            totals,
        )
        return totals

    def abreast(self) -> Abreast | None:
        """Lay them out for numpy; None if a tree has too many leaves."""
        return abreast(
            self.trees, self.columns, self.thresholds, self.missing_left, self.masks, self.leaves,
            self.starts,
        )  # fmt: skip


FEW = 100
"""Times that models are asked before numba, which takes a second to start, is imported."""

FIRST = 3
"""Times that trees are walked before they are laid abreast: that takes as long."""


@dataclass
class Forest:
    """Trained models, asked by ourselves: their libraries give the same bits.

    Attributes:
        path: the file, for messages.
        trees: of each model.
    """

    path: Path
    trees: list[Trees]
    _asked: int = 0
    _decided: bool = False
    _compiled: BitTrees | None = None
    _laid: bool = False
    _abreast: Abreast | None = None

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the mean of the models' scores, shape (rows,).

        Raises:
            FormatError: a tree looks at a column that is not there.
        """
        mean: NDArray[np.float64] = np.mean(self._each(values), axis=0)
        return mean

    def _each(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        self._asked += 1
        if self._asked == 1:
            widest = max((int(one.columns.max(initial=-1)) for one in self.trees), default=-1)
            if widest >= values.shape[1]:
                raise FormatError(
                    self.path, None, f"splits by column {widest} of {values.shape[1]}"
                )
        if not self._decided and ("numba" in sys.modules or self._asked >= FEW):
            self._decided = True
            self._compiled = bit_trees(self.trees) if can_compile() else None
        if self._compiled is not None:
            return self._compiled.predict(values)
        if self._asked >= FIRST and not self._laid:
            self._laid = True
            bits = bit_trees(self.trees)
            self._abreast = None if bits is None else bits.abreast()
        if self._abreast is not None:
            return self._abreast.predict(values)
        return np.array([one.predict(values) for one in self.trees])

    def gains(self, columns: int) -> NDArray[np.float64]:
        """Return the sum over all splits of all models, shape (columns,)."""
        gains: NDArray[np.float64] = np.sum([one.gains_of(columns) for one in self.trees], axis=0)
        return gains


def bit_trees(models: Sequence[Trees]) -> BitTrees | None:
    """Lay out models for :meth:`BitTrees.predict`; None if a tree has more than 64 leaves."""
    trees, nodes, masks = [], [], []
    leaves: list[list[float]] = []
    starts, before = [0], 0
    for model in models:
        children, values = model.children.tolist(), model.leaves.tolist()
        for root in model.roots.tolist():
            found, own = _masks(children, values, root)
            if len(own) > MOST:
                return None
            for node, mask in found:
                trees.append(len(leaves))
                nodes.append(before + node)
                masks.append(mask)
            leaves.append(own)
        starts.append(len(leaves))
        before += len(model.columns)
    widest = max(map(len, leaves), default=0)
    word = next(one for one in WIDTHS if widest <= np.iinfo(one).bits)
    table = np.zeros((len(leaves), np.iinfo(word).bits))
    for row, own in zip(table, leaves, strict=True):
        row[: len(own)] = own
    first = np.zeros(67, np.int64)
    for place in range(64):
        first[(1 << place) % 67] = place  # two is a primitive root of 67: all differ
    return BitTrees(
        np.array(trees, np.int32),
        np.concatenate([model.columns for model in models])[nodes].astype(np.int32),
        _not_above(np.concatenate([model.thresholds for model in models])[nodes]),
        np.concatenate([model.missing_left for model in models])[nodes],
        np.invert(np.array(masks, word)),
        table,
        np.array(starts, np.int64),
        first,
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


@cache
def _compiled() -> Any:
    return compiled(_loop)


BLOCK = 64
"""Rows side by side."""


def _loop(  # type: ignore[no-untyped-def]  # pragma: no cover - runs compiled
    values,
    trees,
    columns,
    thresholds,
    missing_left,
    masks,
    leaves,
    starts,
    first,
    every,
    one,
    modulus,
    totals,
):
    rows, width = values.shape
    none = every ^ every
    across = np.empty((width, BLOCK), np.float32)
    bits = np.empty((len(leaves), BLOCK), masks.dtype)
    for begin in range(0, rows, BLOCK):
        size = min(BLOCK, rows - begin)
        for row in range(size):
            for column in range(width):
                across[column, row] = values[begin + row, column]
        bits[:] = every
        for node in range(len(trees)):
            left, value = bits[trees[node]], across[columns[node]]
            threshold, mask = thresholds[node], masks[node]
            if missing_left[node]:
                for row in range(BLOCK):
                    left[row] &= mask | (none if value[row] > threshold else every)
            else:
                for row in range(BLOCK):
                    left[row] &= mask | (every if value[row] <= threshold else none)
        for model in range(len(totals)):
            for row in range(size):
                total = 0.0
                for tree in range(starts[model], starts[model + 1]):
                    found = bits[tree, row]
                    found &= ~found + one
                    total += leaves[tree, first[found % modulus]]
                totals[model, begin + row] = total


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
