"""The best cut of every item: what no strategy can exceed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from lexsub.boundary.curves import LARGEST, CutBy, Memory, outcome
from lexsub.errors import LexsubError
from lexsub.matching.seen import SeenGold, gold_under
from lexsub.parts.base import Boundary, BoundaryContext
from lexsub.parts.limits import NotNegative, Positive
from lexsub.rankings import Ranking


@dataclass(frozen=True)
class OracleCut(Boundary):
    """Cut each ranking where its coverage F is greatest; evaluation only.

    Its mean F is the "optimal F" of Jabbari, Hepple and Guthrie (2010), table 2.

    Attributes:
        penalty: weight of a wrong answer in precision.
        largest: keep no more than this many.
    """

    penalty: NotNegative = 1.0
    largest: Positive = LARGEST

    needs_gold: ClassVar[bool] = True
    needs_tuning: ClassVar[bool] = False

    def fit(self, context: BoundaryContext) -> CutBy:
        """Take the gold.

        Raises:
            LexsubError: there is none.
        """
        if context.gold is None:
            raise LexsubError("boundary oracle looks at the gold and was given none")
        gold = context.gold
        seen = Memory.of(context).once(gold, "seen", partial(gold_under, gold))
        return CutBy(partial(self._cut, seen))

    def _cut(self, gold: SeenGold, ranking: Ranking) -> int:
        """Return the shortest of the best cuts; 1 where nothing is right or there is no gold."""
        item = gold.get(ranking.id)
        if not ranking.ranked:
            return 0
        if item is None or not item.is_scored:
            return 1
        return int(outcome(ranking, item, self.largest).f(self.penalty).argmax()) + 1
