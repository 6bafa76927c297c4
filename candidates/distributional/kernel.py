"""Comparing words: one with all others, or all pairs, exact top-k, by a compiled loop.

Both ways add up the shared contexts of a pair in the order of the target's contexts and use the
same functions of the measure, so they agree to the last bit.  Values are rounded to 2^-34: what is
equal but for the noise of adding up is a tie, and ties go by the order of words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.distributional.measures import Formula
from lexsub.candidates.distributional.weights import Counts, Sums, Weighted, summed, weigh
from lexsub.compiling import compiled, compiled_with
from lexsub.errors import needing

COMPILER = ("numba", "thesaurus", "computing a table of neighbours")
GRAIN = 2.0**34
"""Values are whole multiples of its inverse; a power of two, so that nothing else is lost."""


class WeightMatrix(NamedTuple):
    """Weighted words by contexts, by row and by column: all words of a part of speech, or a band.

    Attributes:
        starts: (words + 1,) where each word's contexts start in ``contexts``.
        contexts: (nonzeros,) context ids, rising within a word.
        weights: (nonzeros,) the measure's x and y, all positive.
        column_starts: (contexts + 1,) where each context's words start in ``words``.
        words: (nonzeros,) words by their place in the band, rising within a context.
        column_weights: (nonzeros,) the same weights by column.
        sizes: (words,) the measure's word sizes.
        first: id of the band's first word.
    """

    starts: NDArray[np.int64]
    contexts: NDArray[np.int32]
    weights: NDArray[np.float64]
    column_starts: NDArray[np.int64]
    words: NDArray[np.int32]
    column_weights: NDArray[np.float64]
    sizes: NDArray[np.float64]
    first: int


class Neighbours(NamedTuple):
    """The nearest words of a range of words, best first.

    Attributes:
        ids: (targets, k) word ids, -1 behind the last neighbour.
        values: (targets, k) the measure's values, nan behind the last.
    """

    ids: NDArray[np.int32]
    values: NDArray[np.float64]

    @classmethod
    def empty(cls, targets: int, k: int) -> Neighbours:
        """Return room for the neighbours of some targets."""
        return cls(np.full((targets, k), -1, np.int32), np.full((targets, k), np.nan))


@dataclass(frozen=True)
class Kernel:
    """Compares words with all words, or with those of one band after the other.

    Attributes:
        formula: the measure.
        higher_is_closer: its direction.
        loop: the loop compiled for the measure.
    """

    formula: Formula
    higher_is_closer: bool
    loop: Callable[..., None]

    def __call__(
        self,
        matrix: WeightMatrix,
        start: int,
        stop: int,
        k: int,
        others: WeightMatrix | None = None,
        so_far: Neighbours | None = None,
    ) -> Neighbours:
        """Return the neighbours of some words.

        Args:
            matrix: of the words.
            start: place of the first in the matrix.
            stop: place behind the last.
            k: how many neighbours to find.
            others: what they are compared with; the same words by default.
            so_far: the best among the words of all bands before, which is changed.
        """
        found = so_far or Neighbours.empty(stop - start, k)
        sign = 1.0 if self.higher_is_closer else -1.0
        self.loop(matrix, others or matrix, start, stop, k, sign, self.formula.constant, *found)
        return found


def shared_sums(
    formula: Formula,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    words: NDArray[Any],
    number: int,
) -> NDArray[np.float64]:
    """Return (number,) the sums over shared contexts of some words with one target.

    Args:
        formula: the measure.
        x: the target's weight of each shared context.
        y: the other word's.
        words: the other word; its contexts in the order in which they are added up.
        number: how many words there are.
    """
    return summed(words, formula.shared(x, y, formula.constant), number)


def compiled_kernel(formula: Formula, higher_is_closer: bool) -> Kernel:
    """Return the loop compiled by numba; machine code is kept in the user's cache folder.

    Raises:
        MissingExtraError: numba is not installed.
    """
    with needing(*COMPILER):
        loop = _compiled(formula.shared, formula.value)
    return Kernel(formula, higher_is_closer, loop)


@lru_cache
def _compiled(add: Any, finish: Any) -> Callable[..., None]:
    names = {"np": np, "shared": add, "final": finish, "GRAIN": GRAIN, "best_first": _sorting()}
    return compiled_with(_nearest, names)


@lru_cache
def _sorting() -> Callable[..., None]:
    # Compiled once for all measures: sorting is most of what there is to compile.
    return compiled(_best_first)


# The two names that the loop below takes from the measure, and the sorting that it calls.
shared: Any = None
final: Any = None
best_first: Any = None


def _best_first(found, value, held, k):  # type: ignore[no-untyped-def]  # pragma: no cover - compiled
    """Bring the k best of the first held to the front, best first."""
    order = np.argsort(-value[:held], kind="mergesort")[:k]
    best, keys = found[order], value[order]
    for at in range(len(order)):
        found[at] = best[at]
        value[at] = keys[at]


def _nearest(  # type: ignore[no-untyped-def]  # pragma: no cover - runs compiled
    own, others, start, stop, k, sign, constant, ids, values
):
    ahead, count = own.first - others.first, len(others.sizes)
    totals = np.zeros(count)
    # Candidates are gathered in the order of their ids; when the buffer is full it is cut
    # to the k best.  The sort is stable, so equal values stay in the order of the ids.
    room = k + max(k, 256)
    found = np.empty(room, np.int32)
    value = np.empty(room)
    for i in range(start, stop):
        for at in range(own.starts[i], own.starts[i + 1]):
            x = own.weights[at]
            context = own.contexts[at]
            for there in range(others.column_starts[context], others.column_starts[context + 1]):
                totals[others.words[there]] += shared(x, others.column_weights[there], constant)
        if 0 <= i + ahead < count:
            totals[i + ahead] = 0.0
        held = 0
        while held < k and ids[i - start, held] >= 0:
            found[held] = ids[i - start, held]
            value[held] = sign * values[i - start, held]
            held += 1
        worst = value[k - 1] if held == k else -np.inf
        for j in range(count):
            total = totals[j]
            if total == 0.0:
                continue
            totals[j] = 0.0
            reached = final(total, own.sizes[i], others.sizes[j], constant)
            key = sign * np.rint(reached * GRAIN) / GRAIN
            if key <= worst:
                continue
            if held == room:
                best_first(found, value, held, k)
                held = k
                worst = value[k - 1]
                if key <= worst:
                    continue
            found[held] = others.first + j
            value[held] = key
            held += 1
        best_first(found, value, held, k)
        for at in range(min(held, k)):
            ids[i - start, at] = found[at]
            values[i - start, at] = sign * value[at]


def word_sizes(weighted: Weighted, formula: Formula) -> NDArray[np.float64]:
    """Return (words,) the measure's sizes, added up in the order of the contexts."""
    rows = len(weighted.starts) - 1
    words = np.repeat(np.arange(rows), np.diff(weighted.starts))
    return summed(words, formula.size(weighted.weights), rows)


