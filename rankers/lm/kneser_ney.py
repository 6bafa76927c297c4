"""The formulas of modified interpolated Kneser-Ney.

Chen and Goodman (1998), section 3, with the conventions of lmplz (Heafield et al., 2013):
n-grams that begin with ``<s>`` keep their occurrence counts, unigrams are interpolated with
the uniform distribution, ``<unk>`` is an unseen word, pruning removes n-grams by occurrence
count after the discounts are computed and gives their mass to the back-off.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import LexsubError
from lexsub.rankers.lm.counting import BOS, EOS, UNK, Ints, Stream

Floats = NDArray[np.float64]
Counts = NDArray[np.int32] | NDArray[np.int64]

FALLBACK = (0.5, 1.0, 1.5)


def thresholds_for(prune: Sequence[int], order: int) -> tuple[int, ...]:
    """Return one pruning threshold for each order.

    Args:
        prune: for each order the count up to which its n-grams are left out; the last
            value goes for the rest.  The first must be 0, and none less than the one before.
        order: length of the longest n-grams.

    Raises:
        ValueError: a first value other than 0, falling values, or more values than orders.
    """
    values = (*prune,) or (0,)
    if values[0] != 0 or list(values) != sorted(values) or len(values) > order:
        raise ValueError(
            f"prune is {list(prune)}; expected at most {order} counts that begin with 0 and "
            "never fall, as in [0, 0, 1]"
        )
    return values + (values[-1],) * (order - len(values))


def counts_of_counts(counts: Counts) -> NDArray[np.int64]:
    """Return how many n-grams have the counts 0 to 4, and how many 5 or more."""
    return np.bincount(np.minimum(counts, 5), minlength=6)


def discounts_of(
    statistics: NDArray[np.int64],
    order: int,
    fallback: bool,
    correction: tuple[int, int] | None = None,
) -> Floats:
    """Return the discounts of counts 0, 1, 2 and 3 or more (Chen and Goodman, equation 26).

    Args:
        statistics: how many n-grams of one order have which adjusted count.
        order: which, for the message.
        fallback: whether to fall back on .5, 1, 1.5.
        correction: the counts of one n-gram that is counted by the second of them, not by the
            first.  lmplz enters the last n-grams of its suffix order (the ends of the greatest
            full n-gram) with occurrence counts in its statistics.  It matters in tiny texts only,
            but there it is what makes the discounts equal.

    Raises:
        LexsubError: no n-gram has count 1, 2 or 3, or a discount is out of range.
    """
    of = statistics.astype(np.float64)
    if correction:
        of[min(correction[0], 5)] -= 1
        of[min(correction[1], 5)] += 1
    if (of[1:4] > 0).all():
        y = of[1] / (of[1] + 2 * of[2])
        values = [k - (k + 1) * y * of[k + 1] / of[k] for k in (1, 2, 3)]
        if all(0 <= value <= k for k, value in enumerate(values, start=1)):
            return np.array([0.0, *values])
    if fallback:
        return np.array([0.0, *FALLBACK])
    raise LexsubError(
        f"the text is too small or too regular for Kneser-Ney discounts of {order}-grams "
        f"({of[1]:.0f}, {of[2]:.0f}, {of[3]:.0f} n-grams with counts 1, 2, 3): "
        "give more text, a lower order, or turn the discount fallback on"
    )


def greatest_end(stream: Stream, order: int) -> int:
    """Return where the n-gram ends that is greatest, compared from its last word to its first.

    Places before the sentence count as ``<s>``.
    """
    ends = np.flatnonzero(stream.place > 0)
    for back in range(order):
        words = np.where(stream.place[ends] >= back, stream.words[np.maximum(ends - back, 0)], BOS)
        ends = ends[words == words.max()]
    return int(ends[0])


def shares(
    prefix: Counts, contexts: int, counts: Counts, keep: NDArray[np.bool_], amount: Floats
) -> tuple[Floats, Floats]:
    """Return what discounting leaves of n-grams, and what it takes for the order below.

    Args:
        prefix: the context of each n-gram, from 0; shape (n-grams,).
        contexts: how many there are.
        counts: adjusted counts, shape (n-grams,).
        keep: which n-grams the model lists, same shape.
        amount: discounts of the counts 0, 1, 2 and 3 or more.

    Returns:
        The discounted relative frequency of each n-gram that is kept; the weight of the order
        below after each context, NaN where nothing follows.
    """
    total = np.bincount(prefix, counts, minlength=contexts)
    taken = np.where(keep, amount[np.minimum(counts, 3)], counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        gamma: Floats = np.bincount(prefix, taken, minlength=contexts) / total
    counts = counts[keep]
    return (counts - amount[np.minimum(counts, 3)]) / total[prefix[keep]], gamma


def backoffs(word: Ints, gamma: Floats) -> Floats:
    """Return the log10 weights of n-grams as contexts, 0 where they are none.

    Args:
        word: the last word of each.
        gamma: the weight of the order below after each, same shape.
    """
    # An n-gram that no word ever followed is no context: it has no total and no weight.
    context = np.isfinite(gamma) & (gamma > 0) & (word != EOS) & (word != UNK)
    return np.log10(np.where(context, gamma, 1.0))
