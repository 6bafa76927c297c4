"""Text of many rows at once, from cells of sixteen bytes.

Writing millions of lines by formatting each costs more than estimating what stands in them.
Here the cells of many lines are looked up in tables, put side by side with zero bytes as
padding, and the zero bytes taken out.  What does not fit a cell is put in afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

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
