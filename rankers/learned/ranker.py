"""The ranker ``learned``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lexsub.datasets import Dataset
from lexsub.features import FeatureFamily
from lexsub.items import Item
from lexsub.rankers.learned.matrix import Floats, Matrix
from lexsub.rankers.learned.model import FILE, Model, open_columns, open_model, read_header
from lexsub.rankers.model_folders import model_folder
from lexsub.rankers.registry import RANKERS
from lexsub.rankings import Candidate
from lexsub.resources import Resources

EXPLAINED = 12
"""Features that explain a score."""


@RANKERS.register("learned")
@dataclass(frozen=True)
class Learned:
    """Order candidates as a model of kind ``learned`` does.

    Every item is ranked by a part of the model that has not seen its target.

    Attributes:
        model: name of a model in the config's ``[models]``, or a model's folder.
    """

    model: str = "learned"

    needs_gold: ClassVar[bool] = False
    needs_features: ClassVar[bool] = True

    def families(self, resources: Resources) -> dict[str, FeatureFamily]:
        """Return the feature families of the model by label."""
        folder = model_folder(resources, self.model, "learned")
        return dict(open_columns(read_header(folder), folder / FILE).families)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the model's folder, and what its families read."""
        families = self.families(resources).values()
        files = [path for family in families for path in family.inputs(resources)]
        return list(dict.fromkeys([model_folder(resources, self.model, "learned"), *files]))

    def open(self, resources: Resources, data: Dataset) -> LearnedScorer:
        """Open the model.

        Raises:
            LexsubError: there is none, it is damaged, or its features are not ours.
        """
        model = open_model(model_folder(resources, self.model, "learned"))
        return LearnedScorer(model, Matrix.open(model.columns, resources, data))


@dataclass(frozen=True)
class LearnedScorer:
    """The working ranker."""

    model: Model
    matrix: Matrix

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the score of each candidate."""
        if not candidates:
            return []
        part = self.model.part_for(item)
        result: list[float] = part.predict(self.matrix.of(item, candidates)).tolist()
        return result

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return the features that the trees gain most by, that one first."""
        return self._explained(self.matrix.raw(item, candidates), item)

    def explained(
        self, item: Item, candidates: Sequence[Candidate]
    ) -> tuple[Sequence[float], Mapping[str, Sequence[float]]]:
        """Return scores and parts."""
        if not candidates:
            return [], {}
        raw = self.matrix.raw(item, candidates)
        scores = self.model.part_for(item).predict(self.matrix.compared(raw))
        return scores.tolist(), self._explained(raw, item)

    def _explained(self, raw: Floats, item: Item) -> Mapping[str, Sequence[float]]:
        strongest = self.model.strongest(item)[:EXPLAINED]
        return {self.model.columns.names[column]: raw[:, column].tolist() for column in strongest}
