"""Writing ARPA files, which every tool for language models reads.

Formatting line by line took four times as long as this (2.6 s a million trigrams against .67 s,
on 2026-11-30), more than estimating what stands in them.  So the text of many rows is looked up
in tables of cells of sixteen bytes, put side by side with zero bytes as padding, and the zero bytes
taken out.  What does not fit a cell is put in afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import IO

import numpy as np
from numpy.typing import NDArray

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
        self, ids: Sequence[Ints], prob: NDArray[np.float64], backoff: NDArray[np.float64] | None
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


WIDTH = 16
ODD = b"\x01"
"""The cell of text that is too long for a cell; no token holds a control character."""

_CELL = np.dtype(f"S{WIDTH}")
_HALF = np.dtype("<u8")

_POWERS = 10.0 ** np.arange(-4, 3)
_SCALES = np.array([0.0, *(10.0 ** np.arange(10, 4, -1)), 0.0])
"""What makes numbers between two of the powers numbers of seven digits."""

Cells = NDArray[np.bytes_]
"""Text padded with zero bytes to ``WIDTH``, shape (rows,)."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table of text.

    Attributes:
        cells: its cells, shape (rows,).
        text: returns the text of a row whose cell is ``ODD``.
    """

    cells: Cells
    text: Callable[[int], bytes]


def join(columns: Sequence[Column]) -> bytes:
    """Return the text of the columns, row by row."""
    table = np.stack([column.cells for column in columns], axis=1)
    text = table.tobytes().translate(None, b"\0")
    pieces = text.split(ODD)
    if len(pieces) == 1:
        return text
    parts = [b""] * (2 * len(pieces) - 1)
    parts[::2] = pieces
    odd = np.argwhere(table == ODD).tolist()
    parts[1::2] = [columns[column].text(row) for row, column in odd]
    return b"".join(parts)


def word_cells(words: Sequence[bytes], end: bytes) -> Cells:
    """Return a cell for each word, followed by ``end``, one byte."""
    texts = [word + end if len(word) < WIDTH else ODD for word in words]
    return np.array(texts, dtype=_CELL)


def number_cells(values: NDArray[np.float64], end: bytes) -> Cells:
    """Return a cell for each number as ``%.7g`` writes it, followed by ``end``, one byte.

    Those that fit are 0 and what lies from -100 to -.0001, as logarithms of probabilities do.
    """
    size = -values
    power = np.searchsorted(_POWERS, size, side="right")
    scaled = size * _SCALES[power]
    digits = np.rint(scaled)
    odd = (power == 0) & ((size != 0) | np.signbit(values)) | (power == len(_POWERS))
    # Near a tie the product, itself rounded, does not tell to which side the number goes.
    odd |= np.abs(np.abs(scaled - digits) - 0.5) < 1e-6
    odd |= digits >= 10**7
    digits[odd] = 0
    whole = digits.astype(np.int64)
    first = whole // 10**5
    rest = whole - first * 10**5
    heads, tails = _number_tables()
    cells: Cells = heads[(power * 100 + first) * 2 + (rest == 0)]
    halves = cells.view(_HALF)
    halves[1::2] |= tails[rest] | _HALF.type(end[0] << 56)
    cells[odd] = ODD
    return cells


@lru_cache(maxsize=1)
def _number_tables() -> tuple[Cells, NDArray[np.uint64]]:
    """Return the two parts of cells of numbers with seven digits.

    Returns:
        Sign, point and the first two digits, ten bytes, by (power, digits, whether nothing but
        zeros follows); the other five digits, by their number, as the second half of a cell.
    """
    heads = [
        _head(power, first, last).encode().ljust(10, b"\0")
        for power in range(len(_POWERS) + 1)
        for first in range(100)
        for last in (False, True)
    ]
    tails = [b"\0\0" + f"{rest:05d}".rstrip("0").encode() for rest in range(10**5)]
    return np.array(heads, dtype=_CELL), np.array(tails, dtype="S8").view(_HALF)


def _head(power: int, first: int, last: bool) -> str:
    if power in (0, len(_POWERS)):
        return "0"
    point = power - 4
    digits = f"{first:02d}"
    text = f"-{digits[:point]}.{digits[point:]}" if point > 0 else f"-0.{'0' * -point}{digits}"
    if not last:
        return text
    # Zeros at the end are cut off where there is a decimal point, then a point at the end.
    whole, _, fraction = text.partition(".")
    return f"{whole}.{fraction}".rstrip("0").rstrip(".") if fraction else whole
