"""LightGBM's LambdaMART."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray

from lexsub.errors import FormatError, needing
from lexsub.parts.limits import AboveZero, NotNegative, Positive
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

    trees: Annotated[Positive, Le(100_000)] = 300
    rate: AboveZero = 0.05
    leaves: Annotated[int, Ge(2), Le(100_000)] = 31
    leaf: Positive = 40
    columns: Annotated[AboveZero, Le(1)] = 0.4
    rows: Annotated[AboveZero, Le(1)] = 0.7
    l2: NotNegative = 1.0
    truncation: Positive = 15
    grades: Positive = 20
    models: Annotated[Positive, Le(1_000)] = 1
    objective: Literal["order", "root"] = "order"

    extras = (("lightgbm", *NEEDS),)

    def prepare(self, examples: Examples) -> tuple[Examples, Any]:
        """Sort values into bins, once for all: their borders come from all items.

        Raises:
            MissingExtraError: LightGBM is not installed.
        """
        if self.objective == "root":
            labels, group = np.sqrt(examples.shares), None
        else:
            labels, group = np.rint(self.grades * examples.shares).astype(int), examples.sizes
        given = {"label": labels, "group": group, "weight": examples.row_weights()}
        data = _lightgbm().Dataset(examples.values, **given, params=self._options(0))
        return examples, data.construct()

    def fit(
        self, shared: tuple[Examples, Any], items: NDArray[np.int64], seed: int
    ) -> LambdaRankModel:
        """Learn; see :class:`lexsub.rankers.learned.learners.Learner`."""
        examples, data = shared
        chosen = data.subset(examples.rows(items))
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
