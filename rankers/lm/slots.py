"""From an item and its candidates to the windows that a language model scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexsub.items import Item
from lexsub.rankings import Candidate
from rankers.inflection import fix_article, inflect, tag_of
from rankers.lm.header import Header
from rankers.lm.model import LanguageModel, Window


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
    left = header.tokenise(item.text[: item.start])
    right = header.tokenise(item.text[item.end :])
    bos, eos = len(left) <= reach, len(right) < reach
    left, right = left[len(left) - min(reach, len(left)) :], right[:reach]
    tag = tag_of(item) if inflected else ""
    forms = [
        inflect(candidate.substitute, item.pos, tag) if inflected else candidate.substitute
        for candidate in candidates
    ]
    lefts: dict[str, int] = {}
    windows, before, lengths = [], [], []
    behind = " ".join(right)
    for form in forms:
        tokens = header.tokenise(form) or ["<unk>"]
        # In French, say, "a" is a verb.
        english = header.language == "en"
        text = " ".join(fix_article(left, tokens[0]) if english else left)
        before.append(lefts.setdefault(text, len(lefts)))
        lengths.append(len(tokens))
        windows.append(Window(f"{text} {' '.join(tokens)} {behind}".strip(), bos, eos))
    return Slot(
        windows,
        np.array(before, dtype=np.int64),
        [Window(text, bos) for text in lefts],
        np.array(lengths, dtype=np.int64),
        forms,
    )


def slot_scores(model: LanguageModel, slot: Slot) -> NDArray[np.float64]:
    """Return for each candidate the log10 probability of all n-grams that cover the slot."""
    if not slot.windows:
        return np.zeros(0)
    whole = model.log10(slot.windows)
    result: NDArray[np.float64] = whole - model.log10(slot.lefts)[slot.before]
    return result
