"""Rank candidates by the n-grams of a language model around the slot: ``lm``, and KU's, ``ku``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset, Item
from lexsub.errors import LexsubError
from lexsub.languages import language_of
from lexsub.parts.base import Explained, Ranker
from lexsub.parts.limits import NotNegative
from lexsub.rankers.explained import JointScorer
from lexsub.rankers.lm.header import LanguageModel, LmHeader, Window
from lexsub.rankers.lm.model import open_model
from lexsub.rankers.lm.tokens import tokenise
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True, slots=True)
class Slot:
    """The windows of one item.

    Attributes:
        texts: for each candidate, the order - 1 tokens before the slot, the candidate and
            the order - 1 tokens behind it.
        bos: whether the sentence begins inside the windows.
        eos: whether it ends inside them.
        before: for each candidate, the tokens before the slot alone, by index into ``lefts``.
        lefts: the different texts of the tokens before the slot (a and an differ).
        lengths: for each candidate, how many tokens it has.
        forms: for each candidate, the form that was filled in.
    """

    texts: Sequence[str]
    bos: bool
    eos: bool
    before: NDArray[np.int64]
    lefts: Sequence[str]
    lengths: NDArray[np.int64]
    forms: Sequence[str]


def fill_slot(
    item: Item,
    candidates: Sequence[Candidate],
    header: LmHeader,
    *,
    inflected: bool = True,
    back: int | None = None,
    ahead: int | None = None,
) -> Slot:
    """Put each candidate into the target's place.

    Args:
        item: the item.
        candidates: the candidates.
        header: of the model that will score: its order and its tokenisation.
        inflected: whether candidates take the target's form.
        back: tokens before the slot, by default as many as the model looks back.
        ahead: tokens behind it, likewise.
    """
    reach = header.order - 1 if back is None else back
    following = header.order - 1 if ahead is None else ahead
    left = _nearest(item.text[: item.start], reach + 1, header, last=True)
    right = _nearest(item.text[item.end :], following, header, last=False) if following else []
    bos, eos = len(left) <= reach, len(right) < following
    left = left[max(0, len(left) - reach) :]
    language = language_of(header.language)
    tag = language.form_of(item) if inflected else ""
    # What goes before the candidate, by the sound with which it begins (a or an).
    lefts = [" ".join(language.fit_tokens(left, example)[-reach:]) for example in language.sounds]
    lefts = lefts[:1] if len(set(lefts)) == 1 else lefts
    openings = [f"{text} " if text else "" for text in lefts]
    behind = " " + " ".join(right) if right else ""
    substitutes = tuple([candidate.substitute for candidate in candidates])
    forms, filled, lengths, sounds = _fillings(
        substitutes, item.pos, tag, header.lower, header.language
    )
    texts: Sequence[str]
    if len(lefts) == 1:
        before = np.zeros(len(substitutes), dtype=np.int64)
        # No token holds a line end, so all windows can be written as one text and parted.
        lines = f"{behind}\n{openings[0]}".join(filled)
        texts = f"{openings[0]}{lines}{behind}".split("\n") if substitutes else ()
    else:
        before = sounds
        pairs = zip(before.tolist(), filled, strict=True)
        texts = [f"{openings[sound]}{text}{behind}" for sound, text in pairs]
    return Slot(texts, bos, eos, before, lefts, lengths, forms)


def _nearest(text: str, wanted: int, header: LmHeader, *, last: bool) -> list[str]:
    """Return the ``wanted`` tokens nearest to the slot, fewer where the text has fewer."""
    # A token never reaches over a blank, so a few words are enough; those that turn out to
    # hold no token (control characters) are made up for by reading it all.
    pieces = text.rsplit(None, wanted) if last else text.split(None, wanted)
    if len(pieces) > wanted:
        del pieces[0 if last else -1]
        tokens = [token for piece in pieces for token in kept_tokens(piece, header.lower)]
        if len(tokens) >= wanted:
            return tokens[len(tokens) - wanted :] if last else tokens[:wanted]
    tokens = header.tokenise(text)
    return tokens[max(0, len(tokens) - wanted) :] if last else tokens[:wanted]


@lru_cache(maxsize=1 << 13)
def kept_tokens(piece: str, lower: bool) -> tuple[str, ...]:
    """Return the tokens of a word or two; kept, because words come again."""
    return tuple(tokenise(piece, lower=lower))


@lru_cache(maxsize=1 << 6)
def _fillings(
    substitutes: tuple[str, ...], pos: str, tag: str, lower: bool, language: str
) -> tuple[tuple[str, ...], tuple[str, ...], NDArray[np.int64], NDArray[np.int64]]:
    """Return the forms of candidates, their tokens as text, numbers of tokens, and first sounds.

    Kept, because the sentences of a target mostly have the same candidates.
    """
    rows = [_filling(substitute, pos, tag, lower, language) for substitute in substitutes]
    lengths, sounds = (np.array([row[i] for row in rows], dtype=np.int64) for i in (2, 3))
    for array in (lengths, sounds):
        array.flags.writeable = False
    return tuple(r[0] for r in rows), tuple(r[1] for r in rows), lengths, sounds


@lru_cache(maxsize=1 << 13)
def _filling(
    substitute: str, pos: str, tag: str, lower: bool, language: str
) -> tuple[str, str, int, int]:
    """Return a candidate's form, its tokens as text, their number, and its first sound."""
    spoken = language_of(language)
    form = spoken.inflect(substitute, pos, tag) if tag else substitute
    form = substitute if form is None else form
    tokens = tokenise(form, lower=lower) or ["<unk>"]
    return form, " ".join(tokens), len(tokens), spoken.sound(tokens[0])


