"""Prepare a part of speech for comparison, and compare one word with all others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.distributional.kernel import Matrix, Neighbours, nearest, shared_sums
from lexsub.candidates.distributional.measures import Formula
from lexsub.candidates.distributional.weights import Counts, Sums, Weighted, weigh


def word_sizes(weighted: Weighted, formula: Formula) -> NDArray[np.float64]:
    """Return (words,) the measure's sizes, added up in the order of the contexts."""
    rows = len(weighted.starts) - 1
    words = np.repeat(np.arange(rows), np.diff(weighted.starts))
    return np.bincount(words, formula.size(weighted.weights), minlength=rows).astype(
        np.float64, copy=False
    )


def prepare(counts: Counts, formula: Formula, first: int = 0, sums: Sums | None = None) -> Matrix:
    """Weigh words for a measure and arrange them by row and by column.

    Args:
        counts: of all words of a part of speech, or of some in a row.
        formula: of the measure.
        first: id of the first of them.
        sums: of all words, where the counts are those of some.
    """
    from scipy.sparse import csr_array

    weighted = weigh(counts, formula.weights, sums)
    shape = (len(counts.starts) - 1, len(counts.relations))
    columns = csr_array((weighted.weights, weighted.contexts, weighted.starts), shape=shape).tocsc()
    return Matrix(
        np.asarray(weighted.starts, np.int64),
        np.asarray(weighted.contexts, np.int32),
        weighted.weights,
        columns.indptr.astype(np.int64),
        columns.indices.astype(np.int32, copy=False),
        columns.data,
        word_sizes(weighted, formula),
        first,
    )


def scan(
    weighted: Weighted,
    sizes: NDArray[np.float64],
    formula: Formula,
    higher_is_closer: bool,
    target: int,
    k: int,
) -> Neighbours:
    """Return the neighbours of one word by reading through all words once.

    Without an index by context this is the quickest for a single word; the sums are those
    of the all-pairs loop, to the last bit.
    """
    own = slice(int(weighted.starts[target]), int(weighted.starts[target + 1]))
    if own.start == own.stop:
        return Neighbours.empty(1, k)
    width = int(weighted.contexts[own][-1]) + 1
    of_target = np.zeros(width)
    of_target[weighted.contexts[own]] = weighted.weights[own]
    # One byte a context stays in the processor's cache while millions are looked up in it; the
    # one behind the target's last, which it has not, stands for all that follow.
    has = np.append(of_target > 0.0, False)
    at = np.flatnonzero(has.take(weighted.contexts, mode="clip"))
    words = np.repeat(np.arange(len(sizes)), np.diff(np.searchsorted(at, weighted.starts)))
    x, y = of_target[weighted.contexts[at]], weighted.weights[at]
    totals = shared_sums(formula, x, y, words, len(sizes))
    totals[target] = 0.0
    return nearest(totals, sizes[target], sizes, formula, higher_is_closer, k)
