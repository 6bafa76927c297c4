"""Scorers whose scores and parts are one piece of work, among them those that are one function."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lexsub.datasets import Item
from lexsub.parts.base import Explained, Scorer
from lexsub.rankings import Candidate


class JointScorer(Scorer):
    """Works out scores and parts together; a subclass says how, once."""

    @abstractmethod
    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return both."""

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the score of each candidate."""
        return self.explained(item, candidates)[0]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return what the scores are made of."""
        return self.explained(item, candidates)[1]


@dataclass(frozen=True)
class ExplainedScorer(JointScorer):
    """A scorer that is one function.

    Attributes:
        work: (item, candidates) → scores and parts.
    """

    work: Callable[[Item, Sequence[Candidate]], Explained]

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return both."""
        return self.work(item, candidates)


def one_by_one(name: str, score: Callable[[Item, str], float]) -> ExplainedScorer:
    """Return what scores each substitute by itself.

    Args:
        name: of the score, for explanations.
        score: (item, substitute) → score.
    """

    def work(item: Item, candidates: Sequence[Candidate]) -> Explained:
        scores = [score(item, candidate.substitute) for candidate in candidates]
        return scores, {name: scores}

    return ExplainedScorer(work)
