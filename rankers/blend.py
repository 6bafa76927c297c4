"""Several rankers' scores, added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar

import numpy as np
from annotated_types import MinLen
from numpy.typing import NDArray

from lexsub.datasets import Dataset, Item
from lexsub.parts.base import Explained, FeatureFamily, Ranker, Scorer
from lexsub.rankers.explained import ExplainedScorer
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class Blend(Ranker):
    """Order candidates by the weighted sum of several rankers' scores.

    The scores of a ranker are set to a mean of 0 and a deviation of 1 over an item's candidates;
    one that cannot tell them apart says nothing.

    Attributes:
        rankers: names or tables; none that looks at the gold.
        weights: one a ranker; without them all weigh 1.
    """

    rankers: Annotated[tuple[Ranker, ...], MinLen(1)]
    weights: tuple[float, ...] = ()

    needs_gold: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights and len(self.weights) != len(self.rankers):
            raise ValueError(
                f"{len(self.weights)} weights; expected one for each of {len(self.rankers)} rankers"
            )
        if not np.isfinite(self.weights).all():
            raise ValueError("weights must be finite")
        if any(one.needs_gold for one in self.rankers):
            raise ValueError("a ranker looks at the gold")

    def families(self, resources: Resources) -> dict[str, FeatureFamily]:
        """Return the feature families of all rankers."""
        return {
            f"{number}.{label}": family
            for number, one in enumerate(self.rankers)
            for label, family in one.families(resources).items()
        }

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Open all rankers; learned ones share their features."""
        shared: dict[str, Any] = {}
        scorers = [one.open_sharing(resources, data, shared) for one in self.rankers]
        weights = self.weights or (1.0,) * len(scorers)
        return ExplainedScorer(partial(blended, scorers, weights))


def blended(
    scorers: Sequence[Scorer], weights: Sequence[float], item: Item, candidates: Sequence[Candidate]
) -> Explained:
    """Return the weighted sums of some rankers' scores, and what each adds, by its place."""
    added = [
        weight * standard(np.asarray(scorer.scores(item, candidates), np.float64))
        for scorer, weight in zip(scorers, weights, strict=True)
    ]
    # Added one by one: a sum over an axis adds in another order for another number of rows.
    total = sum(added[1:], added[0])
    return total.tolist(), {str(n): one.tolist() for n, one in enumerate(added, 1)}


def standard(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores with mean 0 and deviation 1, zeros where all are the same."""
    spread = scores.std() if len(scores) else 0.0
    # Equal scores leave a deviation of rounding noise.
    if spread <= 1e-12 * np.abs(scores).max(initial=0.0):
        return np.zeros(len(scores))
    standardised: NDArray[np.float64] = (scores - scores.mean()) / spread
    return standardised
