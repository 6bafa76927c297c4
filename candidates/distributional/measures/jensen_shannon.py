"""The Jensen-Shannon divergence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lexsub.candidates.distributional.logarithm import ln
from lexsub.candidates.distributional.measures.base import Formula, Number, itself

LN2 = 0.6931471805599453


def gain_over_disjoint(x: Number, y: Number, _constant: float) -> Number:
    """Return what a shared context takes off the divergence of two words."""
    return 0.5 * (x * ln(x / (x + y)) + y * ln(y / (x + y)))


def from_disjoint(total: Number, _left: Number, _right: Number, _constant: float) -> Number:
    """Start from what is reached when nothing is shared, log 2."""
    return total + LN2


@dataclass(frozen=True)
class JensenShannon:
    """Half D(p || m) plus half D(q || m), m the mean of p and q; natural logarithms, 0 to log 2.

    Lin (1991); as a similarity of words in Dagan, Lee and Pereira (1999).
    """

    higher_is_closer: ClassVar[bool] = False

    def formula(self) -> Formula:
        """Return the functions to use."""
        return Formula("probability", itself, gain_over_disjoint, from_disjoint)
