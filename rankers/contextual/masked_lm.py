"""The ranker ``masked-lm``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from lexsub.datasets import Dataset
from lexsub.items import Item
from lexsub.rankers.contextual.encoder import Device
from lexsub.rankers.contextual.masked import MaskedModel, Mode, open_masked
from lexsub.rankers.contextual.model_files import model_files
from lexsub.rankers.filling import Filled, fill_all, original
from lexsub.rankings import Candidate
from lexsub.resources import Resources

DECIMALS = 6
"""Scores are rounded to these: the last bits differ between processors and must not decide."""


@dataclass(frozen=True)
class MaskedLm:
    """Order candidates by their log probability in a masked language model.

    A candidate of k word pieces gets k masks, and the log probability of its pieces, each at
    its place with the others masked.

    Attributes:
        model: folder of a masked language model as transformers saves it, its name in
            ``[resources]``, or on the Hugging Face hub (``bert-base-uncased``).
        mode: ``masked``: the target gives way to masks; ``concatenated``: the same, with the
            sentence as it is before it, so that the target is known (Qiang et al., 2020,
            "Lexical simplification with pretrained encoders"); ``dropout``: the target stays,
            part of its embedding zeroed, and all pieces are asked for at its place (the proposal
            score of Zhou et al., 2019, "BERT-based lexical substitution", for a given dropout).
        length_rule: of a candidate's pieces: ``mean`` log probability, or their ``sum``.
        relative: take off the score of the target itself (it orders no item differently, and
            makes a better feature).
        dropout: share of the target's embedding that ``dropout`` zeroes, drawn by the seed.
        inflected: whether candidates take the target's form, and words before it fit them.
        window: words kept on either side of the target; longer sentences are cut.
        device: ``cpu`` or ``cuda``.
        batch: sentences at a time; more need more memory.
    """

    model: str
    mode: Mode = "concatenated"
    length_rule: Literal["mean", "sum"] = "mean"
    relative: bool = False
    dropout: float = 0.3
    inflected: bool = True
    window: int = 60
    device: Device = "cpu"
    batch: int = 16

    needs_gold: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.batch < 1 or self.window < 0 or not 0 <= self.dropout < 1:
            raise ValueError(
                "batch must be at least 1, window at least 0, dropout from 0 to below 1"
            )

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the model's files (none for a model on the hub)."""
        return model_files(resources, self.model)

    def open(self, resources: Resources, data: Dataset) -> MaskedScorer:
        """Open the model.

        Raises:
            LexsubError: libraries or files are missing, or not what they should be.
        """
        model = open_masked(resources, self.model, self.device, self.batch)
        return MaskedScorer(self, model, resources.seed, data.language)


@dataclass(frozen=True)
class MaskedScorer:
    """The working ranker."""

    options: MaskedLm
    model: MaskedModel
    seed: int
    language: str = "en"

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the log probability of each candidate."""
        if not candidates:
            return []
        options = self.options
        filled = self._filled(item, candidates)
        pieces = [self.model.pieces(word) for word in (item.target, *(f.word for f in filled))]
        place = original(item).around(options.window)
        if options.mode == "dropout":
            table = self.model.with_dropout(place, options.dropout, self.seed)
            by_piece = [table[np.array(one)].tolist() for one in pieces]
        else:
            by_piece = self._by_masks(place, pieces)
        target, *scores = [
            sum(logs) / (len(logs) if options.length_rule == "mean" else 1) for logs in by_piece
        ]
        base = target if options.relative else 0.0
        return [round(score - base, DECIMALS) for score in scores]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return the score and the number of pieces."""
        return {"log": self.scores(item, candidates), "pieces": self.pieces(item, candidates)}

    def pieces(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the number of word pieces of each candidate."""
        filled = self._filled(item, candidates)
        return [float(len(self.model.pieces(place.word))) for place in filled]

    def _filled(self, item: Item, candidates: Sequence[Candidate]) -> list[Filled]:
        substitutes = [candidate.substitute for candidate in candidates]
        inflected = self.options.inflected
        return fill_all(item, substitutes, inflected=inflected, language=self.language)

    def _by_masks(self, place: Filled, pieces: Sequence[list[int]]) -> list[list[float]]:
        """Return the log probabilities of each candidate's pieces; one sentence a length."""
        lengths = sorted({len(one) for one in pieces})
        twice = self.options.mode == "concatenated"
        slots = [self.model.slot(place, [self.model.mask] * k, twice=twice) for k in lengths]
        tables = self.model.log_probabilities(
            [tokens for tokens, _ in slots],
            [list(range(start, start + k)) for (_, start), k in zip(slots, lengths, strict=True)],
        )
        by_length = dict(zip(lengths, tables, strict=True))
        return [by_length[len(one)][np.arange(len(one)), np.array(one)].tolist() for one in pieces]
