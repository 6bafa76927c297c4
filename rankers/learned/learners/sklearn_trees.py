"""The trees of scikit-learn's histogram gradient boosting, which it shows to nobody.

What is not public in scikit-learn is touched here alone; tests/test_adapters.py checks that it
is as we know it, and names the version it was seen with.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.rankers.learned.learners.trees import TYPES, Trees

PREDICTOR = "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor"
"""The class of a tree, as a model file names it."""


def trees_of(model: Any) -> Iterator[NDArray[Any]]:
    """Yield the nodes of each tree of a model, in the order of training."""
    for trees in model._predictors:
        for tree in trees:
            yield tree.nodes


def check_trees(model: Any) -> None:
    """Refuse what the library's loop would not come back from, or look for outside of a tree.

    Raises:
        Exception: of any kind, where there is such a thing.
    """
    wanted = import_module("sklearn.ensemble._hist_gradient_boosting.common")
    for nodes in trees_of(model):
        if nodes.dtype != wanted.PREDICTOR_RECORD_DTYPE or nodes.ndim != 1 or not len(nodes):
            raise ValueError("a tree without nodes")
        at = np.flatnonzero(nodes["is_leaf"] == 0)
        inner = nodes[at]
        columns = inner["feature_idx"]
        if ((columns < 0) | (columns >= model.n_features_in_)).any():
            raise ValueError("a split by a column that is none")
        for side in ("left", "right"):
            # Children stand behind their parents, so no walk is endless.
            if ((inner[side] <= at) | (inner[side] >= len(nodes))).any():
                raise ValueError("a child that is no node behind its parent")
        if inner["is_categorical"].any() or not np.isfinite(nodes["value"]).all():
            raise ValueError("a split by classes, or a value that is not finite")
    if not np.isfinite(model.predict(np.zeros((1, model.n_features_in_)))).all():
        raise ValueError("scores that are not finite")


def plain_trees(model: Any) -> Trees:
    """Return the trees of a model as plain arrays, the first a leaf alone: the baseline."""
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
        children = np.stack([number[inner["right"]], number[inner["left"]]], axis=1)
        values = (inner["feature_idx"], inner["num_threshold"], inner["missing_go_to_left"],
                  inner["gain"], children, nodes["value"][leaf])  # fmt: skip
        for name, array in zip(parts, values, strict=True):
            parts[name].append(array)
        inner_before, leaves_before = inner_before + len(inner), leaves_before + int(leaf.sum())
    joined: dict[str, Any] = {
        name: np.concatenate(arrays).astype(TYPES[name]) for name, arrays in parts.items()
    }
    return Trees(roots=np.array(roots, np.int64), **joined)
