"""The first n candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lexsub.parts.base import BoundaryContext
from lexsub.rankings import Ranking


@dataclass(frozen=True)
class TopN:
    """Keep the first ``n`` candidates (all, where there are fewer).

    Attributes:
        n: how many to keep; 1 for best, 10 for oot (McCarthy and Navigli, 2007).
    """

    n: int = 10

    needs_gold: ClassVar[bool] = False
    needs_tuning: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError(f"n is {self.n}; expected a whole number of at least 1")

    def fit(self, context: BoundaryContext) -> TopN:
        """Return itself: there is nothing to learn."""
        return self

    def cut(self, ranking: Ranking) -> int:
        """Return ``n`` or the length of the ranking, whichever is less."""
        return min(self.n, len(ranking.ranked))
