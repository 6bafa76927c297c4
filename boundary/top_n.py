"""Cut at a number."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

from lexsub.parts.base import Boundary, BoundaryContext
from lexsub.parts.limits import Positive
from lexsub.rankings import Ranking


class Fixed(Boundary):
    """A boundary that has nothing to learn."""

    needs_gold: ClassVar[bool] = False
    needs_tuning: ClassVar[bool] = False

    def fit(self, context: BoundaryContext) -> Self:
        """Return itself."""
        return self

    @abstractmethod
    def cut(self, ranking: Ranking) -> int:
        """Return how many of the ranking's first candidates are answers."""


@dataclass(frozen=True)
class TopN(Fixed):
    """Keep the first ``n`` candidates (all, where there are fewer).

    Attributes:
        n: how many to keep; 1 for best, 10 for oot (McCarthy and Navigli, 2007).
    """

    n: Positive = 10

    def cut(self, ranking: Ranking) -> int:
        """Return ``n`` or the length of the ranking, whichever is less."""
        return min(self.n, len(ranking.ranked))
