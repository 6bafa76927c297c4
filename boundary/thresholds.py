"""Cut where a value of the scores passes a threshold; it, or a number, may be tuned."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from lexsub.boundary.curves import LARGEST, Learned, sample
from lexsub.boundary.top_n import Fixed, TopN
from lexsub.parts.base import BOUNDARIES, BoundaryContext
from lexsub.parts.limits import AboveZero, Natural, NotNegative, Positive
from lexsub.rankings import Ranking

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Threshold(Fixed):
    """Keep candidates from the top while their value is at least ``value``.

    Attributes:
        value: the threshold, in the unit of the strategy.
        largest: keep no more than this many.
        smallest: keep at least this many, where there are as many.
    """

    value: float = 0.0
    largest: Natural = LARGEST
    smallest: Natural = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.smallest > self.largest:
            raise ValueError(
                f"smallest is {self.smallest}; expected at most largest, {self.largest}"
            )

    @abstractmethod
    def values(self, scores: Floats) -> Floats:
        """Return a value for each candidate from the falling scores of all.

        Args:
            scores: shape (..., candidates), a row a ranking.

        Returns:
            the same shape.
        """

    def cut(self, ranking: Ranking) -> int:
        """Return how many candidates from the top reach the threshold."""
        values = self.running(scores_of(ranking))
        return min(len(values), max(self.smallest, int((values >= self.value).sum())))

    def running(self, scores: Floats) -> Floats:
        """Return the least value down to each of the first ``largest`` candidates.

        It never rises, so the number of those that reach a threshold is the cut.

        Args:
            scores: falling, shape (..., candidates), a row a ranking.

        Returns:
            shape (..., candidates), ``largest`` of them at most.
        """
        if not scores.size:
            return scores
        return np.minimum.accumulate(self.values(scores)[..., : self.largest], axis=-1)


def scores_of(ranking: Ranking) -> Floats:
    """Return the scores of a ranking's candidates, best first, shape (candidates,)."""
    return np.array([entry.score for entry in ranking.ranked], float)


@dataclass(frozen=True)
class ScoreThreshold(Threshold):
    """Keep candidates whose score is at least ``value``."""

    def values(self, scores: Floats) -> Floats:
        """Return the scores."""
        return scores


@dataclass(frozen=True)
class RelativeThreshold(Threshold):
    """Keep candidates whose score is at most -``value`` below the best; ``value`` ≤ 0."""

    value: float = -2.0

    def values(self, scores: Floats) -> Floats:
        """Return score minus best score."""
        return np.asarray(scores - scores[..., :1])


@dataclass(frozen=True)
class GapThreshold(Threshold):
    """Cut at the first gap between neighbours that is greater than -``value``; ``value`` ≤ 0."""

    value: float = -1.0

    def values(self, scores: Floats) -> Floats:
        """Return minus the gap to the candidate before."""
        return np.diff(scores, prepend=scores[..., :1])


@dataclass(frozen=True)
class MassThreshold(Threshold):
    """Keep candidates until their probabilities add up to 1 - ``value``.

    Probabilities are a softmax of the scores, base 10: scores are log10 probabilities up to
    a factor, ``temperature``.

    Attributes:
        temperature: above 1 flattens the probabilities.
    """

    value: float = 0.1
    temperature: AboveZero = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        # A learned one may lie a rounding below 0.
        if self.value < -1e-9 or self.value > 1:
            raise ValueError(f"value is {self.value}; expected a share from 0 to 1")

    def values(self, scores: Floats) -> Floats:
        """Return the mass not yet reached before each candidate."""
        weights = 10 ** ((scores - scores[..., :1]) / self.temperature)
        before = np.cumsum(weights, axis=-1) - weights
        left: Floats = 1 - before / weights.sum(axis=-1, keepdims=True)
        return left


@dataclass(frozen=True)
class TunedTopN(Learned):
    """The one n with the greatest mean coverage F on the tuning split, the smaller of equals.

    Attributes:
        penalty: weight of a wrong answer in precision.
        largest: greatest n.
    """

    penalty: NotNegative = 1.0
    largest: Positive = LARGEST

    def fit(self, context: BoundaryContext) -> TopN:
        """Return the fixed cut that does best."""
        means = sample(context, "tuned-top-n").f(self.largest, self.penalty).mean(axis=0)
        return TopN(int(means.argmax()) + 1)


@dataclass(frozen=True)
class Tuned(Learned):
    """A threshold strategy with the threshold of greatest mean coverage F on the tuning split.

    All thresholds that cut the tuning split differently are tried (up to ``steps`` of them,
    at equal shares of the values met); of equal ones the strictest wins.

    Attributes:
        strategy: which.
        penalty: weight of a wrong answer in precision.
        largest: keep no more than this many.
        smallest: keep at least this many, where there are as many.
        steps: how many thresholds are tried.
    """

    strategy: Literal["score", "relative-score", "gap", "mass"] = "relative-score"
    penalty: NotNegative = 1.0
    largest: Natural = LARGEST
    smallest: Natural = 1
    steps: Natural = 200

    def fit(self, context: BoundaryContext) -> Threshold:
        """Return the strategy with the threshold that does best."""
        seen = sample(context, f"tuned {self.strategy}")
        kind = cast(type[Threshold], BOUNDARIES[self.strategy])
        plain = kind(largest=self.largest, smallest=self.smallest)
        values = [plain.running(scores_of(ranking)) for ranking in seen.rankings]
        lengths = np.array([len(v) for v in values])
        # A row an item, filled up with NaN, which reaches no threshold.
        table = np.full((len(values), self.largest), np.nan)
        table[np.arange(self.largest) < lengths[:, None]] = np.concatenate(values)
        # Cut 0 scores 0: a column before the first.
        scores = np.pad(seen.f(self.largest, self.penalty), ((0, 0), (1, 0)))
        rows = np.arange(len(values))
        best, found = -1.0, plain.value
        candidates = np.unique(np.concatenate(values))
        picks = np.linspace(0, len(candidates) - 1, min(self.steps, len(candidates)))
        for threshold in candidates[picks.round().astype(int)][::-1]:
            cuts = np.count_nonzero(table >= threshold, axis=1)
            cuts = np.minimum(lengths, np.maximum(self.smallest, cuts))
            mean = float(scores[rows, cuts].mean())
            if mean > best:
                best, found = mean, float(threshold)
        return replace(plain, value=found)
