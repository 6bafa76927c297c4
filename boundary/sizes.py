"""How much people said of an item, as far as its ranking shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexsub.items import Lexelt
from lexsub.rankings import Ranking

Floats = NDArray[np.float64]

STRENGTH = 1.0
"""Of the ridge penalty, in items."""


@dataclass(frozen=True)
class Sizes:
    """Groups of items by the total that a linear model expects of them.

    Attributes:
        weights: of the item's features, the last the constant.
        edges: expected totals at which the next group begins.
    """

    weights: Floats
    edges: Floats

    @classmethod
    def learn(
        cls,
        rankings: Sequence[Ranking],
        chances: Sequence[Floats],
        totals: Sequence[float],
        groups: int,
    ) -> tuple[Sizes, NDArray[np.int64]]:
        """Fit the model by ridge regression and part the items into groups of one size.

        Args:
            rankings: of items with gold.
            chances: of their first candidates of being right.
            totals: weight of all human answers of each item.
            groups: how many groups.

        Returns:
            The groups, and the group of each item.
        """
        x = np.stack([describe(r, c) for r, c in zip(rankings, chances, strict=True)])
        penalty = STRENGTH * np.eye(x.shape[1])
        penalty[-1, -1] = 0.0
        # The constant may take any value, so the system always has one solution but for it.
        weights = np.linalg.lstsq(x.T @ x + penalty, x.T @ np.array(totals), rcond=None)[0]
        edges = np.quantile(x @ weights, np.arange(1, groups) / groups)
        sizes = cls(weights, edges)
        return sizes, np.searchsorted(edges, x @ weights, side="right")

    def group(self, ranking: Ranking, chances: Floats) -> int:
        """Return the group of an item."""
        expected = float(describe(ranking, chances) @ self.weights)
        return int(np.searchsorted(self.edges, expected, side="right"))


def describe(ranking: Ranking, chances: Floats) -> Floats:
    """Return an item's features: chances (their sum, the first, their evenness), part of speech."""
    share = chances / max(chances.sum(), 1e-12)
    entropy = -(share * np.log(np.maximum(share, 1e-12))).sum()
    pos = Lexelt.parse(ranking.lexelt).pos
    first = chances[0] if len(chances) else 0.0
    return np.array([chances.sum(), first, entropy, *(float(pos == one) for one in "nvar"), 1.0])
