"""Scorers for which scores and their parts are one piece of work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lexsub.items import Item
from lexsub.parts.base import Explained, Scorer
from lexsub.rankings import Candidate


@dataclass(frozen=True)
class ExplainedScorer(Scorer):
    """Works out scores and parts together.

    Attributes:
        work: (item, candidates) → scores and parts.
    """

    work: Callable[[Item, Sequence[Candidate]], Explained]

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the score of each candidate."""
        return self.work(item, candidates)[0]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return what the scores are made of."""
        return self.work(item, candidates)[1]

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return both."""
        return self.work(item, candidates)
