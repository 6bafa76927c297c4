"""scikit-learn's histogram gradient boosting: the learner that always works.

What is not public in scikit-learn is touched in ``trees_of`` and ``plain_trees`` alone;
tests/test_adapters.py checks that it is as we know it, and names the version it was seen with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray

from lexsub.errors import needing
from lexsub.parts.limits import AboveZero, NotNegative, Positive
from lexsub.rankers.learned.learners import Examples, Learner
from lexsub.rankers.learned.learners.forest import PackedModel, load_packed
from lexsub.rankers.learned.learners.trees import TYPES, Trees, check_trees

NEEDS = ("scikit-learn", "learn", "learner histogram")
"""A library, the extra that brings it, and what wants it."""


@dataclass(frozen=True)
class Histogram(Learner):
    """Regression on the share of the human answers (HistGradientBoostingRegressor).

    Models are kept as arrays of their trees; scikit-learn has no plain format of its own.

    Attributes:
        trees: boosting rounds.
        rate: learning rate.
        leaves: leaves a tree at most.
        leaf: candidates a leaf at least.
        l2: penalty on leaf values.
        columns: share of the columns tried at each split.
        models: models whose scores are averaged, each from another seed.
    """

    trees: Annotated[Positive, Le(100_000)] = 300
    rate: AboveZero = 0.06
    leaves: Annotated[int, Ge(2), Le(100_000)] = 31
    leaf: Positive = 40
    l2: NotNegative = 1.0
    columns: Annotated[AboveZero, Le(1)] = 0.4
    models: Annotated[Positive, Le(1_000)] = 1

    extras = (("sklearn", *NEEDS),)

    def prepare(self, examples: Examples) -> Examples:
        """Return the examples: scikit-learn keeps no bins from one model to the next.

        Raises:
            MissingExtraError: scikit-learn is not installed.
        """
        _sklearn()
        return examples

    def fit(self, shared: Examples, items: NDArray[np.int64], seed: int) -> PackedModel:
        """Learn; see :class:`lexsub.rankers.learned.learners.Learner`."""
        ensemble, limits = _sklearn()
        rows = shared.rows(items)
        # An item with many gold answers should not count for less than one with a single one.
        target = (shared.shares / np.maximum(_most(shared), 1e-9))[rows]
        weights = shared.row_weights()
        with limits(1):
            model = ensemble.HistGradientBoostingRegressor(
                max_iter=self.trees,
                learning_rate=self.rate,
                max_leaf_nodes=self.leaves,
                min_samples_leaf=self.leaf,
                l2_regularization=self.l2,
                max_features=self.columns,
                early_stopping=False,
                random_state=seed,
            ).fit(
                known_columns(shared.values[rows]),
                target,
                sample_weight=None if weights is None else weights[rows],
            )
        return PackedModel(Path(), [plain_trees(model)], widest=shared.values.shape[1] - 1)

    def join(self, models: Sequence[Any]) -> PackedModel:
        """Put models side by side."""
        trees = [one for model in models for one in model.trees]
        return PackedModel(Path(), trees, widest=models[0].widest)

    def load(self, path: Path) -> PackedModel:
        """Read a model; see :class:`lexsub.rankers.learned.learners.Learner`."""
        return load_packed(path, "train the model again")


def _sklearn() -> tuple[Any, Any]:
    with needing(*NEEDS):
        ensemble = import_module("sklearn.ensemble")
        return ensemble, import_module("threadpoolctl").threadpool_limits


def known_columns(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Make columns of which next to nothing is known constant.

    scikit-learn finds no borders for a column without any number; no leaf could rest on a few.
    """
    unknown = (~np.isnan(values)).sum(axis=0) < KNOWN
    return np.where(unknown, np.float32(0), values) if unknown.any() else values


KNOWN = 20
"""Values that a column must hold to be looked at."""


def _most(examples: Examples) -> NDArray[np.float64]:
    starts = np.concatenate([[0], np.cumsum(examples.sizes)[:-1]]).astype(np.int64)
    most = np.maximum.reduceat(examples.shares, starts)
    return np.repeat(most, examples.sizes)


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
        names = ("feature_idx", "num_threshold", "missing_go_to_left", "gain")
        values = (*(inner[name] for name in names), children, nodes["value"][leaf])
        for name, array in zip(parts, values, strict=True):
            parts[name].append(array)
        inner_before, leaves_before = inner_before + len(inner), leaves_before + int(leaf.sum())
    joined: dict[str, Any] = {
        name: np.concatenate(arrays).astype(TYPES[name]) for name, arrays in parts.items()
    }
    trees = Trees(roots=np.array(roots, np.int64), **joined)
    check_trees(trees, model.n_features_in_ - 1)
    return trees