def slot_scores(model: LanguageModel, slot: Slot) -> NDArray[np.float64]:
    """Return for each candidate the log10 probability of all n-grams that cover the slot."""
    if not slot.texts:
        return np.zeros(0)
    whole = model.log10_alike(slot.texts, slot.bos, slot.eos)
    return whole - model.log10_alike(slot.lefts, slot.bos, False)[slot.before]


def all_slot_scores(model: LanguageModel, slots: Sequence[Slot]) -> list[NDArray[np.float64]]:
    """Return what :func:`slot_scores` does for each of some slots; the model is asked once."""
    windows = [Window(text, slot.bos, slot.eos) for slot in slots for text in slot.texts]
    windows += [Window(text, slot.bos) for slot in slots for text in slot.lefts]
    sizes = [*(len(slot.texts) for slot in slots), *(len(slot.lefts) for slot in slots)]
    parts = np.split(model.log10(windows), np.cumsum(sizes)[:-1])
    wholes, lefts = parts[: len(slots)], parts[len(slots) :]
    return [
        whole - left[slot.before] for slot, whole, left in zip(slots, wholes, lefts, strict=True)
    ]


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
    place_weight: NotNegative = 0.0

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
class SlotScorer(JointScorer):
    """Scores candidates by the n-grams that cover the slot."""

    model: LanguageModel
    inflected: bool
    length_rule: LengthRule
    place_weight: float = 0.0

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the score of each candidate; it takes less than to explain it."""
        slot = self._fill(item, candidates)
        result: list[float] = self._scores(slot, slot_scores(self.model, slot)).tolist()
        return result

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return scores, log10, numbers of n-grams, whether all tokens are known (and prior)."""
        slot = self._fill(item, candidates)
        sums = slot_scores(self.model, slot)
        lower, knows = self.model.header.lower, self.model.knows
        known = [all(map(knows, kept_tokens(form, lower))) for form in slot.forms]
        parts = {"log10": sums.tolist(), "n-grams": self._covering(slot).tolist()}
        parts["known"] = [float(value) for value in known]
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
