"""Modified interpolated Kneser-Ney estimation in numpy.

Chen and Goodman (1998), section 3, with the conventions of lmplz (Heafield et al., 2013):
n-grams that begin with ``<s>`` keep their occurrence counts, unigrams are interpolated with
the uniform distribution, ``<unk>`` is an unseen word, pruning removes n-grams by occurrence
count after the discounts are computed and gives their mass to the back-off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import LexsubError
from lexsub.rankers.lm.counting import BOS, EOS, UNK, Grams, Ints, Stream, count_grams

Floats = NDArray[np.float64]
Counts = NDArray[np.int32] | NDArray[np.int64]

FALLBACK = (0.5, 1.0, 1.5)


@dataclass(frozen=True)
class Level:
    """The n-grams of one order that an estimated model lists; arrays have shape (n-grams,).

    Attributes:
        prefix: row of the first n - 1 words in the level below.
        word: the last word.
        prob: log10 probability of the last word given the others.
        backoff: log10 weight of the lower order after this context (0 where it is none).
    """

    prefix: Ints
    word: Ints
    prob: Floats
    backoff: Floats


def estimate(
    stream: Stream,
    types: int,
    order: int,
    *,
    prune: Sequence[int] = (),
    allowed: NDArray[np.bool_] | None = None,
    fallback: bool = False,
) -> list[Level]:
    """Estimate a model.

    Args:
        stream: the corpus.
        types: number of word ids, special ones included.
        order: 1 to 6.
        prune: for each order the count up to which its n-grams are left out; the last
            value goes for the rest.  The first must be 0, and none less than the one before.
        allowed: shape (types,); n-grams with a word that is not are left out (None: all are).
        fallback: use the discounts .5, 1, 1.5 where the text is too small to estimate them.

    Raises:
        LexsubError: the text gives no usable discounts and ``fallback`` is off.
    """
    tables = list(count_grams(stream, order, types))
    adjusted = adjusted_counts(tables)
    discounts = []
    for n, counts in enumerate(adjusted, start=1):
        correction = _last_gram_correction(stream, tables, n, counts)
        discounts.append(discounts_of(counts_of_counts(counts), n, fallback, correction))
    thresholds = thresholds_for(prune, order)
    kept = list(_kept(tables, thresholds, allowed))
    return list(_interpolate(tables, adjusted, discounts, kept))


def thresholds_for(prune: Sequence[int], order: int) -> tuple[int, ...]:
    """Return one pruning threshold for each order; see :func:`estimate`.

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


def adjusted_counts(tables: Sequence[Grams]) -> list[Ints]:
    """Return the Kneser-Ney counts of each order.

    The highest order and n-grams that begin with ``<s>`` have their occurrences, the others
    the number of different words seen before them.
    """
    result = []
    for n, grams in enumerate(tables, start=1):
        counts = grams.count
        if n < len(tables):
            before = np.bincount(tables[n].suffix, minlength=len(grams)).astype(np.int32)
            counts = np.where(grams.starts, counts, before)
        if n == 1:
            counts = counts.copy()
            counts[[UNK, BOS]] = 0
        result.append(counts)
    return result


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
        correction: a count to take for another one in the statistics.

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


def _last_gram_correction(
    stream: Stream, tables: Sequence[Grams], n: int, counts: Ints
) -> tuple[int, int] | None:
    # lmplz enters the last n-grams of its suffix order (the ends of the greatest full n-gram)
    # with occurrence counts in its statistics.  It matters in tiny texts only, but there it
    # is what makes the discounts equal.
    if n == len(tables) or not len(stream.words):
        return None
    end = greatest_end(stream, len(tables))
    if stream.place[end] < n - 1:
        return None
    row = find(tables, stream.words[end - n + 1 : end + 1])
    return int(counts[row]), int(tables[n - 1].count[row])


def greatest_end(stream: Stream, order: int) -> int:
    """Return where the n-gram ends that is greatest, compared from its last word to its first.

    Places before the sentence count as ``<s>``.
    """
    ends = np.flatnonzero(stream.place > 0)
    for back in range(order):
        words = np.where(stream.place[ends] >= back, stream.words[np.maximum(ends - back, 0)], BOS)
        ends = ends[words == words.max()]
    return int(ends[0])


def find(tables: Sequence[Grams], gram: NDArray[np.int32]) -> int:
    """Return the row of an n-gram that is known to be there."""
    row = int(gram[0])
    for grams, word in zip(tables[1:], gram[1:], strict=False):
        first, last = np.searchsorted(grams.prefix, [row, row + 1])
        row = int(first + np.searchsorted(grams.word[first:last], word))
    return row


def _kept(
    tables: Sequence[Grams], thresholds: Sequence[int], allowed: NDArray[np.bool_] | None
) -> Iterator[NDArray[np.bool_]]:
    lower: NDArray[np.bool_] | None = None
    for n, (grams, threshold) in enumerate(zip(tables, thresholds, strict=True), start=1):
        kept = grams.count > threshold
        if allowed is not None:
            kept &= allowed[grams.word]
        if n == 1:
            kept[[UNK, BOS, EOS]] = True
        elif allowed is not None and lower is not None:
            kept &= lower[grams.prefix] & lower[grams.suffix]
        yield kept
        lower = kept


def _interpolate(
    tables: list[Grams],
    adjusted: list[Ints],
    discounts: Sequence[Floats],
    kept: list[NDArray[np.bool_]],
) -> Iterator[Level]:
    """Yield the levels; what is done with is taken off the lists, so that memory is free again."""
    # <s> is never predicted, so it is not among the words of the uniform distribution.
    lower: Floats = np.full(1, 1.0 / (int(kept[0].sum()) - 1))
    # For each n-gram of the order below its row among those kept.
    row_of: Ints = np.zeros(1, dtype=np.int32)
    below: tuple[Ints, Ints, NDArray[np.bool_]] | None = None
    for amount in discounts:
        grams, counts, keep = tables.pop(0), adjusted.pop(0), kept.pop(0)
        prob, gamma = shares(grams.prefix, len(row_of), counts, keep, amount)
        if below is not None:
            prefix, word, below_keep = below
            yield Level(prefix, word, np.log10(lower), backoffs(word, gamma[below_keep]))
        prefix, word = grams.prefix[keep], grams.word[keep]
        # If an n-gram is frequent enough to be kept, so are its suffix and its prefix.
        prob += gamma[prefix] * lower[row_of[grams.suffix[keep]]]
        if below is None:
            prob[BOS] = 1.0
        below, lower = (row_of[prefix], word, keep), prob
        row_of = np.cumsum(keep, dtype=np.int32) - 1
        del grams, counts, gamma
    if below is not None:
        prefix, word, _ = below
        yield Level(prefix, word, np.log10(lower), np.zeros(len(word)))


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
