"""What any other ranker thinks of a candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset
from lexsub.golds import Gold
from lexsub.items import Item
from lexsub.parts.base import RANKERS, Scorer
from lexsub.parts.build import inner
from lexsub.parts.features import ByItem, Feature
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class RankerFeatures:
    """The score of a ranker, whichever: a masked language model, ``bow``, a sentence encoder.

    Attributes:
        ranker: the ranker, a name or a table with ``name`` and options; none that looks at
            the gold.
        language: ISO 639-1 code of the sentences.
    """

    ranker: str | dict[str, Any]
    language: str = "en"

    part = inner(RANKERS, "ranker")

    def __post_init__(self) -> None:
        if self.part().needs_gold:
            raise ValueError("ranker looks at the gold, which no feature may")

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("score", "its score"),
            Feature("place", "1 / place of the candidate in its order", False),
        ]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the ranker's files."""
        return self.part().inputs(resources)

    def open(self, resources: Resources) -> ByItem:
        """Open the ranker."""
        nothing = Dataset("", (), Gold("", {}), language=self.language)
        return ByItem(partial(_values, self.part().open(resources, nothing)))


def _values(scorer: Scorer, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
    scores = np.array(scorer.scores(item, candidates), dtype=np.float64)
    places = np.empty(len(scores))
    places[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.stack([scores, 1 / places], axis=1).astype(np.float32)
