"""Trees of LightGBM's text format, asked without LightGBM.

Loading LightGBM takes longer than asking a model for the candidates of a few sentences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DEFAULT_LEFT, ZERO_IS_MISSING, NAN_IS_MISSING, CATEGORICAL = 2, 4, 8, 1
"""Bits of a node's ``decision_type``."""


@dataclass(frozen=True)
class Trees:
    """The nodes of all trees, one behind the other.

    Attributes:
        roots: (trees,) first node of each.
        columns: (nodes,) column that a node looks at.
        thresholds: (nodes,) values up to these go left.
        missing_left: (nodes,) whether nan goes left.
        gains: (nodes,) what training gained by the split.
        children: (nodes, 2) the nodes to the right and to the left; -1 - leaf for a leaf.
        leaves: (leaves,) values.
    """

    roots: NDArray[np.int64]
    columns: NDArray[np.int64]
    thresholds: NDArray[np.float64]
    missing_left: NDArray[np.bool_]
    gains: NDArray[np.float64]
    children: NDArray[np.int64]
    leaves: NDArray[np.float64]

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the sum of the leaves that each row comes to, added in the order of the trees.

        Args:
            values: shape (rows, columns); nan is missing.

        Returns:
            Shape (rows,): what LightGBM's raw prediction is, to the last bit.
        """
        rows, trees = len(values), len(self.roots)
        if not rows or not trees:
            return np.zeros(rows)
        reached = np.repeat(self.roots, rows)
        going = np.flatnonzero(reached >= 0)
        while len(going):
            nodes = reached[going]
            seen = values[going % rows, self.columns[nodes]]
            left = (seen <= self.thresholds[nodes]) | (np.isnan(seen) & self.missing_left[nodes])
            reached[going] = self.children[nodes, left.astype(np.int64)]
            going = going[reached[going] >= 0]
        # np.sum adds pairwise along a single row: other last bits than for several rows.
        totals = np.add.accumulate(self.leaves[-1 - reached].reshape(trees, rows), axis=0)
        last: NDArray[np.float64] = totals[-1]
        return last

    def gains_of(self, columns: int) -> NDArray[np.float64]:
        """Return the gains of all splits by column, shape (columns,)."""
        # Of no nodes np.bincount gives whole numbers, so the type is set.
        return np.bincount(self.columns, self.gains, minlength=columns).astype(np.float64)


TYPES = {
    "roots": "int64",
    "columns": "int64",
    "thresholds": "float64",
    "missing_left": "bool",
    "gains": "float64",
    "children": "int64",
    "leaves": "float64",
}
"""Of the arrays of :class:`Trees`."""


def parse_trees(text: str) -> Trees:
    """Read a model.

    Raises:
        ValueError: it is no model, not whole, or has what this cannot do (categories, zeros
            that are missing, averaged trees).
    """
    if (
        not text.startswith("tree\n")
        or "\ntree_sizes=" not in text
        or "\nend of trees" not in text
        or "\naverage_output" in text
    ):
        raise ValueError("no text model of summed trees, or not whole")
    header, *blocks = text.partition("\nend of trees")[0].split("\nTree=")
    sizes = next(line for line in header.split("\n") if line.startswith("tree_sizes="))
    if len(sizes.split()) != len(blocks):
        raise ValueError(f"{len(blocks)} trees; expected {len(sizes.split())}")
    parts: dict[str, list[NDArray[np.float64]]] = {
        name: [] for name in ("columns", "gains", "thresholds", "kinds", "left", "right", "leaves")
    }
    roots, nodes, leaves = [], 0, 0
    for block in blocks:
        table = dict(line.split("=", 1) for line in block.split("\n")[1:] if "=" in line)
        number = int(table["num_leaves"])
        found = {
            name: np.array(table[key].split() if number > 1 or key == "leaf_value" else [], float)
            for name, key in zip(parts, KEYS, strict=True)
        }
        if len(found["leaves"]) != number or any(
            len(array) != number - 1 for name, array in found.items() if name != "leaves"
        ):
            raise ValueError(f"a tree of {number} leaves that is not whole")
        for side in ("left", "right"):
            inner = found[side] >= 0
            found[side] += np.where(inner, nodes, -leaves)
        for name, array in found.items():
            parts[name].append(array)
        roots.append(nodes if number > 1 else -1 - leaves)
        nodes, leaves = nodes + number - 1, leaves + number
    joined = {name: np.concatenate([np.zeros(0), *arrays]) for name, arrays in parts.items()}
    for name in ("columns", "kinds", "left", "right"):
        numbers = joined[name]
        if not ((np.abs(numbers) < 1 << 53) & (numbers == np.floor(numbers))).all():
            raise ValueError("nodes that are not told by whole numbers")
    kinds = joined["kinds"].astype(np.int64)
    if (kinds & (CATEGORICAL | ZERO_IS_MISSING)).any():
        raise ValueError("nodes that are not understood")
    # Where training saw nothing missing, nan counts as 0.
    counts = (kinds & NAN_IS_MISSING) > 0
    trees = Trees(
        np.array(roots, np.int64),
        joined["columns"].astype(np.int64),
        joined["thresholds"],
        np.where(counts, (kinds & DEFAULT_LEFT) > 0, joined["thresholds"] >= 0),
        joined["gains"],
        np.stack([joined["right"], joined["left"]], axis=1).astype(np.int64),
        joined["leaves"],
    )
    lines = (line for line in header.split("\n") if line.startswith("max_feature_idx="))
    check_trees(trees, int(next(lines, "=-1").split("=")[1]))
    return trees


def check_trees(trees: Trees, widest: int) -> None:
    """Refuse what a walk would not come back from, or look for outside of the model.

    Args:
        trees: of one model, whatever their shapes.
        widest: the last column there is.

    Raises:
        ValueError: there is such a thing.
    """
    nodes, leaves, roots = np.arange(len(trees.columns)), len(trees.leaves), trees.roots
    same = {trees.thresholds.shape, trees.missing_left.shape, trees.gains.shape, nodes.shape}
    if len(same) > 1 or trees.children.shape != (len(nodes), 2):
        raise ValueError("arrays that do not fit together")
    if len(nodes) and not (trees.columns.min() >= 0 and trees.columns.max() <= widest):
        raise ValueError(f"a split by another column than 0 to {widest}")
    if not (np.isfinite(trees.leaves).all() and np.isfinite(trees.gains).all()):
        raise ValueError("leaves or gains that are not finite")
    if np.isnan(trees.thresholds).any():
        raise ValueError("a threshold that is no number")
    # Where each node's tree ends; children stand behind their parents, so no walk is endless.
    starts = np.sort(roots[roots >= 0])
    ends = np.append(starts, len(nodes))[np.searchsorted(starts, nodes, "right")][:, None]
    children = trees.children
    outside = (children >= 0) & ((children <= nodes[:, None]) | (children >= ends))
    if (outside | (children < -leaves)).any():
        raise ValueError("a child that is no node behind its parent")
    # A node with two parents would be reached twice, and its leaves doubled at each level.
    inner = np.sort(np.append(children[children >= 0], starts))
    outer = np.sort(np.append(-1 - children[children < 0], -1 - roots[roots < 0]))
    if not (np.array_equal(inner, nodes) and np.array_equal(outer, np.arange(leaves))):
        raise ValueError("nodes or leaves that not just one way leads to")


_KEYS = "split_feature split_gain threshold decision_type left_child right_child leaf_value"
KEYS = _KEYS.split()
"""Of a tree's block, in the order of the fields above."""
