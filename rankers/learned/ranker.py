"""The ranker ``learned``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from lexsub import models
from lexsub.datasets import Dataset, Item
from lexsub.errors import LexsubError, MissingExtraError
from lexsub.languages import language_of
from lexsub.parts.base import RANKERS, Explained, FeatureFamily, Ranker
from lexsub.parts.build import build_part
from lexsub.parts.limits import Natural
from lexsub.rankers.explained import JointScorer
from lexsub.rankers.learned.features.rankings import FirstFeatures
from lexsub.rankers.learned.matrix import FAMILIES, Columns, Families, Matrix
from lexsub.rankers.learned.model import FILE, Model, open_columns, open_model, read_header
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.digests import FILE as DIGESTS

EXPLAINED = 12
"""Features that explain a score."""


@dataclass(frozen=True)
class Learned(Ranker):
    """Order candidates as a model of kind ``learned`` does.

    Every item is ranked by a part of the model that has not seen its target.

    Attributes:
        model: name of a model in the config's ``[models]``, or a model's folder; or a model that
            ``lexsub model list`` names, whose system ranks with a learned one.
        otherwise: a model that stands in where a library that the first one needs is not
            installed; "" for none.
        first: so many candidates have the values of a model's families ``first``, in place of the
            number that it was trained with; 0 for that.  More takes longer, and finds what the
            cheaper ranker put further behind.
    """

    model: str = "learned"
    otherwise: str = ""
    first: Natural = 0

    needs_gold: ClassVar[bool] = False

    def families(self, resources: Resources) -> dict[str, FeatureFamily]:
        """Return the feature families of the model by label; none of one that brings its own."""
        if self._whole(resources) is not None:
            # These families read the model's own folder: the run does not compute them beforehand.
            return {}
        return dict(self._with_first(self._columns(resources)).families)

    def _columns(self, resources: Resources) -> Columns:
        """Return what the model's features are, as it was trained with them."""
        folder = resources.model(self.model, "learned")
        columns = open_columns(read_header(folder), folder / FILE)
        if self.model not in resources.models:
            # Whoever asks may open them as its own: what a strange folder names is looked at here.
            for family in columns.families.values():
                family.inputs(resources.strange())
        return columns

    def ranks_with(self) -> str:
        """Return the model's name."""
        return self.model

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the model's folder, and what its families read."""
        whole = self._whole(resources)
        if whole is not None:
            self._inside(whole).inputs(whole.resources(resources))  # parts that have a say
            return [whole.folder / DIGESTS]
        families = self._columns(resources).families.values()
        files = [path for family in families for path in family.inputs(resources)]
        if self.otherwise:
            files += self.stand_in().inputs(resources)
        return list(dict.fromkeys([resources.model(self.model, "learned"), *files]))

    def stand_in(self) -> Learned:
        """Return the ranker that stands in for this one."""
        return Learned(self.otherwise)

    def open(self, resources: Resources, data: Dataset) -> LearnedScorer:
        """Open the model; see :meth:`open_sharing`."""
        return self.open_sharing(resources, data, {})

    def open_sharing(
        self, resources: Resources, data: Dataset, shared: dict[str, Any]
    ) -> LearnedScorer:
        """Open the model.

        Args:
            resources: where the model is.
            data: what is ranked.
            shared: opened families, for and from rankers beside this one.

        Raises:
            LexsubError: there is none, it is damaged, its features are not ours, or all of it was
                trained on these data.
        """
        whole = self._whole(resources)
        if whole is not None:
            inside = whole.resources(resources)
            if models.FORMS in inside.paths:
                language_of(inside.language).use_forms(inside.paths[models.FORMS])
            return self._inside(whole).open(inside, data)
        model = open_model(resources.model(self.model, "learned"))
        if self.model not in resources.models:
            resources = resources.strange()
        if model.header.whole and data.name in model.header.training:
            raise LexsubError(
                f"model {self.model} was trained on {data.name}, and no part of it was not: score "
                "it on other data"
            )
        families = shared.setdefault(FAMILIES, Families(resources, data.name))
        if self.otherwise:
            try:
                for family in model.columns.families.values():
                    families.open(family)
            except MissingExtraError as missing:
                _say_once(f"{missing}; until then {self.otherwise} ranks in place of {self.model}")
                stand_in = self.stand_in().open_sharing(resources, data, shared)
                return replace(stand_in, stands_in=True)
        return LearnedScorer(model, Matrix(self._with_first(model.columns), families))

    def _with_first(self, columns: Columns) -> Columns:
        """Return columns whose families ``first`` are asked about as many as ``first`` says."""
        families = {
            label: replace(family, first=self.first)
            if self.first and isinstance(family, FirstFeatures)
            else family
            for label, family in columns.families.items()
        }
        return replace(columns, families=families)

    def _whole(self, resources: Resources) -> models.Model | None:
        """Return the model that brings all that it reads, None for one of the run's own."""
        if self.model in resources.models or (Path(self.model) / FILE).is_file():
            return None
        if self.model in models.known_models() or (Path(self.model) / models.FILE).is_file():
            return models.open_model(models.find_model(self.model))
        return None

    def _inside(self, whole: models.Model) -> Learned:
        ranker = build_part(RANKERS, whole.system["ranker"], f"{whole.folder}: ranker")
        if not isinstance(ranker, Learned):
            raise LexsubError(f"model {whole.name} ranks by {ranker!r}; expected a learned ranker")
        return replace(ranker, first=self.first) if self.first else ranker


@cache
def _say_once(line: str) -> None:
    print(f"lexsub: {line}", file=sys.stderr)


@dataclass(frozen=True)
class LearnedScorer(JointScorer):
    """The working ranker.

    Attributes:
        model: the opened model.
        matrix: its features.
        stands_in: whether it stands in for one that needs what is not installed.
    """

    model: Model
    matrix: Matrix
    stands_in: bool = False

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the score of each candidate."""
        if not candidates:
            return []
        part = self.model.part_for(item)
        result: list[float] = part.predict(self.matrix.of(item, candidates)).tolist()
        return result

    def reasons(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[Sequence[str]]:
        """Return for each candidate what speaks for it, in words."""
        return self.matrix.reasons(item, candidates)

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return scores, and the features that the trees gain most by, that one first."""
        if not candidates:
            return [], {}
        raw = self.matrix.raw(item, candidates)
        scores = self.model.part_for(item).predict(self.matrix.compared(raw))
        names, strongest = self.model.columns.names, self.model.strongest(item)[:EXPLAINED]
        return scores.tolist(), {names[column]: raw[:, column].tolist() for column in strongest}
