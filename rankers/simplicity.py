"""Simple words first: frequent ones, and short ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset
from lexsub.frequency import FREQUENCIES
from lexsub.items import Item
from lexsub.parts.base import Ranker, Scorer
from lexsub.rankers.blend import standard
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class Simplicity(Ranker):
    """Order candidates by how simple they are: log frequency, and length against it.

    The score is z(log10 frequency) - length · z(letters), each z with mean 0 and deviation 1 over
    an item's candidates.  A phrase is as frequent as its rarest word; words that the list lacks
    count as ten times rarer than the rarest candidate that it has.  Frequency is the strongest
    single sign of simplicity (Paetzold and Specia, SemEval-2016 Task 11; Štajner et al., 2022); to
    weigh it against a model that knows the sentence, name both in ``blend``.

    Attributes:
        frequency: name of the list; it has to count forms where candidates are forms.
        length: the weight of length beside 1 of frequency, 0 or more.
    """

    frequency: str = "wordfreq"
    length: float = 0.5

    needs_gold: ClassVar[bool] = False

    def __post_init__(self) -> None:
        FREQUENCIES[self.frequency]
        if not (math.isfinite(self.length) and self.length >= 0):
            raise ValueError(f"length is {self.length:g}; expected 0 or more")

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the list's files."""
        return FREQUENCIES[self.frequency].inputs(resources)

    def open(self, resources: Resources, data: Dataset) -> SimplicityScorer:
        """Read the list."""
        return SimplicityScorer(FREQUENCIES[self.frequency].open(resources).frequency, self.length)


@dataclass(frozen=True, slots=True)
class SimplicityScorer(Scorer):
    """Scores the candidates of an item by an opened list.

    Attributes:
        look_up: word and part of speech to frequency, 0 where it is not listed.
        length: the weight of length.
    """

    look_up: Callable[[str, str], float]
    length: float

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the scores."""
        frequency, letters = self._terms(item, candidates)
        scores: list[float] = (frequency + letters).tolist()
        return scores

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return what frequency and length add."""
        frequency, letters = self._terms(item, candidates)
        return {"frequency": frequency.tolist(), "length": letters.tolist()}

    def _terms(
        self, item: Item, candidates: Sequence[Candidate]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        words = [candidate.substitute for candidate in candidates]
        counts = [min(self.look_up(one, item.pos) for one in word.split()) for word in words]
        known = [math.log10(count) for count in counts if count > 0]
        least = min(known, default=0.0) - 1
        logs = [math.log10(count) if count > 0 else least for count in counts]
        letters = np.array([len(word) for word in words], np.float64)
        return standard(np.array(logs)), -self.length * standard(letters)
