"""What a cut would score: coverage F of every prefix of a ranking."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import LexsubError
from lexsub.parts.base import Boundary, BoundaryContext
from lexsub.rankings import Ranking
from lexsub.storage.memory import BoundedCache

if TYPE_CHECKING:
    from lexsub.matching.seen import SeenItem

Floats = NDArray[np.float64]

T = TypeVar("T")

LARGEST = 10
"""No cut is longer: an oot list holds ten answers."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the first candidates of a ranking fare against the gold.

    Attributes:
        right: the human weight of each candidate, 0 for a wrong one, shape (candidates,).
        wrong: 1 for each wrong candidate; one that stood before is neither right nor wrong,
            nor is one that is no answer.
        total: the weight of all human answers, |H|.
    """

    right: Floats
    wrong: Floats
    total: float

    def f(self, penalty: float = 1.0) -> Floats:
        """Return coverage F of the first 1, 2, … candidates.

        With P = A / (A + k W) and R = A / H, F = 2 A / (A + k W + H) (Jabbari, Hepple and
        Guthrie, 2010).
        """
        a, w = np.cumsum(self.right), np.cumsum(self.wrong)
        return 2 * a / np.maximum(a + penalty * w + self.total, 1e-300)


def outcome(ranking: Ranking, item: SeenItem, largest: int = LARGEST) -> Outcome:
    """Compare the first candidates of a ranking with the gold."""
    worth = item.worth([entry.substitute for entry in ranking.ranked[:largest]])
    right = np.array([weight or 0.0 for weight in worth])
    return Outcome(right, np.array([float(weight == 0) for weight in worth]), item.total)


@dataclass(frozen=True, slots=True)
class CutBy:
    """A working boundary that is one function.

    Attributes:
        cut: ranking → how many of its first candidates are answers.
    """

    cut: Callable[[Ranking], int]


class Learned(Boundary):
    """A boundary that learns from a tuning split."""

    needs_gold: ClassVar[bool] = False
    needs_tuning: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Sample:
    """Rankings to learn from with their outcomes."""

    rankings: Sequence[Ranking]
    outcomes: Sequence[Outcome]

    def f(self, largest: int, penalty: float) -> Floats:
        """Return coverage F by item and n, shape (items, largest).

        A ranking that is shorter than n keeps what it has.
        """
        table = np.zeros((len(self.rankings), largest))
        for row, judged in enumerate(self.outcomes):
            scores = judged.f(penalty)[:largest]
            if len(scores):
                table[row, : len(scores)] = scores
                table[row, len(scores) :] = scores[-1]
        return table


def sample(context: BoundaryContext, strategy: str) -> Sample:
    """Return what a boundary may learn from.

    Raises:
        LexsubError: there is no tuning split, or none of its items has gold.
    """
    if context.tuning is None:
        raise LexsubError(
            f"boundary {strategy} learns from a tuning split and was given none: name one, of "
            "other items than those evaluated (tuning = … in the config)"
        )
    from lexsub.matching.seen import gold_under

    gold, memory = context.tuning.gold, Memory.of(context)
    seen = memory.once(gold, "seen", partial(gold_under, gold))
    kept = [r for r in context.tuning.rankings if r.id in seen and seen[r.id].is_scored]
    if not kept:
        raise LexsubError(
            f"boundary {strategy} learns from {gold.name}, but none of the rankings' items has "
            "gold there: the rankings are of other data"
        )
    return Sample(kept, [memory.once(r, "outcome", partial(outcome, r, seen[r.id])) for r in kept])


class Memory:
    """Keeps what strategies have computed of rankings and golds.

    A cross-validation learns from the same rankings fold by fold and strategy by strategy.  It
    hands one memory on to fits with the same golds and the same rankings of other systems, under
    ``memory`` in the options of :class:`BoundaryContext`; any other fit has one of its own.
    """

    def __init__(self, most: int = sys.maxsize) -> None:
        """Keep so many results at most; the one that came first goes first."""
        self._kept: BoundedCache[Hashable, tuple[object, object]] = BoundedCache(most)

    @classmethod
    def of(cls, context: BoundaryContext) -> Memory:
        """Return the memory handed on, or a new one."""
        given = context.options.get("memory")
        return given if isinstance(given, cls) else cls()

    def once(self, of: object, what: Hashable, make: Callable[[], T]) -> T:
        """Return what ``make`` returned when it was first asked for ``what`` of this object."""
        # Objects are compared by identity: comparing their content costs more than the cache saves.
        # The cache keeps them alive, so that no other object gets the same identity.
        found: T = self._kept.once((id(of), what), lambda: (of, make()))[1]  # type: ignore[assignment]
        return found
