"""Rank candidates by a language model: ``lm``, and the model of the KU system, ``ku``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset
from lexsub.errors import LexsubError
from lexsub.items import Item
from lexsub.parts.base import Explained, Ranker, Scorer
from lexsub.rankers.lm.header import LanguageModel
from lexsub.rankers.lm.model import open_model
from lexsub.rankers.lm.slots import Slot, fill_slot, kept_tokens, slot_scores
from lexsub.rankings import Candidate
from lexsub.resources import Resources

LengthRule = Literal["sum", "mean"]


@dataclass(frozen=True)
class _NgramRanker(Ranker):
    """Options of the rankers that score the slot with n-grams.

    Attributes:
        model: name of a model in the config's ``[models]``, or a model's folder.
        inflected: whether candidates take the target's form, and a, an (le, l') fit them.
        length_rule: how candidates of more than one token compare with the others. ``sum``:
            the log probability of all n-grams that cover the slot, k + n - 1 of them for k
            tokens, so that a longer candidate pays for each token; ``mean``: that sum divided
            by the number of n-grams.
        place_weight: weight of -log10 of a candidate's place in the source's own list, a prior
            of its sense; 0 leaves it out.  1.5 was best on the trial sentences.
    """

    model: str = "lm"
    inflected: bool = True
    length_rule: LengthRule = "sum"
    place_weight: float = 0.0

    needs_gold: ClassVar[bool] = False

    reads_models: ClassVar[dict[str, str]] = {"model": "lm"}

    def open(self, resources: Resources, data: Dataset) -> SlotScorer:
        """Open the model.

        Raises:
            LexsubError: there is none, it is damaged, or of another language than the data.
        """
        model = open_model(resources.model(self.model, "lm"))
        model.header.check_language(data.language, data.name)
        return SlotScorer(model, self.inflected, self.length_rule, self.place_weight)


@dataclass(frozen=True)
class LmRanker(_NgramRanker):
    """Order candidates by the log10 probability of every n-gram that covers the slot.

    The "simple n-gram model" of Jabbari, Hepple and Guthrie (2010), reconstructed: the 2n - 1
    tokens around the slot, with the candidate in it.
    """


@dataclass(frozen=True)
class KuRanker(_NgramRanker):
    """Order candidates as KU did (Yuret, 2007): 5-grams with one-count smoothing.

    The product of the probabilities of all 5-grams that contain the slot; the Web 1T counts
    of the original are replaced by those of the corpus the model was trained on.
    """

    model: str = "ku"

    def open(self, resources: Resources, data: Dataset) -> SlotScorer:
        """Open the model; see :class:`LmRanker`.

        Raises:
            LexsubError: also where the model has another smoothing.
        """
        opened = super().open(resources, data)
        header = opened.model.header
        if header.kind != "one-count":
            raise LexsubError(
                f"ranker ku has model {self.model!r} of kind {header.kind}; expected one trained "
                "with smoothing = 'one-count' (any other goes with ranker lm)"
            )
        return opened


@dataclass(frozen=True, slots=True)
class SlotScorer(Scorer):
    """Scores candidates by the n-grams that cover the slot."""

    model: LanguageModel
    inflected: bool
    length_rule: LengthRule
    place_weight: float = 0.0

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the score of each candidate."""
        slot = self._fill(item, candidates)
        result: list[float] = self._scores(slot, slot_scores(self.model, slot)).tolist()
        return result

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return log probability, number of n-grams, whether all tokens are known (and prior)."""
        return self.explained(item, candidates)[1]

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return scores and parts."""
        slot = self._fill(item, candidates)
        sums = slot_scores(self.model, slot)
        lower, knows = self.model.header.lower, self.model.knows
        known = [all(map(knows, kept_tokens(form, lower))) for form in slot.forms]
        parts = {
            "log10": sums.tolist(),
            "n-grams": self._covering(slot).tolist(),
            "known": [float(value) for value in known],
        }
        if self.place_weight:
            parts["place"] = place_prior(len(candidates)).tolist()
        return self._scores(slot, sums).tolist(), parts

    def _fill(self, item: Item, candidates: Sequence[Candidate]) -> Slot:
        return fill_slot(item, candidates, self.model.header, inflected=self.inflected)

    def _scores(self, slot: Slot, total: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.length_rule == "mean":
            total = total / self._covering(slot)
        if self.place_weight:
            total = total + self.place_weight * place_prior(len(total))
        return total

    def _covering(self, slot: Slot) -> NDArray[np.float64]:
        return (slot.lengths + self.model.header.order - 1).astype(np.float64)


def place_prior(candidates: int) -> NDArray[np.float64]:
    """Return -log10 of each place in a list of so many candidates, the first 0.

    Sources give what they hold most likely first (frequent senses, synonyms before relatives);
    that a place is taken with a probability that falls as its inverse is Zipf's law.
    """
    return -np.log10(np.arange(1, candidates + 1))
