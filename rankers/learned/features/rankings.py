"""What another ranker thinks of a candidate; another family's features, of the first alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset, Gold, Item
from lexsub.parts.base import Extractor, Feature, FeatureFamily, Ranker, Scorer
from lexsub.parts.checked import ByItem
from lexsub.parts.limits import Positive
from lexsub.rankers.baselines import Order
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class FirstFeatures(FeatureFamily):
    """The features of a family that takes long, for the first candidates of a cheaper ranking.

    The others have no values.

    Attributes:
        family: the family, a name or a table.
        first: so many candidates have values.
        ranker: the cheaper ranker by which they are the first, a name or a table; none that looks
            at the gold.
    """

    family: FeatureFamily
    first: Positive = 30
    ranker: Ranker = field(default_factory=Order)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ranker.needs_gold:
            raise ValueError("ranker looks at the gold, which no feature may")

    def features(self) -> Sequence[Feature]:
        """Return the family's features."""
        return self.family.features()

    def open(self, resources: Resources) -> FirstExtractor:
        """Open both."""
        return self.open_beside(resources, {})

    def open_beside(self, resources: Resources, shared: dict[str, Any]) -> FirstExtractor:
        """Open both; the ranker asks families that are opened already."""
        nothing = Dataset("", (), Gold("", {}), language=resources.language)
        cheaper = self.ranker.open_sharing(resources, nothing, shared)
        width = len(self.features())
        return FirstExtractor(self.family.open(resources), cheaper, self.first, width)


@dataclass(frozen=True)
class FirstExtractor(Extractor):
    """The working family."""

    dear: Extractor
    cheaper: Scorer
    first: int
    width: int

    def prepare(self, items: Sequence[Item]) -> None:
        """Let the family do together what it can."""
        self.dear.prepare(items)

    def values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Return the features, NaN for all candidates but the first."""
        found = np.full((len(candidates), self.width), np.nan, np.float32)
        asked = self._asked(item, candidates)
        if asked:
            found[asked] = self.dear.values(item, [candidates[place] for place in asked])
        return found

    def reasons(self, item: Item, candidates: Sequence[Candidate]) -> list[Sequence[str]]:
        """Return what the family says of the first candidates, nothing of the others."""
        told = self.dear.reasons(item, candidates)
        # Which are the first is asked only of a family that has something to say.
        asked = {*self._asked(item, candidates)} if any(told) else set()
        return [one if place in asked else () for place, one in enumerate(told)]

    def _asked(self, item: Item, candidates: Sequence[Candidate]) -> list[int]:
        cheap = np.array(self.cheaper.scores(item, candidates), np.float64)
        # In their own order, not by rank: what is asked does not depend on scores near one another.
        asked: list[int] = np.sort(np.argsort(-cheap, kind="stable")[: self.first]).tolist()
        return asked


@dataclass(frozen=True)
class RankerFeatures(FeatureFamily):
    """The score of a ranker, whichever: a masked language model, ``bow``, a sentence encoder.

    Attributes:
        ranker: the ranker, a name or a table with ``name`` and options; none that looks at
            the gold.
        language: ISO 639-1 code of the sentences.
    """

    ranker: Ranker
    language: str = "en"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ranker.needs_gold:
            raise ValueError("ranker looks at the gold, which no feature may")

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("score", "its score"),
            Feature("place", "1 / place of the candidate in its order", False),
        ]

    def open(self, resources: Resources) -> ByItem:
        """Open the ranker."""
        nothing = Dataset("", (), Gold("", {}), language=self.language)
        return ByItem(partial(_values, self.ranker.open(resources, nothing)))


def _values(scorer: Scorer, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
    scores = np.array(scorer.scores(item, candidates), dtype=np.float64)
    places = np.empty(len(scores))
    places[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.stack([scores, 1 / places], axis=1).astype(np.float32)
