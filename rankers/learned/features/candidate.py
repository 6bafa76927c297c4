"""What is known without the sentence: form, frequency, origins; what all of an item share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import PARTS_OF_SPEECH, Item
from lexsub.frequency import FREQUENCIES
from lexsub.parts.base import Feature, FeatureFamily
from lexsub.parts.checked import ByItem, ByTarget
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class FormFeatures(FeatureFamily):
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

    def open(self, resources: Resources) -> ByTarget:
        """Return the working family."""
        return ByTarget(_compute)


_ENDINGS = "ly ness tion ing ed er est ous ful less able ive al ic ment ity y ise ize ate ify en"
SUFFIXES = tuple(_ENDINGS.split())


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
        len(words),
        len(text),
        len(text) - len(lemma),
        _common(lemma, lower) / max(min(len(lemma), len(lower)), 1),
        _common(backwards, lower[::-1]),
        2 * len(bigrams & own) / both if both else 0.0,
        lemma in lower.split(" "),
        "-" in text,
        text != lower,
        len(words) > 1 and len(words[-1]) <= 4,
        suffix == _suffix(lower),
    ]


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


@dataclass(frozen=True)
class TargetFeatures(FeatureFamily):
    """Part of speech of the target and number of candidates."""

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        named = [
            Feature(name, f"whether the target is {name}", False)
            for name in PARTS_OF_SPEECH.values()
        ]
        return [*named, Feature("candidates", "ln of the number of candidates", False)]

    def open(self, resources: Resources) -> ByTarget:
        """Return the working family."""
        return ByTarget(_counts_of_target)


def _counts_of_target(lemma: str, pos: str, substitutes: tuple[str, ...]) -> NDArray[np.float32]:
    del lemma
    row = [float(pos == one) for one in PARTS_OF_SPEECH] + [float(np.log1p(len(substitutes)))]
    return np.tile(np.array(row, dtype=np.float32), (len(substitutes), 1))


@dataclass(frozen=True)
class OriginFeatures(FeatureFamily):
    """Places in the lists of the candidate sources.

    Attributes:
        sources: labels of the sources of the union.
    """

    sources: tuple[str, ...] = ()

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        named = [
            Feature(source, f"1 / (1 + place) in the list of {source}, 0 if not there")
            for source in self.sources
        ]
        return [
            *named,
            Feature("number", "number of sources that proposed it", False),
            Feature("reciprocal", "sum of 1 / (10 + place) over the sources"),
            Feature("first", "1 / (1 + place) in the list where it stands highest"),
        ]

    def open(self, resources: Resources) -> ByItem:
        """Return the working family."""
        return ByItem(self._values)

    def _values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        column = {source: place for place, source in enumerate(self.sources)}
        width = len(self.sources)
        result = np.zeros((len(candidates), width + 3), dtype=np.float32)
        for row, candidate in zip(result, candidates, strict=True):
            for origin in candidate.origins:
                place = column.get(origin.source)
                if place is not None:
                    row[place] = max(row[place], 1 / (1 + origin.rank))
            row[width] = len({origin.source for origin in candidate.origins})
            row[width + 1] = sum(1 / (10 + origin.rank) for origin in candidate.origins)
            row[width + 2] = max((1 / (1 + o.rank) for o in candidate.origins), default=0.0)
        return result


@dataclass(frozen=True)
class FrequencyFeatures(FeatureFamily):
    """Log frequencies of the candidate and their ratio to the target's.

    Attributes:
        lists: frequency lists to look in; a multiword that a list does not have counts as
            its rarest word.
    """

    lists: tuple[str, ...] = ("bnc-lemmas", "ukwac", "semcor")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.lists:
            FREQUENCIES[name]

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        named = []
        for name in self.lists:
            named += [
                Feature(name, f"ln (1 + frequency) in {name}"),
                Feature(f"{name}-ratio", f"the same, less the target's, in {name}", False),
            ]
        return named

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the lists' files."""
        return [path for name in self.lists for path in FREQUENCIES[name].inputs(resources)]

    def open(self, resources: Resources) -> ByTarget:
        """Read the lists."""
        opened = [FREQUENCIES[name].open(resources) for name in self.lists]

        def compute(lemma: str, pos: str, substitutes: tuple[str, ...]) -> NDArray[np.float32]:
            columns = []
            for one in opened:
                raw = [_of(one.frequency, text, pos) for text in (*substitutes, lemma)]
                logs = np.log1p(np.array(raw))
                columns += [logs, logs - logs[-1]]
            return np.stack(columns, axis=1)[:-1].astype(np.float32)

        return ByTarget(compute)


def _of(frequency: Callable[[str, str], float], text: str, pos: str) -> float:
    found = float(frequency(text, pos))
    if found or " " not in text:
        return found
    return min(float(frequency(word, pos)) for word in text.split(" ") if word)
