"""The expected coverage F of every cut, given how probable candidates are; sizes of golds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexsub.items import Lexelt
from lexsub.rankings import Ranking

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """How much people's answers weigh, as met in the tuning split.

    Attributes:
        hit: probability of each weight 1, 2, … of a right candidate, shape (weights,).
        total: probability of each total 0, 1, … of an item, shape (totals,).
    """

    hit: Floats
    total: Floats

    @classmethod
    def of(cls, hits: Sequence[float], totals: Sequence[float]) -> Weights:
        """Return the shares of the (rounded) weights and totals met."""
        hit = np.bincount(np.maximum(1, np.rint(hits)).astype(int))[1:] if len(hits) else [1]
        total = np.bincount(np.maximum(1, np.rint(totals)).astype(int))
        return cls(np.asarray(hit) / np.sum(hit), total / total.sum())


def plug_in(chances: Floats, weights: Weights, penalty: float) -> Floats:
    """Return F of the expected sums for each cut: quick, and biased."""
    mean = float((np.arange(1, len(weights.hit) + 1) * weights.hit).sum())
    total = float((np.arange(len(weights.total)) * weights.total).sum())
    right = np.cumsum(chances) * mean
    wrong = np.cumsum(1 - chances)
    return 2 * right / (right + penalty * wrong + total)


@dataclass(frozen=True)
class Exact:
    """The exact expectation of F, with its table made once for all rankings.

    Candidates are right independently of each other with the given chances, a right one has
    a weight drawn from ``weights.hit``, the item's total is drawn from those of
    ``weights.total`` that are at least the weight found.

    Attributes:
        values: expected F by right and wrong answers, shape (largest + 1, largest + 1).
    """

    values: Floats

    @classmethod
    def of(cls, weights: Weights, penalty: float, largest: int) -> Exact:
        """Make the table for rankings of up to ``largest`` candidates."""
        weight_found = np.arange(largest * len(weights.hit) + 1, dtype=np.float64)
        size = max(len(weights.total), len(weight_found))
        total = np.arange(size, dtype=np.float64)
        prior = np.zeros(size)
        prior[: len(weights.total)] = weights.total
        given = np.where(total[None, :] >= weight_found[:, None], prior[None, :], 0.0)
        # Where more was found than any total seen in training, the total is what was found.
        beyond = given.sum(axis=1) == 0
        given[beyond, weight_found[beyond].astype(int)] = 1.0
        given /= given.sum(axis=1, keepdims=True)
        wrong = np.arange(largest + 1, dtype=np.float64)
        below = weight_found[:, None, None] + penalty * wrong[None, :, None] + total[None, None, :]
        ratio = 2 * weight_found[:, None, None] / np.maximum(below, 1e-300)
        by_weight = (ratio * given[:, None, :]).sum(axis=2)
        # How much so many right answers weigh together does not depend on which they are.
        weight = np.zeros((largest + 1, len(weight_found)))
        weight[0, 0] = 1.0
        next_weight = np.concatenate([[0.0], weights.hit])
        for right in range(1, largest + 1):
            weight[right] = np.convolve(weight[right - 1], next_weight)[: len(weight_found)]
        return cls(weight @ by_weight)

    def __call__(self, chances: Floats) -> Floats:
        """Return the expectation of F for each cut.

        The distribution of the number of right answers grows candidate by candidate.
        """
        state = np.zeros(len(chances) + 1)
        state[0] = 1.0
        scores = np.zeros(len(chances))
        for n, chance in enumerate(chances, start=1):
            right = np.arange(n + 1)
            state[1 : n + 1] = (1 - chance) * state[1 : n + 1] + chance * state[:n]
            state[0] *= 1 - chance
            scores[n - 1] = state[: n + 1] @ self.values[right, n - right]
        return scores


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