def prepare(
    counts: Counts, formula: Formula, first: int = 0, sums: Sums | None = None
) -> WeightMatrix:
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
    arrays: tuple[NDArray[Any], ...] = (
        np.asarray(weighted.starts, np.int64),
        np.asarray(weighted.contexts, np.int32),
        weighted.weights,
        columns.indptr.astype(np.int64),
        columns.indices.astype(np.int32, copy=False),
        columns.data,
        word_sizes(weighted, formula),
    )
    views = [array.view() for array in arrays]
    for view in views:
        # As those of a table's bands, which are mapped: the loop is compiled by kinds of arrays.
        view.flags.writeable = False
    return WeightMatrix._make([*views, first])


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
    best = Neighbours.empty(1, k)
    own = slice(int(weighted.starts[target]), int(weighted.starts[target + 1]))
    if own.start == own.stop:
        return best
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
    # Words that share nothing have the sum 0; equal values stay in the order of the ids.
    found = np.flatnonzero(totals)
    value = formula.value(totals[found], sizes[target], sizes[found], formula.constant)
    value = np.rint(value * GRAIN) / GRAIN
    order = np.argsort(-value if higher_is_closer else value, kind="stable")[:k]
    best.ids[0, : len(order)] = found[order]
    best.values[0, : len(order)] = value[order]
    return best
