"""The combined model: n-grams around the slot and words of the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from lexsub.datasets import Dataset, Item
from lexsub.parts.base import Explained, Ranker
from lexsub.parts.limits import AboveZero, NotNegative
from lexsub.rankers.bow.model import BowModel, MultiwordRule, context_fit, open_model_for
from lexsub.rankers.explained import ExplainedScorer
from lexsub.rankers.lm.ranker import LengthRule, LmRanker, SlotScorer
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class Cmlc(Ranker):
    """Order candidates by log10 P(n-grams with w) + α Σ log10 P(c | w) / P(c).

    The n-grams that cover the slot hold the prior of w, so the two factors share it (Jabbari,
    Hepple and Guthrie, 2010, reconstructed).

    Attributes:
        model: the language model, by its name in ``[models]`` or its folder.
        bow: the bag-of-words model likewise.
        alpha: weight of the bag of words; 1 is the joint model, the default was tuned on the
            trial sentences (words of a sentence are not independent of each other, nor of
            the n-grams).
        mu: weight of the whole text in P(c | w), in context tokens.
        inflected: see ranker ``lm``.
        length_rule: see ranker ``lm``.
        multiword: see ranker ``bow``.
        place_weight: see ranker ``lm``.
    """

    model: str = "lm"
    bow: str = "bow"
    alpha: NotNegative = 0.5
    mu: AboveZero = 30_000.0
    inflected: bool = True
    length_rule: LengthRule = "sum"
    multiword: MultiwordRule = "mean"
    place_weight: NotNegative = 0.0

    needs_gold: ClassVar[bool] = False

    reads_models: ClassVar[dict[str, str]] = {"model": "lm", "bow": "bow"}

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Open both models."""
        slots = LmRanker(self.model, self.inflected, self.length_rule, self.place_weight).open(
            resources, data
        )
        return ExplainedScorer(
            partial(self._explained, slots, open_model_for(resources, self.bow, data))
        )

    def _explained(
        self, slots: SlotScorer, words: BowModel, item: Item, candidates: Sequence[Candidate]
    ) -> Explained:
        fit = context_fit(words, item, candidates, self.mu, self.multiword).tolist()
        parts = {"lm": list(slots.scores(item, candidates)), "context": fit}
        return [lm + self.alpha * bow for lm, bow in zip(*parts.values(), strict=True)], parts
