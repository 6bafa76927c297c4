"""What a candidate looks like beside the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lexsub.parts.build import no_files
from lexsub.parts.features import ByTarget, Feature
from lexsub.resources import Resources


@dataclass(frozen=True)
class FormFeatures:
    """Morphology: length, common beginning and end, hyphens, capitals, number of words."""

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("words", "number of words", False),
            Feature("letters", "number of letters", False),
            Feature("longer", "letters more than the target has", False),
            Feature("beginning", "letters of the common beginning, over the shorter's", False),
            Feature("end", "letters of the common end", False),
            Feature("bigrams", "Dice coefficient of the letter bigrams", False),
            Feature("holds-target", "whether the target is among its words", False),
            Feature("hyphen", "whether it has a hyphen", False),
            Feature("capital", "whether it has a capital", False),
            Feature("particle", "whether its last word is as short as a particle", False),
            Feature("same-suffix", "whether both end in the same suffix", False),
        ]

    inputs = no_files

    def open(self, resources: Resources) -> ByTarget:
        """Return the working family."""
        return ByTarget(_compute)


SUFFIXES = ("ly", "ness", "tion", "ing", "ed", "er", "est", "ous", "ful", "less", "able", "ive",
            "al", "ic", "ment", "ity", "y", "ise", "ize", "ate", "ify", "en")  # fmt: skip


def _compute(lemma: str, pos: str, substitutes: tuple[str, ...]) -> NDArray[np.float32]:
    del pos
    lemma = lemma.lower()
    own = (lemma, lemma[::-1], _bigrams(lemma), _suffix(lemma))
    rows = [_row(*own, text) for text in substitutes]
    return np.array(rows, dtype=np.float32).reshape(len(rows), 11)


def _row(lemma: str, backwards: str, bigrams: set[str], suffix: str, text: str) -> list[float]:
    words, lower = text.split(" "), text.lower()
    own = _bigrams(lower)
    both = len(bigrams) + len(own)
    return [
        len(words), len(text), len(text) - len(lemma),
        _common(lemma, lower) / max(min(len(lemma), len(lower)), 1),
        _common(backwards, lower[::-1]), 2 * len(bigrams & own) / both if both else 0.0,
        lemma in lower.split(" "), "-" in text, text != lower,
        len(words) > 1 and len(words[-1]) <= 4, suffix == _suffix(lower),
    ]  # fmt: skip


def _common(a: str, b: str) -> int:
    for place, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return place
    return min(len(a), len(b))


def _bigrams(word: str) -> set[str]:
    return set(map("".join, pairwise(word)))


def _suffix(word: str) -> str:
    if not word.endswith(SUFFIXES):
        return ""
    return next((s for s in SUFFIXES if word.endswith(s) and len(word) > len(s) + 2), "")
