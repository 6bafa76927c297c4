"""Writing ARPA files, which every tool for language models reads.

Formatting line by line took three times as long as this (4.7 s for the 3.2 million n-grams of 1.5
million words, against 1.4 s on 2026-11-30), more than estimating what stands in them.  So the text
of many rows is put side by side in cells of sixteen bytes with zero bytes as padding, and the zero
bytes taken out.  Words that do not fit a cell are put in afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

import numpy as np
from numpy.typing import NDArray

from lexsub.rankers.lm.counting import Ints

ROWS = 1 << 15
"""N-grams written at a time: their text should stay in the processor's cache."""
WIDTH = 16
"""Bytes of a cell, which every number written as ``%.7g`` fits with what follows it."""
ODD = b"\x01"
"""The cell of a word that is too long for one; no token holds a control character."""
Cells = NDArray[np.bytes_]
"""Text padded with zero bytes to ``WIDTH``, shape (rows,)."""


class Speller:
    """Writes n-grams as lines of text."""

    def __init__(self, words: Sequence[str]) -> None:
        """Take a vocabulary, in the order of the ids."""
        self._names = [word.encode() for word in words]
        self._cells = {end: self._with(end) for end in (b" ", b"\t", b"\n")}

    def _with(self, end: bytes) -> Cells:
        texts = [name + end if len(name) < WIDTH else ODD for name in self._names]
        return np.array(texts, f"S{WIDTH}")

    def write(
        self,
        file: IO[bytes],
        ids: Sequence[Ints],
        prob: NDArray[np.float64],
        backoff: NDArray[np.float64] | None,
    ) -> None:
        """Write the lines of n-grams.

        Args:
            file: is written to.
            ids: word ids, one array a position, each of shape (n-grams,).
            prob: log10 probabilities, same shape.
            backoff: log10 weights, same shape; None for the highest order.
        """
        ends = [b" "] * len(ids)
        ends[-1] = b"\n" if backoff is None else b"\t"
        for begin in range(0, len(prob), ROWS):
            some = slice(begin, begin + ROWS)
            columns = [_numbers(prob[some], b"\t")]
            columns += [self._cells[end][one[some]] for one, end in zip(ids, ends, strict=True)]
            if backoff is not None:
                columns.append(_numbers(backoff[some], b"\n"))
            table = np.stack(columns, axis=1)
            text, *pieces = table.tobytes().translate(None, b"\0").split(ODD)
            parts = [text]
            if pieces:
                odd = np.argwhere(table == ODD).tolist()
                for (row, column), piece in zip(odd, pieces, strict=True):
                    word = ids[column - 1][begin + row]
                    parts += [self._names[word], ends[column - 1], piece]
            file.writelines(parts)


def _numbers(values: NDArray[np.float64], end: bytes) -> Cells:
    return np.array([b"%.7g%b" % (value, end) for value in values.tolist()], f"S{WIDTH}")
