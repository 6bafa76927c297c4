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
