"""The cosine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from lexsub.candidates.distributional.measures.base import Formula, Number, square


def product(x: Number, y: Number, _constant: float) -> Number:
    """Return the product of the weights."""
    return x * y


def over_lengths(total: Number, left: Number, right: Number, _constant: float) -> Number:
    """Divide by both lengths; the sizes are their squares."""
    return total / np.sqrt(left * right)


@dataclass(frozen=True)
class Cosine:
    """The cosine of the angle between two words' weights.

    On probabilities as in Weeds, Weir and McCarthy (2004, Table 1) and, so the figures
    say, McCarthy and Navigli (2007).

    Attributes:
        weights: ``probability``, or ``ppmi`` for positive pointwise mutual information.
    """

    weights: Literal["probability", "ppmi"] = "probability"

    higher_is_closer: ClassVar[bool] = True

    def formula(self) -> Formula:
        """Return the functions to use."""
        return Formula(self.weights, square, product, over_lengths)
