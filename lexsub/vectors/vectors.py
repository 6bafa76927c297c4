"""Ask for vectors, similarities and neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError
from lexsub.resources import Resources
from lexsub.storage.addresses import resolved
from lexsub.storage.arrays import StringTable, map_array
from lexsub.storage.digests import cached_open
from lexsub.vectors.folder import AGAIN, FILE, ROWS, read_header

UNKNOWN = -1
"""The row of a word that there is no vector for."""

DECIMALS = 6
"""Cosines are rounded to these: the last bits differ between processors and must not decide."""


class Near(NamedTuple):
    """A neighbour.

    Attributes:
        word: the neighbouring lemma or form, blanks for underscores.
        value: its cosine with the word asked for.
        row: its row.
    """

    word: str
    value: float
    row: int


class Vectors:
    """Opened vectors of length 1, memory-mapped (those of bytes are read).

    Words are found by :meth:`row` (or :meth:`rows`, for many) and from then on go by their
    rows, so that many words are compared as arrays.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.header = folder, read_header(folder)
        words, dimensions = self.header.words, self.header.dimensions
        numbers = np.dtype("<f4") if self.header.numbers == "float32" else np.dtype("i1")
        path = folder / ROWS[self.header.numbers]
        try:
            self._words = StringTable(folder, "words", AGAIN)
            self.tokens = map_array(folder / "tokens.npy", AGAIN, ("int64",), (words,))
            size = path.stat().st_size
            if size != words * dimensions * numbers.itemsize:
                raise ValueError(f"{size} bytes; expected {words} vectors of {dimensions}")
            if len(self._words) != words:
                raise ValueError(f"not {words} words")
            self._check_blocks()
            rows: NDArray[Any] = (
                np.memmap(path, numbers, "r", shape=(words, dimensions))
                if words and dimensions
                else np.zeros((words, dimensions), numbers)
            )
            whole = self.header.numbers == "float32"
            self.all: NDArray[np.float32] = rows if whole else _unit(rows)
        except (ValueError, OSError, EOFError) as error:
            problem = f"the vectors beside it are damaged or do not fit it ({error})"
            way = "build or convert them again"
            raise FormatError(folder / FILE, None, f"{problem}: {way}") from error

    def row(self, word: str, pos: str = "") -> int:
        """Return the row of a word, or -1.

        Args:
            word: lemma or form; blanks may stand for underscores.
            pos: n, v, a or r, or ``""`` for any: of the words of that name the one with most
                tokens.  Where vectors belong to forms it plays no role, and a form that is not
                there is looked for in lower case.
        """
        return self._rows([word], pos)[0]

    def rows(self, words: Iterable[str], pos: str = "") -> NDArray[np.int64]:
        """Return the rows of many words, shape (words,); see :meth:`row`."""
        return np.array(self._rows(list(words), pos), np.int64)

    def of(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of rows, shape (*rows, dimensions); zeros for -1."""
        known = rows != UNKNOWN
        found = np.zeros((*rows.shape, self.header.dimensions), np.float32)
        found[known] = self.all[rows[known]]
        return found

    def cosines(self, rows: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the cosine of every row with every other, shape (rows, others).

        What cannot be compared is nan: unknown words, and words of different parts of speech
        where each has a space of its own.
        """
        values: NDArray[np.float32] = np.round(self.of(rows) @ self.of(others).T, DECIMALS)
        unknown = (rows == UNKNOWN)[:, None] | (others == UNKNOWN)[None, :]
        if not self.header.joint:
            unknown |= self._block(rows)[:, None] != self._block(others)[None, :]
        values[unknown] = np.nan
        return values

    def nearest(self, word: str, pos: str = "", k: int = 10) -> list[Near]:
        """Return the ``k`` nearest words of the same part of speech, the nearest first.

        The word itself is left out, an unknown word has none, and equal cosines (of six
        decimals) go by rows: for vectors built here the word with more tokens, then by name;
        for those of a file its order.
        """
        row = self.row(word, pos)
        if row == UNKNOWN:
            return []
        start, stop = next(each for each in self.header.blocks.values() if row < each[1])
        values = np.round(self.all[start:stop] @ self.all[row], DECIMALS)
        values[row - start] = -np.inf
        # All rows as good as the k-th are kept; among equals the first are taken below.
        least = np.partition(values, -k)[-k] if k < len(values) else -np.inf
        found = np.flatnonzero(values >= least)
        order = found[np.argsort(-values[found], kind="stable")][:k]
        return [
            Near(self.word(start + int(i)), float(values[i]), start + int(i))
            for i in order
            if start + int(i) != row
        ]

    def word(self, row: int) -> str:
        """Return the lemma or form of a row, blanks for underscores."""
        text = self._words[row]
        if self.header.keys == "lexelt":
            text = text[:-2]
        return text.replace("_", " ") if len(text.strip("_")) > 1 else text

    def _rows(self, words: Sequence[str], pos: str) -> list[int]:
        names = [word.replace(" ", "_") for word in words]
        find = self._words.find_all
        if self.header.keys == "lexelt":
            found = [
                find([f"{name}.{one}" for name in names])
                for one in ([pos] if pos else self.header.blocks)
            ]
            if len(found) < 2:
                return found[0] if found else [UNKNOWN] * len(names)
            # Of the parts of speech that have it the one with most tokens.
            tokens = self.tokens
            return [
                max(rows, key=lambda row: (row >= 0, int(tokens[row]), -row))
                for rows in zip(*found, strict=True)
            ]
        rows = find(names)
        again = [
            place
            for place, row in enumerate(rows)
            if row < 0 and names[place] != names[place].lower()
        ]
        small = find([names[place].lower() for place in again])
        for place, row in zip(again, small, strict=True):
            rows[place] = row
        return rows

    def _block(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        ends = np.array([stop for _, stop in self.header.blocks.values()], np.int64)
        return np.searchsorted(ends, rows, "right")

    def _check_blocks(self) -> None:
        edge = 0
        for start, stop in self.header.blocks.values():
            if start != edge or stop < start:
                raise ValueError("parts of speech that do not follow each other")
            edge = stop
        if edge != self.header.words:
            raise ValueError(f"parts of speech of {edge} words; expected {self.header.words}")


def _unit(rows: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return rows with length 1."""
    found: NDArray[np.float32] = rows.astype(np.float32)
    found /= np.maximum(np.sqrt(np.einsum("ij,ij->i", found, found)), 1e-9)[:, None]
    return found


def open_vectors(resources: Resources, name: str) -> Vectors:
    """Open vectors by their name in ``[models]`` or ``[resources]``, or their folder."""
    return _open(resolved(resources.model(name, "vectors")))


@cached_open(4, AGAIN)
def _open(folder: Path) -> Vectors:
    return Vectors(folder)
