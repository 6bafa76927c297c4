"""The more frequent word first, whatever the sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lexsub.datasets import Dataset
from lexsub.frequency import FREQUENCIES, Frequencies
from lexsub.items import Item
from lexsub.rankers.registry import RANKERS
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@RANKERS.register("frequency")
@dataclass(frozen=True)
class FrequencyRanker:
    """Order candidates by a frequency list; those it does not know come last, in source order.

    Attributes:
        frequency: name of the list.
    """

    frequency: str = "semcor"

    needs_gold: ClassVar[bool] = False

    def __post_init__(self) -> None:
        FREQUENCIES[self.frequency]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the list's files."""
        return FREQUENCIES[self.frequency].inputs(resources)

    def open(self, resources: Resources, data: Dataset) -> FrequencyScorer:
        """Read the list."""
        del data
        return FrequencyScorer(FREQUENCIES[self.frequency].open(resources))


@dataclass(frozen=True, slots=True)
class FrequencyScorer:
    """Looks frequencies up."""

    frequencies: Frequencies

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return each candidate's frequency as the item's part of speech."""
        return [self.frequencies.frequency(c.substitute, item.pos) for c in candidates]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return the frequencies."""
        return {"frequency": self.scores(item, candidates)}
