"""ARPA files: what every language model tool reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

import numpy as np
from numpy.typing import NDArray

from lexsub.rankers.lm.cells import Column, join, number_cells, word_cells
from lexsub.rankers.lm.kneser_ney import Level

ROWS = 1 << 15
"""N-grams written at a time: their text should stay in the processor's cache."""


def write_arpa(file: IO[bytes], levels: Sequence[Level], words: Sequence[str]) -> None:
    """Write an estimated model as ARPA text.

    Args:
        file: open for writing.
        levels: the orders from 1.
        words: word by id.
    """
    file.write(b"\\data\\\n")
    for n, level in enumerate(levels, start=1):
        file.write(f"ngram {n}={len(level.prob)}\n".encode())
    names = [word.encode() for word in words]
    tables = {end: word_cells(names, end) for end in (b" ", b"\t", b"\n")}

    def spelled(ids: NDArray[np.int32], end: bytes) -> Column:
        return Column(tables[end][ids], lambda row: names[ids[row]] + end)

    def written(values: NDArray[np.float64], end: bytes) -> Column:
        return Column(number_cells(values, end), lambda row: b"%.7g" % values[row] + end)

    for n, level in enumerate(levels, start=1):
        file.write(f"\n\\{n}-grams:\n".encode())
        highest = n == len(levels)
        for begin in range(0, len(level.prob), ROWS):
            some = np.arange(begin, min(begin + ROWS, len(level.prob)))
            *context, last = spell(levels[:n], some)
            columns = [written(level.prob[some], b"\t")]
            columns += [spelled(ids, b" ") for ids in context]
            columns.append(spelled(last, b"\n" if highest else b"\t"))
            if not highest:
                columns.append(written(level.backoff[some], b"\n"))
            file.write(join(columns))
    file.write(b"\n\\end\\\n")


def spell(levels: Sequence[Level], rows: NDArray[np.int64]) -> list[NDArray[np.int32]]:
    """Return the word ids of n-grams of the highest of ``levels``, one array a position."""
    columns = []
    ids: NDArray[np.int64] | NDArray[np.int32] = rows
    for level in reversed(levels):
        columns.append(level.word[ids])
        ids = level.prefix[ids]
    return columns[::-1]
