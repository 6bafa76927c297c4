"""One feature alone as a ranker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset
from lexsub.features import FEATURES, Extractor
from lexsub.items import Item
from lexsub.parts import inner
from lexsub.rankers.explained import ExplainedScorer
from lexsub.rankers.registry import RANKERS
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@RANKERS.register("feature")
@dataclass(frozen=True)
class OneFeature:
    """Order candidates by one feature of a family: a cosine of ``vectors``, a share of ``votes``.

    What has no value stands behind all others, in the source's order.

    Attributes:
        family: the feature family, a name or a table.
        feature: name of the feature, as ``target``; more is better.
    """

    family: str | dict[str, Any]
    feature: str

    made = inner(FEATURES, "family")

    needs_gold: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.column()

    def column(self) -> int:
        """Return the place of the feature in its family.

        Raises:
            ValueError: there is none of that name.
        """
        names = [feature.name for feature in self.made().features()]
        if self.feature not in names:
            raise ValueError(f"feature {self.feature!r} is none of {', '.join(names)}")
        return names.index(self.feature)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the files of the family."""
        return self.made().inputs(resources)

    def open(self, resources: Resources, data: Dataset) -> FeatureScorer:
        """Open the family."""
        del data
        names = tuple(feature.name for feature in self.made().features())
        return FeatureScorer(self.made().open(resources), names, self.column())


@dataclass(frozen=True)
class FeatureScorer(ExplainedScorer):
    """The working ranker."""

    extractor: Extractor
    names: tuple[str, ...]
    column: int

    def explained(
        self, item: Item, candidates: Sequence[Candidate]
    ) -> tuple[Sequence[float], Mapping[str, Sequence[float]]]:
        """Return the feature, and all of its family."""
        values = self.extractor.values(item, candidates).astype(np.float64)
        scores: NDArray[np.float64] = values[:, self.column].copy()
        unknown = np.flatnonzero(np.isnan(scores))
        scores[unknown] = np.nanmin(scores, initial=0.0) - 1 - np.arange(len(unknown))
        return scores.tolist(), dict(zip(self.names, values.T.tolist(), strict=True))
