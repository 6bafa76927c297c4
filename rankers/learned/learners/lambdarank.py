"""LightGBM's LambdaMART."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError, look_for, needing
from lexsub.rankers.learned.learners import Examples, Learner
from lexsub.rankers.learned.learners.forest import Forest
from lexsub.rankers.learned.learners.trees import parse_trees
from lexsub.storage.files import read_text, write_text

NEEDS = ("lightgbm", "lightgbm", "learner lambdarank")
"""A library, the extra that brings it, and what wants it."""


@dataclass(frozen=True)
class LambdaRank(Learner):
    """LambdaMART (Burges, 2010) by LightGBM; models are kept in its own text format.

    Attributes:
        trees: boosting rounds.
        rate: learning rate.
        leaves: leaves a tree at most.
        leaf: candidates a leaf at least.
        columns: share of the columns tried for each tree.
        rows: share of the candidates tried for each tree.
        l2: penalty on leaf values.
        truncation: pairs count where one of the two is ranked so high.
        grades: the gain of a candidate is grades × its share of the answers, rounded.
        models: models whose scores are averaged, each from another seed.
        objective: ``order`` learns which of two candidates is better (LambdaMART); ``root`` the
            square root of a candidate's share of the answers, which says more of the tail; then
            truncation and grades play no part.
    """

    trees: int = 300
    rate: float = 0.05
    leaves: int = 31
    leaf: int = 40
    columns: float = 0.4
    rows: float = 0.7
    l2: float = 1.0
    truncation: int = 15
    grades: int = 20
    models: int = 1
    objective: Literal["order", "root"] = "order"

    def __post_init__(self) -> None:
        counts = (self.trees, self.leaf, self.models, self.truncation, self.grades)
        if min(counts) < 1 or self.leaves < 2:
            raise ValueError(
                "trees, leaf, models, truncation and grades must be at least 1, leaves at least 2"
            )
        if not (0 < self.columns <= 1 and 0 < self.rows <= 1) or self.rate <= 0 or self.l2 < 0:
            raise ValueError("expected columns and rows in (0, 1], rate above 0, l2 of 0 or more")

    def check_extras(self) -> None:
        """Look for its library."""
        look_for("lightgbm", *NEEDS)

    def prepare(self, examples: Examples) -> Binned:
        """Sort values into bins, once for all: their borders come from all items.

        Raises:
            MissingExtraError: LightGBM is not installed.
        """
        if self.objective == "root":
            labels, group = np.sqrt(examples.shares), None
        else:
            labels, group = np.rint(self.grades * examples.shares).astype(int), examples.sizes
        data = _lightgbm().Dataset(
            examples.values,
            label=labels,
            group=group,
            weight=examples.row_weights(),
            params=self._options(0),
        )
        return Binned(examples, data.construct())

    def fit(self, shared: Binned, items: NDArray[np.int64], seed: int) -> LambdaRankModel:
        """Learn; see :class:`lexsub.rankers.learned.learners.Learner`."""
        chosen = shared.data.subset(shared.examples.rows(items))
        model = _lightgbm().train(self._options(seed), chosen, self.trees)
        return read_models(Path(), model.model_to_string())

    def join(self, models: Sequence[Any]) -> LambdaRankModel:
        """Put models side by side."""
        trees = [one for model in models for one in model.trees]
        return LambdaRankModel(Path(), trees, text=BORDER.join(model.text for model in models))

    def _options(self, seed: int) -> dict[str, Any]:
        ordering = {
            "objective": "lambdarank",
            "lambdarank_truncation_level": self.truncation,
            "label_gain": [float(gain) for gain in range(self.grades + 1)],
        }
        aim = ordering if self.objective == "order" else {"objective": "regression"}
        return aim | {
            "learning_rate": self.rate,
            "num_leaves": self.leaves,
            "min_data_in_leaf": self.leaf,
            "feature_fraction": self.columns,
            "bagging_fraction": self.rows,
            "bagging_freq": 1,
            "lambda_l2": self.l2,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 1,
            "seed": seed,
            "verbosity": -1,
        }

    def load(self, path: Path) -> LambdaRankModel:
        """Read a model; see :class:`lexsub.rankers.learned.learners.Learner`."""
        return read_models(path, read_text(path))


BORDER = "\n=== next model ===\n"


@dataclass(frozen=True)
class Binned:
    """Examples as LightGBM keeps them."""

    examples: Examples
    data: Any


@dataclass
class LambdaRankModel(Forest):
    """Models as LightGBM writes them.

    Attributes:
        text: of them all, one behind the other.
    """

    text: str = ""

    def save(self, path: Path) -> None:
        """Write the text."""
        write_text(path, self.text)


def read_models(path: Path, text: str) -> LambdaRankModel:
    """Read models from LightGBM's text.

    Raises:
        FormatError: it is none; names the file that it is from.
    """
    try:
        trees = [parse_trees(one) for one in text.split(BORDER)]
        return LambdaRankModel(path, trees, text=text)
    except (ValueError, KeyError, IndexError) as error:
        raise FormatError(path, None, f"is no model of LightGBM ({error})") from error


def _lightgbm() -> Any:
    with needing(*NEEDS):
        return import_module("lightgbm")
