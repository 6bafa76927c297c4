"""Scorers for which scores and their parts are one piece of work."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from lexsub.items import Item
from lexsub.rankings import Candidate


class ExplainedScorer(ABC):
    """Base of scorers that work out scores and parts together."""

    __slots__ = ()

    @abstractmethod
    def explained(
        self, item: Item, candidates: Sequence[Candidate]
    ) -> tuple[Sequence[float], Mapping[str, Sequence[float]]]:
        """Return scores and parts."""

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the score of each candidate."""
        return self.explained(item, candidates)[0]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return what the scores are made of."""
        return self.explained(item, candidates)[1]
