"""From counts to weights: the numbers that measures compare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.distributional.measures import Weights

Floats = NDArray[np.float64]


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


class Sums(NamedTuple):
    """The tokens of a part of speech.

    Attributes:
        of_context: (contexts,) those of each context.
        of_relation: (relations,) those of each relation.
        of_all: all of them, shape ().
    """

    of_context: Floats
    of_relation: Floats
    of_all: Floats


def add_up(parts: Iterable[Counts]) -> Sums:
    """Return the sums of a part of speech, given the counts of some words after the other.

    They are sums of whole numbers below 2**53: exact in any order.
    """
    of_context, relations = np.zeros(0), np.zeros(0, np.int16)
    for part in parts:
        relations = part.relations
        of_part = summed(part.contexts, part.counts.astype(np.float64), len(relations))
        of_context = of_context + of_part if len(of_context) else of_part
    return Sums(of_context, summed(relations, of_context), of_context.sum())


def weigh(counts: Counts, kind: Weights, sums: Sums | None = None) -> Weighted:
    """Weigh every count.

    Args:
        counts: of all words of a part of speech, or of some of them.
        kind: which weights.
        sums: of all words, where the counts are those of some.

    ``probability``: P(f|w), the count over all counts of the word, unsmoothed.
    ``ppmi``: I(f, w) = ln P(f|w)/P(f) where positive, P(f) over all words of the part of
    speech (Weeds, Weir and McCarthy, 2004).
    ``ppmi-relation``: ln |w,r,w'| |*,r,*| / (|w,r,*| |*,r,w'|) where positive (Lin, 1998).
    ``presence``, ``ppmi-presence``: 1 for every context, or for those with I(f, w) > 0.
    """
    if kind == "presence":
        return Weighted(counts.starts, counts.contexts, np.ones(len(counts.contexts)))
    contexts = counts.contexts
    words = np.repeat(np.arange(len(counts.starts) - 1), np.diff(counts.starts))
    amounts = counts.counts.astype(np.float64)
    of_context, of_relation, all_tokens = add_up([counts]) if sums is None else sums
    if kind == "ppmi-relation":
        relations = counts.relations[contexts].astype(np.int64)
        within = tokens_within(words, relations, amounts)

        def tokens(at: slice) -> tuple[Floats, Floats | float]:
            return within[at], of_relation[relations[at]]
    else:
        of_word, of_all = summed(words, amounts), float(all_tokens)

        def tokens(at: slice) -> tuple[Floats, Floats | float]:
            return of_word[words[at]], of_all

    weights = np.empty(len(words))
    for start in range(0, len(words), BLOCK):
        at = slice(start, start + BLOCK)
        word, every = tokens(at)
        weights[at] = entry_weights(kind, amounts[at], word, of_context[contexts[at]], every)
    kept = weights > 0.0
    starts = np.concatenate([[0], np.cumsum(kept)])[counts.starts]
    return Weighted(starts, contexts[kept], weights[kept])


BLOCK = 1 << 14
"""Numbers at a time: what is in between then stays in the processor's cache, where new memory for
millions of numbers, step by step, takes longer than the steps."""


def entry_weights(
    kind: Weights, amounts: Floats, of_word: Floats, of_context: Floats, of_all: Floats | float
) -> Floats:
    """Return the weights of some counts, 0 for those that have none; see :func:`weigh`.

    Args:
        kind: which weights.
        amounts: the counts, shape (entries,).
        of_word: the tokens of their words, within the relation for ``ppmi-relation``.
        of_context: the tokens of their contexts.
        of_all: the tokens of all words, within the relation for ``ppmi-relation``.
    """
    if kind == "presence":
        return np.ones(len(amounts))
    if kind == "ppmi-relation":
        ratio = amounts * of_all / (of_word * of_context)
    else:
        probability = amounts / of_word
        if kind == "probability":
            return probability
        ratio = probability / (of_context / of_all)
    kept = ratio > 1.0
    if kind == "ppmi-presence":
        return kept.astype(np.float64)
    return positive_pmi(ratio)


def positive_pmi(ratio: Floats, shift: float = 0.0) -> Floats:
    """Return max(0, ln ratio - shift) of joint probabilities over those of chance.

    Args:
        ratio: P(w, c) / (P(w) P(c)), any shape.
        shift: what is taken off, 0 or more.
    """
    weights = np.zeros(len(ratio))
    above = ratio > 1.0
    weights[above] = np.maximum(ln(ratio[above]) - shift, 0.0)
    return weights


def tokens_within(
    words: NDArray[np.int64], relations: NDArray[np.int64], amounts: Floats
) -> Floats:
    """Return for each entry the tokens of its word within the relation of its context."""
    pairs = words * (int(relations.max(initial=0)) + 1) + relations
    of_pairs: Floats = summed(pairs, amounts)[pairs]
    return of_pairs


def summed(ids: NDArray[Any], amounts: Floats, least: int = 0) -> Floats:
    """Return the sums of amounts by their ids, for ``least`` ids at least."""
    return np.bincount(ids, amounts, least).astype(np.float64, copy=False)


_SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10


def ln(x: Any) -> Any:
    """Return the natural logarithm of positive, normal float64 numbers.

    Its bits are the same everywhere.  Mathematical libraries differ in the last one: numpy chooses
    an implementation by processor, and compiled code calls another one.  A neighbour list must not
    depend on that, so it is computed from operations that IEEE 754 defines exactly.

    Takes a number or an array of them.  The error stays below one unit in the
    last place: x = 2**k (1 + f) with 1 + f between the square roots of 1/2 and 2, and
    log(1 + f) by the minimax polynomial of Sun's fdlibm (``e_log.c``, 1993).
    """
    # The conversions change nothing; numba sees the types by them.
    bits = np.float64(x).view(np.int64)
    k = (bits - _SQRT_HALF_BITS) >> 52
    f = np.int64(bits - (k << 52)).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    r = 1.531383769920937332e-01 + z * 1.479819860511658591e-01
    r = 1.818357216161805012e-01 + z * r
    r = 2.222219843214978396e-01 + z * r
    r = 2.857142874366239149e-01 + z * r
    r = 3.999999999940941908e-01 + z * r
    r = z * (6.666666666666735130e-01 + z * r)
    half = 0.5 * f * f
    return k * _LN2_HIGH - ((half - (s * (half + r) + k * _LN2_LOW)) - f)
