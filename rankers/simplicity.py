"""Simple words first: frequent ones, and short ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
from annotated_types import Lt

from lexsub.datasets import Dataset, Item
from lexsub.frequency import FREQUENCIES
from lexsub.parts.base import Explained
from lexsub.parts.limits import NotNegative
from lexsub.rankers.baselines import ByFrequency
from lexsub.rankers.blend import standard
from lexsub.rankers.explained import ExplainedScorer
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class Simplicity(ByFrequency):
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
    length: Annotated[NotNegative, Lt(math.inf)] = 0.5

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Read the list."""
        look_up = FREQUENCIES[self.frequency].open(resources).frequency
        return ExplainedScorer(partial(self._explained, look_up))

    def _explained(
        self, look_up: Callable[[str, str], float], item: Item, candidates: Sequence[Candidate]
    ) -> Explained:
        """Return the scores, and what frequency and length add."""
        words = [candidate.substitute for candidate in candidates]
        counts = [min(look_up(one, item.pos) for one in word.split()) for word in words]
        known = [math.log10(count) for count in counts if count > 0]
        least = min(known, default=0.0) - 1
        logs = [math.log10(count) if count > 0 else least for count in counts]
        frequency = standard(np.array(logs))
        letters = -self.length * standard(np.array([len(word) for word in words], np.float64))
        parts = {"frequency": frequency.tolist(), "length": letters.tolist()}
        return (frequency + letters).tolist(), parts
