"""The similarities and distances of two words, each three short functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Lt

from lexsub.candidates.distributional import measures
from lexsub.candidates.distributional.measures import Formula, Number, Similarity, Weights
from lexsub.candidates.distributional.weights import ln
from lexsub.parts.limits import AboveZero


def gain_target_first(x: Number, y: Number, alpha: float) -> Number:
    """Return what a shared context takes off D(p || alpha q + (1-alpha) p), p the target."""
    # In this order the division depends on the target alone.
    return -x * ln(1.0 + y * (alpha / ((1.0 - alpha) * x)))


def gain_candidate_first(x: Number, y: Number, alpha: float) -> Number:
    """Return the gain with p for the candidate instead."""
    return -y * ln(1.0 + (alpha * x) / ((1.0 - alpha) * y))


def from_log_of_rest(total: Number, _left: Number, _right: Number, alpha: float) -> Number:
    """Start from what is reached when nothing is shared, log 1/(1-alpha)."""
    return total - ln(1.0 - alpha)


@dataclass(frozen=True)
class AlphaSkew(Similarity):
    """D(p || alpha q + (1-alpha) p), the Kullback-Leibler divergence made finite (Lee, 1999).

    The sum runs over p's contexts; one that q lacks adds p log 1/(1-alpha).

    Attributes:
        alpha: how much of q is mixed in, above 0 and below 1.
        direction: which word is p: ``target`` as in Weeds, Weir and McCarthy (2004), or
            ``candidate``, as Lee's own notation reads when taken literally.
    """

    alpha: Annotated[AboveZero, Lt(1)] = 0.99
    direction: Literal["target", "candidate"] = "target"

    higher_is_closer: ClassVar[bool] = False

    def formula(self) -> Formula:
        """Return the functions to use."""
        shared = gain_target_first if self.direction == "target" else gain_candidate_first
        return Formula("probability", measures.itself, shared, from_log_of_rest, self.alpha)


def product(x: Number, y: Number, _constant: float) -> Number:
    """Return the product of the weights; of presences, which are 1, it counts the context."""
    return x * y


def over_lengths(total: Number, left: Number, right: Number, _constant: float) -> Number:
    """Divide by both lengths; the sizes are their squares."""
    return total / np.sqrt(left * right)


@dataclass(frozen=True)
class Cosine(Similarity):
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
        return Formula(self.weights, measures.square, product, over_lengths)


def smaller(x: Number, y: Number, _constant: float) -> Number:
    """Return the smaller weight."""
    return np.minimum(x, y)


def intersection_over_union(total: Number, left: Number, right: Number, _constant: float) -> Number:
    """Divide by the size of the union."""
    return total / (left + right - total)


@dataclass(frozen=True)
class Jaccard(Similarity):
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
        return Formula(weights, measures.itself, product, intersection_over_union)


@dataclass(frozen=True)
class WeightedJaccard(Similarity):
    """Sum of the smaller weights over sum of the larger ones.

    The multiset form that Byblo (Sussex) computes; 1994 already in Grefenstette's SEXTANT.

    Attributes:
        weights: ``probability`` or ``ppmi``.
    """

    weights: Literal["probability", "ppmi"] = "ppmi"

    higher_is_closer: ClassVar[bool] = True

    def formula(self) -> Formula:
        """Return the functions to use."""
        return Formula(self.weights, measures.itself, smaller, intersection_over_union)


LN2 = 0.6931471805599453


def gain_on_mean(x: Number, y: Number, _constant: float) -> Number:
    """Return what a shared context takes off the divergence of two words."""
    return 0.5 * (x * ln(x / (x + y)) + y * ln(y / (x + y)))


def from_log_two(total: Number, _left: Number, _right: Number, _constant: float) -> Number:
    """Start from what is reached when nothing is shared, log 2."""
    return total + LN2


@dataclass(frozen=True)
class JensenShannon(Similarity):
    """Half D(p || m) plus half D(q || m), m the mean of p and q; natural logarithms, 0 to log 2.

    Lin (1991); as a similarity of words in Dagan, Lee and Pereira (1999).
    """

    higher_is_closer: ClassVar[bool] = False

    def formula(self) -> Formula:
        """Return the functions to use."""
        return Formula("probability", measures.itself, gain_on_mean, from_log_two)


def overlap_of_shares(x: Number, y: Number, _constant: float) -> Number:
    """Return |x-y| - x - y, how much a shared context lowers the distance of two words."""
    return abs(x - y) - x - y


def sum_of_sizes_and_gain(total: Number, left: Number, right: Number, _constant: float) -> Number:
    """Start from what is reached when nothing is shared, |x| + |y|."""
    return left + right + total


@dataclass(frozen=True)
class L1(Similarity):
    """Sum of |P(f|w1) - P(f|w2)| over the contexts of either word, from 0 to 2.

    Weeds, Weir and McCarthy (2004, Table 1).
    """

    higher_is_closer: ClassVar[bool] = False

    def formula(self) -> Formula:
        """Return the functions to use."""
        return Formula("probability", measures.itself, overlap_of_shares, sum_of_sizes_and_gain)


def information_of_both(x: Number, y: Number, _constant: float) -> Number:
    """Add what the context tells about either word."""
    return x + y


def share_of_all_information(
    total: Number, left: Number, right: Number, _constant: float
) -> Number:
    """Divide by all that is told about both words."""
    return total / (left + right)


@dataclass(frozen=True)
class Lin(Similarity):
    """Information in shared contexts over information in all contexts of both words.

    Lin (1998, P98-2127), with I(f, w) = log P(f|w)/P(f) where positive, as Weeds, Weir and
    McCarthy (2004, Table 1) and McCarthy et al. (2007) use it.

    Attributes:
        marginals: ``word`` for P(f) over all contexts; ``relation`` for Lin's own, within
            the context's relation.
    """

    marginals: Literal["word", "relation"] = "word"

    higher_is_closer: ClassVar[bool] = True

    def formula(self) -> Formula:
        """Return the functions to use."""
        weights: Weights = "ppmi" if self.marginals == "word" else "ppmi-relation"
        return Formula(weights, measures.itself, information_of_both, share_of_all_information)
