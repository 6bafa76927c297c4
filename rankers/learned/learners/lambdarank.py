"""LightGBM's LambdaMART."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError, needing
from lexsub.files import read_text, write_text
from lexsub.rankers.learned.learners.bits import Forest
from lexsub.rankers.learned.learners.registry import LEARNERS, Examples
from lexsub.rankers.learned.learners.trees import parse_trees


@LEARNERS.register("lambdarank")
@dataclass(frozen=True)
class LambdaRank:
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
            examples.values, label=labels, group=group, weight=examples.row_weights(),
            params=self._options(0),
        )  # fmt: skip
        return Binned(examples, data.construct())

    def fit(self, shared: Binned, items: NDArray[np.int64], seed: int) -> LambdaRankModel:
        """Learn; see :class:`lexsub.rankers.learned.learners.registry.Learner`."""
        chosen = shared.data.subset(shared.examples.rows(items))
        return LambdaRankModel([_lightgbm().train(self._options(seed), chosen, self.trees)])

    def join(self, models: Sequence[Any]) -> LambdaRankModel:
        """Put models side by side."""
        return LambdaRankModel([one for model in models for one in model.models])

    def _options(self, seed: int) -> dict[str, Any]:
        ordering = {
            "objective": "lambdarank", "lambdarank_truncation_level": self.truncation,
            "label_gain": [float(gain) for gain in range(self.grades + 1)],
        }  # fmt: skip
        aim = ordering if self.objective == "order" else {"objective": "regression"}
        return aim | {
            "learning_rate": self.rate, "num_leaves": self.leaves,
            "min_data_in_leaf": self.leaf, "feature_fraction": self.columns,
            "bagging_fraction": self.rows, "bagging_freq": 1, "lambda_l2": self.l2,
            "deterministic": True, "force_row_wise": True, "num_threads": 1,
            "seed": seed, "verbosity": -1,
        }  # fmt: skip

    def load(self, path: Path) -> LoadedModel:
        """Read a model; see :class:`lexsub.rankers.learned.learners.registry.Learner`."""
        text = read_text(path)
        try:
            trees = [parse_trees(one) for one in text.split(BORDER)]
            return LoadedModel(path, trees, text=text)
        except (ValueError, KeyError, IndexError) as error:
            raise FormatError(path, None, f"is no model of LightGBM ({error})") from error


BORDER = "\n=== next model ===\n"


@dataclass(frozen=True)
class Binned:
    """Examples as LightGBM keeps them."""

    examples: Examples
    data: Any


@dataclass(frozen=True)
class LambdaRankModel:
    """Trained models."""

    models: list[Any]

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the mean of the models' scores."""
        scores: NDArray[np.float64] = np.mean(
            [model.predict(values, num_threads=1) for model in self.models], axis=0
        )
        return scores

    def gains(self, columns: int) -> NDArray[np.float64]:
        """Return the sum over all splits of all models, shape (columns,)."""
        gains: NDArray[np.float64] = np.sum(
            [model.feature_importance("gain")[:columns] for model in self.models], axis=0
        )
        return gains

    def save(self, path: Path) -> None:
        """Write the models as text, one behind the other."""
        write_text(path, BORDER.join(model.model_to_string() for model in self.models))


@dataclass
class LoadedModel(Forest):
    """Models read from LightGBM's text.

    Attributes:
        text: what the file holds.
    """

    text: str = ""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the mean of the models' scores."""
        mean: NDArray[np.float64] = np.mean(self.each(values), axis=0)
        return mean

    def save(self, path: Path) -> None:
        """Write the models as they were read."""
        write_text(path, self.text)


def _lightgbm() -> Any:
    with needing("lightgbm", "lightgbm", "learner lambdarank"):
        return import_module("lightgbm")
