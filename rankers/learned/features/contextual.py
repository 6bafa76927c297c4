"""What neural models that a user brings say of a candidate in its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.items import Item
from lexsub.parts.features import ByItem, Feature
from lexsub.rankers.contextual.encoder import Device, open_encoder
from lexsub.rankers.contextual.masked import Mode, open_masked
from lexsub.rankers.contextual.masked_lm import MaskedLm, MaskedScorer
from lexsub.rankers.contextual.model_files import model_files
from lexsub.rankers.contextual.sentence_encoder import EncoderScorer, SentenceEncoder
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class EncoderFeatures:
    """Cosines in a sentence encoder, as the ranker ``sentence-encoder`` has them.

    Attributes:
        model: as of the ranker.
        window: words kept on either side of the target.
        device: ``cpu`` or ``cuda``.
        batch: sentences at a time.
    """

    model: str
    window: int = 100
    device: Device = "cpu"
    batch: int = 64

    def __post_init__(self) -> None:
        self.ranker()

    def ranker(self) -> SentenceEncoder:
        """Return the ranker with these options."""
        return SentenceEncoder(**vars(self))

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("sentence", "cosine of the sentence with the candidate and as it is"),
            Feature("word", "cosine of candidate and target, each in its sentence"),
        ]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the model's files (none for a model on the hub)."""
        return model_files(resources, self.model)

    def open(self, resources: Resources) -> ByItem:
        """Open the model; see :func:`open_encoder`."""
        encoder = open_encoder(resources, self.model, "auto", self.device, self.batch)
        scorer = EncoderScorer(self.ranker(), encoder, resources.language)

        def values(item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
            return np.array(scorer.both(item, candidates), np.float32).T.reshape(-1, 2)

        return ByItem(values)


@dataclass(frozen=True)
class MaskedFeatures:
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
    window: int = 60
    device: Device = "cpu"
    batch: int = 16

    def __post_init__(self) -> None:
        if not self.modes or len(set(self.modes)) < len(self.modes):
            raise ValueError(f"modes is {list(self.modes)}; expected some, each once")
        self.rankers()

    def rankers(self) -> list[MaskedLm]:
        """Return the ranker of each mode."""
        first = MaskedLm(
            self.model, relative=True, window=self.window, device=self.device, batch=self.batch
        )
        return [replace(first, mode=mode) for mode in self.modes]

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature(mode, f"mean ln P of the candidate's pieces ({mode}), less that of the target")
            for mode in self.modes
        ] + [Feature("pieces", "word pieces of the candidate", False)]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the model's files (none for a model on the hub)."""
        return model_files(resources, self.model)

    def open(self, resources: Resources) -> ByItem:
        """Open the model; see :func:`open_masked`."""
        model = open_masked(resources, self.model, self.device, self.batch)
        scorers = [
            MaskedScorer(ranker, model, resources.seed, resources.language)
            for ranker in self.rankers()
        ]

        def values(item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
            columns = [scorer.scores(item, candidates) for scorer in scorers]
            columns.append(scorers[0].pieces(item, candidates))
            return np.array(columns, np.float32).T.reshape(-1, len(columns))

        return ByItem(values)
