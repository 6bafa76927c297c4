"""The ranker ``sentence-encoder``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset
from lexsub.items import Item
from lexsub.parts.base import Ranker, Scorer
from lexsub.rankers.contextual.encoder import Device, Encoder, Pooling, open_encoder
from lexsub.rankers.contextual.model_files import model_files
from lexsub.rankers.filling import Filled, fill_all, original
from lexsub.rankings import Candidate
from lexsub.resources import Resources

DECIMALS = 6
"""Cosines are rounded to these: the last bits differ between processors and must not decide."""


@dataclass(frozen=True)
class SentenceEncoder(Ranker):
    """Order candidates by how little they change what a sentence encoder sees.

    The cosine of the sentence with the candidate in it and the sentence as it is (the contextual
    similarity of Zhou et al., 2019, without its weights of attention).

    Attributes:
        model: folder of an encoder in ONNX (``model.onnx`` or ``onnx/model.onnx``, with
            ``tokenizer.json``), its name in ``[resources]``, or on the Hugging Face hub.
        compare: ``sentence``: vectors of the whole text; ``word``: the output over the tokens of
            the candidate and of the target, each in its sentence.
        pooling: how token vectors become one: ``mean``, ``cls`` (the first), or ``auto``: as
            the model's folder says, else ``mean``.
        inflected: whether candidates take the target's form, and words before it fit them.
        window: words kept on either side of the target; longer sentences are cut.
        device: ``cpu`` or ``cuda``.
        batch: sentences at a time; more need more memory.
    """

    model: str
    compare: Literal["sentence", "word"] = "sentence"
    pooling: Pooling = "auto"
    inflected: bool = True
    window: int = 100
    device: Device = "cpu"
    batch: int = 64

    needs_gold: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.batch < 1 or self.window < 0:
            raise ValueError("batch must be at least 1, window at least 0")

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the model's files (none for a model on the hub)."""
        return model_files(resources, self.model)

    def open(self, resources: Resources, data: Dataset) -> EncoderScorer:
        """Open the model.

        Raises:
            LexsubError: libraries or files are missing, or not what they should be.
        """
        encoder = open_encoder(resources, self.model, self.pooling, self.device, self.batch)
        return EncoderScorer(self, encoder, data.language)


@dataclass(frozen=True)
class EncoderScorer(Scorer):
    """The working ranker."""

    options: SentenceEncoder
    encoder: Encoder
    language: str = "en"

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the cosine of each candidate's sentence, or word, with the original's."""
        if not candidates:
            return []
        places = self._places(item, candidates)
        if self.options.compare == "word":
            return _cosines(self.encoder.both(places)[1])
        return _cosines(self.encoder.sentences([place.text for place in places]))

    def both(
        self, item: Item, candidates: Sequence[Candidate]
    ) -> tuple[Sequence[float], Sequence[float]]:
        """Return the cosines of the sentences, and those of the words."""
        if not candidates:
            return [], []
        sentences, words = self.encoder.both(self._places(item, candidates))
        return _cosines(sentences), _cosines(words)

    def _places(self, item: Item, candidates: Sequence[Candidate]) -> list[Filled]:
        options = self.options
        filled = fill_all(
            item,
            [c.substitute for c in candidates],
            inflected=options.inflected,
            language=self.language,
        )
        return [place.around(options.window) for place in (original(item), *filled)]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return the cosine."""
        return {"cosine": self.scores(item, candidates)}


def _cosines(vectors: NDArray[np.float32]) -> list[float]:
    """Return the cosine of each vector but the first with the first."""
    result: list[float] = np.round(vectors[1:] @ vectors[0], DECIMALS).tolist()
    return result
