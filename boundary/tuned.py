"""Strategies that learn their one parameter from a tuning split."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, cast

import numpy as np

from lexsub.boundary.curves import LARGEST, sample
from lexsub.boundary.thresholds import Threshold, scores_of
from lexsub.boundary.top_n import TopN
from lexsub.parts.base import BOUNDARIES, BoundaryContext


@dataclass(frozen=True)
class TunedTopN:
    """The one n with the greatest mean coverage F on the tuning split, the smaller of equals.

    Attributes:
        penalty: weight of a wrong answer in precision.
        largest: greatest n.
    """

    penalty: float = 1.0
    largest: int = LARGEST

    needs_gold: ClassVar[bool] = False
    needs_tuning: ClassVar[bool] = True

    def fit(self, context: BoundaryContext) -> TopN:
        """Return the fixed cut that does best."""
        means = sample(context, "tuned-top-n").f(self.largest, self.penalty).mean(axis=0)
        return TopN(int(means.argmax()) + 1)


@dataclass(frozen=True)
class Tuned:
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
    penalty: float = 1.0
    largest: int = LARGEST
    smallest: int = 1
    steps: int = 200

    needs_gold: ClassVar[bool] = False
    needs_tuning: ClassVar[bool] = True

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
