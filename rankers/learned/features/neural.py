"""What neural models that a user brings say of a candidate in its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset, Gold, Item
from lexsub.parts.base import Feature, FeatureFamily, Ranker
from lexsub.parts.checked import ByItem
from lexsub.parts.limits import Batch, Natural
from lexsub.rankers.baselines import Order
from lexsub.rankers.contextual.causal_lm import CausalLm, Precision
from lexsub.rankers.contextual.encoder import Device, EncoderScorer, SentenceEncoder, open_encoder
from lexsub.rankers.contextual.masked_lm import MaskedLm, MaskedScorer, Mode, open_masked
from lexsub.rankers.contextual.model_files import OverModel
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class EncoderFeatures(OverModel, FeatureFamily):
    """Cosines in a sentence encoder, as the ranker ``sentence-encoder`` has them.

    Attributes:
        model: as of the ranker.
        window: words kept on either side of the target.
        device: ``cpu`` or ``cuda``.
        batch: sentences at a time.
    """

    model: str
    window: Natural = 100
    device: Device = "cpu"
    batch: Batch = 64

    extras = SentenceEncoder.extras

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("sentence", "cosine of the sentence with the candidate and as it is"),
            Feature("word", "cosine of candidate and target, each in its sentence"),
        ]

    def open(self, resources: Resources) -> ByItem:
        """Open the model; see :func:`open_encoder`."""
        encoder = open_encoder(resources, self.model, "auto", self.device, self.batch)
        scorer = EncoderScorer(SentenceEncoder(**vars(self)), encoder, resources.language)

        def values(item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
            return np.array(scorer.both(item, candidates), np.float32).T.reshape(-1, 2)

        return ByItem(values)


@dataclass(frozen=True)
class MaskedFeatures(OverModel, FeatureFamily):
    """Log probabilities in a masked language model, as the ranker ``masked-lm`` has them.

    Attributes:
        model: as of the ranker.
        modes: which of its modes, one feature each.
        window: words kept on either side of the target.
        device: ``cpu`` or ``cuda``.
        batch: sentences at a time.
    """

    model: str
    modes: tuple[Mode, ...] = ("masked", "concatenated", "dropout")
    window: Natural = 60
    device: Device = "cpu"
    batch: Batch = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.modes or len(set(self.modes)) < len(self.modes):
            raise ValueError(f"modes is {list(self.modes)}; expected some, each once")

    extras = MaskedLm.extras

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature(mode, f"mean ln P of the candidate's pieces ({mode}), less that of the target")
            for mode in self.modes
        ] + [Feature("pieces", "word pieces of the candidate", False)]

    def open(self, resources: Resources) -> ByItem:
        """Open the model; see :func:`open_masked`."""
        model = open_masked(resources, self.model, self.device, self.batch)
        first = MaskedLm(
            self.model, relative=True, window=self.window, device=self.device, batch=self.batch
        )
        scorers = [
            MaskedScorer(replace(first, mode=mode), model, resources.seed, resources.language)
            for mode in self.modes
        ]

        def values(item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
            explained = [scorer.explained(item, candidates) for scorer in scorers]
            columns = [*(scores for scores, _ in explained), explained[0][1]["pieces"]]
            return np.array(columns, np.float32).T.reshape(-1, len(columns))

        return ByItem(values)


@dataclass(frozen=True)
class CausalFeatures(OverModel, FeatureFamily):
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
    first: Natural = 30
    ranker: Ranker = field(default_factory=Order)
    window: Natural = 60
    behind: Natural = 8
    device: Device = "cpu"
    precision: Precision = "float32"
    batch: Batch = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        self.part()

    def part(self) -> CausalLm:
        """Return the ranker with these options."""
        return CausalLm(**vars(self))

    extras = CausalLm.extras

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

    def open(self, resources: Resources) -> ByItem:
        """Get ready; see :meth:`CausalLm.open`, and :meth:`CausalScorer.measured`."""
        scorer = self.part().open(resources, Dataset("", (), Gold("", {})))
        return ByItem(lambda item, some: scorer.measured(item, some)[1].astype(np.float32))
