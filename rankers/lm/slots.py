"""From an item and its candidates to the windows that a language model scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lexsub.items import Item
from lexsub.rankings import Candidate
from rankers.inflection import article_before, fix_article, inflect, tag_of
from rankers.lm.header import Header
from rankers.lm.model import LanguageModel, Window
from rankers.lm.tokens import tokenise


@dataclass(frozen=True, slots=True)
class Slot:
    """The windows of one item.

    Attributes:
        windows: for each candidate, the order - 1 tokens before the slot, the candidate and
            the order - 1 tokens behind it.
        before: for each candidate, the tokens before the slot alone, by index into ``lefts``.
        lefts: the different windows of the tokens before the slot (a and an differ).
        lengths: for each candidate, how many tokens it has.
        forms: for each candidate, the form that was filled in.
    """

    windows: list[Window]
    before: NDArray[np.int64]
    lefts: list[Window]
    lengths: NDArray[np.int64]
    forms: list[str]


def fill_slot(
    item: Item, candidates: Sequence[Candidate], header: Header, *, inflected: bool = True
) -> Slot:
    """Put each candidate into the target's place.

    Args:
        item: the item.
        candidates: the candidates.
        header: of the model that will score: its order and its tokenisation.
        inflected: whether candidates take the target's form.
    """
    reach = header.order - 1
    left = _nearest(item.text[: item.start], reach + 1, header, last=True)
    right = _nearest(item.text[item.end :], reach, header, last=False)
    bos, eos = len(left) <= reach, len(right) < reach
    left = left[max(0, len(left) - reach) :]
    tag = tag_of(item) if inflected else ""
    # In other languages "a" is no article (in French it is a verb).
    fit = fix_article if header.language == "en" else _as_it_is
    other, vowel = (" ".join(fit(left, letter)) for letter in "ba")
    lefts = [other] if other == vowel else [other, vowel]
    # What goes before the candidate, by whether it wants "an".
    openings = [f"{text} " if text else "" for text in (other, vowel)]
    behind = " " + " ".join(right) if right else ""
    pos, lower = item.pos, header.lower
    fillings = [_filling(candidate.substitute, pos, tag, lower) for candidate in candidates]
    windows = [
        Window(f"{openings[wants_an]}{text}{behind}", bos, eos) for _, text, _, wants_an in fillings
    ]
    forms = [filling[0] for filling in fillings]
    lengths = [filling[2] for filling in fillings]
    before = [filling[3] if len(lefts) > 1 else 0 for filling in fillings]
    return Slot(
        windows,
        np.array(before, dtype=np.int64),
        [Window(text, bos) for text in lefts],
        np.array(lengths, dtype=np.int64),
        forms,
    )


def _as_it_is(left: Sequence[str], following: str) -> list[str]:
    del following
    return list(left)


def _nearest(text: str, wanted: int, header: Header, *, last: bool) -> list[str]:
    """Return the ``wanted`` tokens nearest to the slot, fewer where the text has fewer."""
    # A token never reaches over a blank, so a few words are enough; those that turn out to
    # hold no token (control characters) are made up for by reading it all.
    pieces = text.rsplit(None, wanted) if last else text.split(None, wanted)
    if len(pieces) > wanted:
        del pieces[0 if last else -1]
        tokens = header.tokenise(" ".join(pieces))
        if len(tokens) >= wanted:
            return tokens[len(tokens) - wanted :] if last else tokens[:wanted]
    tokens = header.tokenise(text)
    return tokens[max(0, len(tokens) - wanted) :] if last else tokens[:wanted]


@lru_cache(maxsize=1 << 16)
def _filling(substitute: str, pos: str, tag: str, lower: bool) -> tuple[str, str, int, int]:
    """Return a candidate's form, its tokens as text, their number, and whether it wants *an*.

    Kept, because all sentences of a target mostly have the same candidates.
    """
    form = inflect(substitute, pos, tag) if tag else substitute
    tokens = tokenise(form, lower=lower) or ["<unk>"]
    return form, " ".join(tokens), len(tokens), int(article_before("a", tokens[0]) == "an")


def slot_scores(model: LanguageModel, slot: Slot) -> NDArray[np.float64]:
    """Return for each candidate the log10 probability of all n-grams that cover the slot."""
    if not slot.windows:
        return np.zeros(0)
    whole = model.log10(slot.windows)
    result: NDArray[np.float64] = whole - model.log10(slot.lefts)[slot.before]
    return result
