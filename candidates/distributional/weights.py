"""From counts to weights: the numbers that measures compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from candidates.distributional.logarithm import ln
from candidates.distributional.measures.base import Weights

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Counts(NamedTuple):
    """Words by contexts, as counted; the words of one part of speech.

    Attributes:
        starts: (words + 1,) where each word's contexts start.
        contexts: (nonzeros,) context ids, rising within a word.
        counts: (nonzeros,) how often, at least 1.
        relations: (contexts,) id of the relation each context belongs to.
    """

    starts: NDArray[np.int64]
    contexts: NDArray[np.int32]
    counts: NDArray[np.uint32]
    relations: NDArray[np.int16]


class Weighted(NamedTuple):
    """Words by contexts, weighted; entries whose weight would be 0 are gone."""

    starts: NDArray[np.int64]
    contexts: NDArray[np.int32]
    weights: NDArray[np.float64]


def weigh(counts: Counts, kind: Weights) -> Weighted:
    """Weigh every count.

    ``probability``: P(f|w), the count over all counts of the word, unsmoothed.
    ``ppmi``: I(f, w) = ln P(f|w)/P(f) where positive, P(f) over all words of the part of
    speech (Weeds, Weir and McCarthy, 2004).
    ``ppmi-relation``: ln |w,r,w'| |*,r,*| / (|w,r,*| |*,r,w'|) where positive (Lin, 1998).
    ``presence``, ``ppmi-presence``: 1 for every context, or for those with I(f, w) > 0.
    """
    if kind == "presence":
        return Weighted(counts.starts, counts.contexts, np.ones(len(counts.contexts)))
    words = np.repeat(np.arange(len(counts.starts) - 1), np.diff(counts.starts))
    amount = counts.counts.astype(np.float64)
    if kind == "ppmi-relation":
        ratio = _association_within_relation(counts, words, amount)
    else:
        # Sums of whole numbers below 2**53: exact in any order.
        of_word = np.bincount(words, amount)
        if kind == "probability":
            probability = _by_block(len(words), lambda at: amount[at] / of_word[words[at]])
            return Weighted(counts.starts, counts.contexts, probability)
        marginal = np.bincount(counts.contexts, amount) / max(amount.sum(), 1.0)
        contexts = counts.contexts
        ratio = _by_block(
            len(words), lambda at: amount[at] / of_word[words[at]] / marginal[contexts[at]]
        )
    kept = ratio > 1.0
    starts = np.concatenate([[0], np.cumsum(kept)])[counts.starts]
    if kind == "ppmi-presence":
        weights = np.ones(int(starts[-1]))
    else:
        high = ratio[kept]
        weights = _by_block(len(high), lambda at: ln(high[at]))
    return Weighted(starts, counts.contexts[kept], weights)


BLOCK = 1 << 14
"""Numbers at a time: what is in between then stays in the processor's cache, where new memory for
millions of numbers, step by step, takes longer than the steps."""


def _by_block(size: int, compute: Callable[[slice], NDArray[np.float64]]) -> NDArray[np.float64]:
    computed = np.empty(size)
    for start in range(0, size, BLOCK):
        at = slice(start, start + BLOCK)
        computed[at] = compute(at)
    return computed


def _association_within_relation(
    counts: Counts, words: NDArray[np.int64], amount: NDArray[np.float64]
) -> NDArray[np.float64]:
    relation = counts.relations[counts.contexts].astype(np.int64)
    if not len(relation):
        return amount
    pair = words * (int(relation.max()) + 1) + relation
    of_word = np.bincount(pair, amount)[pair]
    of_relation = np.bincount(relation, amount)[relation]
    of_context = np.bincount(counts.contexts, amount)[counts.contexts]
    ratio: NDArray[np.float64] = (amount * of_relation) / (of_word * of_context)
    return ratio
