"""The l1 distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lexsub.candidates.distributional.measures.base import Formula, Number, itself


def gain_over_disjoint(x: Number, y: Number, _constant: float) -> Number:
    """Return |x-y| - x - y, how much a shared context lowers the distance of two words."""
    return abs(x - y) - x - y


def from_disjoint(total: Number, left: Number, right: Number, _constant: float) -> Number:
    """Start from what is reached when nothing is shared, |x| + |y|."""
    return left + right + total


@dataclass(frozen=True)
class L1:
    """Sum of |P(f|w1) - P(f|w2)| over the contexts of either word, from 0 to 2.

    Weeds, Weir and McCarthy (2004, Table 1).
    """

    higher_is_closer: ClassVar[bool] = False

    def formula(self) -> Formula:
        """Return the functions to use."""
        return Formula("probability", itself, gain_over_disjoint, from_disjoint)
