"""What a causal language model says of a candidate in its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lexsub.datasets import Dataset
from lexsub.golds import Gold
from lexsub.parts.features import ByItem, Feature
from lexsub.rankers.contextual.causal import Precision
from lexsub.rankers.contextual.causal_lm import CausalLm
from lexsub.rankers.contextual.encoder import Device
from lexsub.resources import Resources


@dataclass(frozen=True)
class CausalFeatures:
    """Log probabilities in a causal language model, as the ranker ``causal-lm`` has them.

    Attributes:
        model: as of the ranker.
        first: so many candidates have values, by the order of a cheaper ranker; 0 for all.
        ranker: that ranker, a name or a table.
        window: words kept before the target.
        behind: words kept behind it.
        device: ``cpu`` or ``cuda``.
        precision: as of the ranker.
        batch: sentences at a time.
    """

    model: str
    first: int = 30
    ranker: str | dict[str, Any] = "order"
    window: int = 60
    behind: int = 8
    device: Device = "cpu"
    precision: Precision = "float32"
    batch: int = 32

    def __post_init__(self) -> None:
        self.part()

    def part(self) -> CausalLm:
        """Return the ranker with these options."""
        return CausalLm(**vars(self))

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("word", "ln P of the candidate behind the words before, less the target's"),
            Feature("word-mean", "the same, the mean of its tokens"),
            Feature("behind", "ln P of the words behind, less those behind the target"),
            Feature("sentence", "ln P of the sentence, less that of the sentence as it is"),
            Feature("sentence-mean", "the same, the mean of its tokens"),
            Feature("pieces", "tokens of the candidate", False),
        ]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the files of the model (none for one on the hub) and of the cheaper ranker."""
        return self.part().inputs(resources)

    def open(self, resources: Resources) -> ByItem:
        """Get ready; see :meth:`CausalLm.open`, and :meth:`CausalScorer.measured`."""
        scorer = self.part().open(resources, Dataset("", (), Gold("", {})))
        return ByItem(lambda item, some: scorer.measured(item, some)[1].astype(np.float32))
