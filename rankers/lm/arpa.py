"""ARPA files: what every language model tool reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

import numpy as np
from numpy.typing import NDArray

from lexsub.rankers.lm.cells import Column, join, number_cells, word_cells
from lexsub.rankers.lm.counting import Ints
from lexsub.rankers.lm.kneser_ney import Level

ROWS = 1 << 15
"""N-grams written at a time: their text should stay in the processor's cache."""


def write_arpa(file: IO[bytes], levels: Sequence[Level], words: Sequence[str]) -> None:
    """Write an estimated model, its orders from 1 and its words by id, as ARPA text."""
    file.write(b"\\data\\\n")
    for n, level in enumerate(levels, start=1):
        file.write(f"ngram {n}={len(level.prob)}\n".encode())
    speller = Speller(words)
    for n, level in enumerate(levels, start=1):
        file.write(f"\n\\{n}-grams:\n".encode())
        for begin in range(0, len(level.prob), ROWS):
            some = np.arange(begin, min(begin + ROWS, len(level.prob)))
            backoff = None if n == len(levels) else level.backoff[some]
            file.write(speller.lines(spell(levels[:n], some), level.prob[some], backoff))
    file.write(b"\n\\end\\\n")


class Speller:
    """Writes n-grams as lines of text."""

    def __init__(self, words: Sequence[str]) -> None:
        """Take a vocabulary, in the order of the ids."""
        self._names = [word.encode() for word in words]
        self._tables = {end: word_cells(self._names, end) for end in (b" ", b"\t", b"\n")}

    def write(
        self,
        file: IO[bytes],
        ids: Sequence[Ints],
        prob: NDArray[np.float64],
        backoff: NDArray[np.float64] | None,
    ) -> None:
        """Write any number of lines; see :meth:`lines`."""
        for begin in range(0, len(prob), ROWS):
            some = slice(begin, begin + ROWS)
            weights = None if backoff is None else backoff[some]
            file.write(self.lines([column[some] for column in ids], prob[some], weights))

    def lines(
        self,
        ids: Sequence[Ints],
        prob: NDArray[np.float64],
        backoff: NDArray[np.float64] | None,
    ) -> bytes:
        """Return the lines of n-grams.

        Args:
            ids: word ids, one array a position, each of shape (n-grams,).
            prob: log10 probabilities, same shape.
            backoff: log10 weights, same shape; None for the highest order.
        """
        *context, last = ids
        columns = [_written(prob, b"\t")]
        columns += [self._spelled(one, b" ") for one in context]
        columns.append(self._spelled(last, b"\n" if backoff is None else b"\t"))
        if backoff is not None:
            columns.append(_written(backoff, b"\n"))
        return join(columns)

    def _spelled(self, ids: Ints, end: bytes) -> Column:
        return Column(self._tables[end][ids], lambda row: self._names[ids[row]] + end)


def _written(values: NDArray[np.float64], end: bytes) -> Column:
    return Column(number_cells(values, end), lambda row: b"%.7g" % values[row] + end)


def spell(levels: Sequence[Level], rows: NDArray[np.int64]) -> list[NDArray[np.int32]]:
    """Return the word ids of n-grams of the highest of ``levels``, one array a position."""
    columns = []
    ids: NDArray[np.int64] | NDArray[np.int32] = rows
    for level in reversed(levels):
        columns.append(level.word[ids])
        ids = level.prefix[ids]
    return columns[::-1]
