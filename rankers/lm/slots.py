"""From an item and its candidates to the windows that a language model scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lexsub.items import Item
from lexsub.languages import language_of
from lexsub.rankers.lm.header import LanguageModel, LmHeader, Window
from lexsub.rankers.lm.tokens import tokenise
from lexsub.rankings import Candidate


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
