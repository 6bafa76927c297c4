"""The trees of scikit-learn's histogram gradient boosting, which it shows to nobody.

What is not public in scikit-learn is touched here alone; tests/test_adapters.py checks that it
is as we know it, and names the version it was seen with.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.rankers.learned.learners.trees import TYPES, Trees, check_trees


def trees_of(model: Any) -> Iterator[NDArray[Any]]:
    """Yield the nodes of each tree of a model, in the order of training."""
    for trees in model._predictors:
        for tree in trees:
            yield tree.nodes


def plain_trees(model: Any) -> Trees:
    """Return the trees of a model as plain arrays, the first a leaf alone: the baseline.

    Raises:
        ValueError: they are not what our own loops can walk.
    """
    first = float(model._baseline_prediction.ravel()[0])
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in TYPES if name != "roots"}
    parts["leaves"].append(np.array([first]))
    roots, inner_before, leaves_before = [-1], 0, 1
    for nodes in trees_of(model):
        leaf = nodes["is_leaf"] == 1
        # Nodes and leaves are counted apart: a node's number, or -1 - leaf.
        number = np.where(
            leaf, -1 - leaves_before - (np.cumsum(leaf) - 1), inner_before + np.cumsum(~leaf) - 1
        )
        roots.append(int(number[0]))
        inner = nodes[~leaf]
        if inner["is_categorical"].any() or not np.isfinite(nodes["value"]).all():
            raise ValueError("a split by classes, or a value that is not finite")
        children = np.stack([number[inner["right"]], number[inner["left"]]], axis=1)
        values = (inner["feature_idx"], inner["num_threshold"], inner["missing_go_to_left"],
                  inner["gain"], children, nodes["value"][leaf])  # fmt: skip
        for name, array in zip(parts, values, strict=True):
            parts[name].append(array)
        inner_before, leaves_before = inner_before + len(inner), leaves_before + int(leaf.sum())
    joined: dict[str, Any] = {
        name: np.concatenate(arrays).astype(TYPES[name]) for name, arrays in parts.items()
    }
    trees = Trees(roots=np.array(roots, np.int64), **joined)
    check_trees(trees, model.n_features_in_ - 1)
    return trees
