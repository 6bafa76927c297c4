"""One feature alone as a ranker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset, Item
from lexsub.parts.base import Explained, Extractor, FeatureFamily, Ranker
from lexsub.rankers.explained import ExplainedScorer
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class OneFeature(Ranker):
    """Order candidates by one feature of a family: a cosine of ``vectors``, a share of ``votes``.

    What has no value stands behind all others, in the source's order.

    Attributes:
        family: the feature family, a name or a table.
        feature: name of the feature, as ``target``; more is better.
    """

    family: FeatureFamily
    feature: str

    needs_gold: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.feature not in self.names():
            raise ValueError(f"feature {self.feature!r} is none of {', '.join(self.names())}")

    def names(self) -> list[str]:
        """Return the names of the family's features."""
        return [feature.name for feature in self.family.features()]

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Open the family; what explains a score is all that it says."""
        return ExplainedScorer(partial(self._explained, self.family.open(resources), self.names()))

    def _explained(
        self, family: Extractor, names: list[str], item: Item, candidates: Sequence[Candidate]
    ) -> Explained:
        values = family.values(item, candidates).astype(np.float64)
        scores: NDArray[np.float64] = values[:, names.index(self.feature)].copy()
        unknown = np.flatnonzero(np.isnan(scores))
        scores[unknown] = np.nanmin(scores, initial=0.0) - 1 - np.arange(len(unknown))
        return scores.tolist(), dict(zip(names, values.T.tolist(), strict=True))
