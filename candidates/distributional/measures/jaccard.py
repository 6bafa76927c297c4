"""Jaccard's coefficient, of sets and of weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from lexsub.candidates.distributional.measures.base import (
    Formula,
    Number,
    Weights,
    itself,
)


def smaller(x: Number, y: Number, _constant: float) -> Number:
    """Return the smaller weight."""
    return np.minimum(x, y)


def one(x: Number, y: Number, _constant: float) -> Number:
    """Count a shared context."""
    return x * y


def intersection_over_union(total: Number, left: Number, right: Number, _constant: float) -> Number:
    """Divide by the size of the union."""
    return total / (left + right - total)


@dataclass(frozen=True)
class Jaccard:
    """Shared contexts over the contexts of either word.

    Weeds, Weir and McCarthy (2004, Table 1): "ja" with all contexts, "ja+mi" with those of
    positive information.

    Attributes:
        contexts: ``all``, or ``ppmi`` for those with P(f|w) > P(f).
    """

    contexts: Literal["all", "ppmi"] = "all"

    higher_is_closer: ClassVar[bool] = True

    def formula(self) -> Formula:
        """Return the functions to use."""
        weights: Weights = "presence" if self.contexts == "all" else "ppmi-presence"
        return Formula(weights, itself, one, intersection_over_union)


@dataclass(frozen=True)
class WeightedJaccard:
    """Sum of the smaller weights over sum of the larger ones.

    The multiset form that Byblo (Sussex) computes; 1994 already in Grefenstette's SEXTANT.

    Attributes:
        weights: ``probability`` or ``ppmi``.
    """

    weights: Literal["probability", "ppmi"] = "ppmi"

    higher_is_closer: ClassVar[bool] = True

    def formula(self) -> Formula:
        """Return the functions to use."""
        return Formula(self.weights, itself, smaller, intersection_over_union)
