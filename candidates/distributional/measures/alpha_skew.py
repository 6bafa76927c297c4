"""The alpha-skew divergence ("lee")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from lexsub.candidates.distributional.logarithm import ln
from lexsub.candidates.distributional.measures.base import Formula, Number, itself


def gain_target_first(x: Number, y: Number, alpha: float) -> Number:
    """Return what a shared context takes off D(p || alpha q + (1-alpha) p), p the target."""
    # In this order the division depends on the target alone.
    return -x * ln(1.0 + y * (alpha / ((1.0 - alpha) * x)))


def gain_candidate_first(x: Number, y: Number, alpha: float) -> Number:
    """Return the same with p the candidate."""
    return -y * ln(1.0 + (alpha * x) / ((1.0 - alpha) * y))


def from_disjoint(total: Number, _left: Number, _right: Number, alpha: float) -> Number:
    """Start from what is reached when nothing is shared, log 1/(1-alpha)."""
    return total - ln(1.0 - alpha)


@dataclass(frozen=True)
class AlphaSkew:
    """D(p || alpha q + (1-alpha) p), the Kullback-Leibler divergence made finite (Lee, 1999).

    The sum runs over p's contexts; one that q lacks adds p log 1/(1-alpha).

    Attributes:
        alpha: how much of q is mixed in, above 0 and below 1.
        direction: which word is p: ``target`` as in Weeds, Weir and McCarthy (2004), or
            ``candidate``, as Lee's own notation reads when taken literally.
    """

    alpha: float = 0.99
    direction: Literal["target", "candidate"] = "target"

    higher_is_closer: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise ValueError(f"alpha is {self.alpha}; expected a number above 0 and below 1")

    def formula(self) -> Formula:
        """Return the functions to use."""
        shared = gain_target_first if self.direction == "target" else gain_candidate_first
        return Formula("probability", itself, shared, from_disjoint, self.alpha)
