"""Give as many best answers as the expected best score is greatest for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import numpy as np
from annotated_types import Le
from numpy.typing import NDArray

from lexsub.boundary.curves import CutBy, Learned, sample
from lexsub.boundary.features import Others, features
from lexsub.errors import needing
from lexsub.parts.base import BoundaryContext
from lexsub.parts.limits import Positive
from lexsub.rankings import Ranking

Floats = NDArray[np.float64]

NEEDS = ("scikit-learn", "learn", "boundary expected-best")
"""A library, the extra that brings it, and what wants it."""


@dataclass(frozen=True)
class ExpectedBest(Learned):
    """Learn which share of the human answers each candidate has, then cut for the best score.

    ``best`` divides an item's credit by the number of answers (McCarthy and Navigli, 2007,
    section 4.1), so its expectation for n answers is the mean of their expected shares.  It
    exceeds that of one answer only where a later candidate is expected to have a greater share
    than the first, and equals it where they are level; mode credit goes by the first answer
    alone.  So one answer is nearly always right, and this strategy says where it is not.

    Attributes:
        others: names of systems of the same run, over the same candidates, whose rankings
            are looked at too.
        largest: give no more than this many.
        trees: how many trees of eight leaves the learner boosts.
        leaf: candidates that a leaf rests on, at least.
    """

    others: tuple[str, ...] = ()
    largest: Positive = 5
    trees: Annotated[Positive, Le(100_000)] = 60
    leaf: Positive = 30

    extras = (("sklearn", *NEEDS),)

    def fit(self, context: BoundaryContext) -> CutBy:
        """Learn shares from the tuning split.

        Raises:
            LexsubError: no tuning split, or none of its items has gold.
            MissingExtraError: scikit-learn is not installed.
        """
        with needing(*NEEDS):
            from sklearn.ensemble import HistGradientBoostingRegressor

        seen = sample(context, "expected-best")
        given: Any = context.options.get("others", {})
        rows = [features(r, self.others, given, self.largest) for r in seen.rankings]
        shares = [
            one.right[: len(row)] / one.total for one, row in zip(seen.outcomes, rows, strict=True)
        ]
        x, y = np.concatenate(rows), np.concatenate(shares)
        # Trees, because they learn interactions: whether the second answer is likely to be better
        # than the first depends on the item, which an additive model cannot express.
        model = HistGradientBoostingRegressor(
            max_iter=self.trees,
            learning_rate=0.05,
            max_leaf_nodes=8,
            min_samples_leaf=self.leaf,
            early_stopping=False,
            random_state=context.seed,
        ).fit(x, y)
        return CutBy(partial(self._cut, model.predict, given))

    def _cut(self, share: Callable[[Floats], Floats], given: Others, ranking: Ranking) -> int:
        """Return the n of the greatest expected best score, the smaller of equals."""
        if not ranking.ranked:
            return 0
        shares = share(features(ranking, self.others, given, self.largest))
        return int((np.cumsum(shares) / np.arange(1, len(shares) + 1)).argmax()) + 1
