"""Back-off models queried in numpy, for machines on which KenLM cannot be built."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError, LexsubError
from lexsub.parts.limits import whole_number
from lexsub.rankers.lm.array_model import ArrayModel, Followers, Longs, look_up
from lexsub.rankers.lm.header import LmHeader
from lexsub.storage.compression import open_stream, read_lines

Float32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NgramsOfOrder:
    """The n-grams of one order.

    Attributes:
        keys: (row of the first n - 1 words) · types + last word, sorted, shape (n-grams,).
        prob: log10 probability of the last word given the others, same shape.
        backoff: log10 weight of the lower order after this context, same shape.
    """

    keys: NDArray[np.int64]
    prob: Float32
    backoff: Float32


@dataclass(frozen=True, slots=True)
class Coded:
    """Numbers by their places in a table, a byte each.

    Attributes:
        codes: the places, shape (numbers,).
        table: what they stand for.
    """

    codes: NDArray[np.uint8]
    table: Float32

    def __getitem__(self, rows: NDArray[np.int64]) -> Float32:
        """Return the numbers of some rows."""
        return self.table[self.codes[rows]]


@dataclass(frozen=True, slots=True)
class CodedOrder:
    """An :class:`NgramsOfOrder` whose probabilities and weights are kept in a byte each."""

    keys: NDArray[np.int64] | Followers
    prob: Coded
    backoff: Coded


class SortedModel(ArrayModel[NgramsOfOrder | CodedOrder]):
    """A back-off model in sorted arrays; it answers what KenLM answers, to the last bit.

    Numbers are single and are added in KenLM's order, so that no figure depends on which of
    the two is installed.
    """

    def _logs(self, words: Longs, place: Longs) -> Float32:
        # A model without <unk> gives unknown words what KenLM gives them.
        logs = _at(self._tables[0].prob, words, -100)
        grams = self._grams(words, place, [order.keys for order in self._tables])
        for order, below, (at, context, found) in zip(
            self._tables[1:], self._tables, islice(grams, 1, None), strict=False
        ):
            weaker = logs[at] + _at(below.backoff, context, 0)
            logs[at] = np.where(found >= 0, _at(order.prob, found, 0), weaker)
        return logs


class ArpaModel(SortedModel):
    """An ARPA file read into arrays."""

    def __init__(self, folder: Path, header: LmHeader) -> None:
        path = folder / header.file
        ids, orders = read_arpa(path)
        if len(orders) != header.order:
            raise FormatError(
                path,
                None,
                f"is a model of order {len(orders)}, its header says {header.order}: the "
                "file was exchanged; import it again with 'lexsub lm import'",
            )
        super().__init__(header, ids, orders)


def is_arpa(path: Path) -> bool:
    """Return True if a file is an ARPA text, plain or compressed."""
    try:
        with open_stream(path) as stream:
            return b"\\data\\" in stream.read(1 << 12)
    except LexsubError:
        return False


def read_arpa(path: Path) -> tuple[dict[str, int], list[NgramsOfOrder]]:
    """Read an ARPA file.

    Returns the words' ids and the n-grams of each order.

    Raises:
        FileProblemError: it cannot be read.
        FormatError: it is not ARPA, cut short, or holds an n-gram without its first words.

    What KenLM takes is taken: compressed files, CR LF, blank lines, any white space between
    fields, ``<UNK>`` for ``<unk>``.
    """
    lines = _Lines(path)
    ids: dict[str, int] = {}
    orders: list[NgramsOfOrder] = []
    for n, size in enumerate(_sizes(lines), start=1):
        if (lines.line if n == 1 else next(lines)) != f"\\{n}-grams:":
            raise lines.damaged(f"expected \\{n}-grams:")
        words, prob, backoff, places = _columns(lines, n, size)
        if n == 1:
            # As in KenLM the first of two equal words counts, and the unknown word has two names.
            for row, (word,) in enumerate(words):
                ids.setdefault("<unk>" if word == "<UNK>" else word, row)
            keys = np.arange(size, dtype=np.int64)
        else:
            keys = _keys(path, words, ids, orders, places)
        by_key = np.argsort(keys, kind="stable")
        orders.append(NgramsOfOrder(keys[by_key], prob[by_key], backoff[by_key]))
    if next(lines) != "\\end\\":
        raise lines.damaged("expected \\end\\ after the last n-gram")
    return ids, orders


class _Lines:
    """The lines of an ARPA file that are not blank; at its end, empty ones.

    Attributes:
        line: the one given out last.
        number: its number.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.number, self.line = path, 0, ""
        self._lines = ((number, line.strip()) for number, line in read_lines(path))

    def __next__(self) -> str:
        self.number, self.line = next(
            ((number, line) for number, line in self._lines if line), (self.number, "")
        )
        return self.line

    def damaged(self, what: str) -> FormatError:
        return _damaged(self.path, self.number, what)


def _sizes(lines: _Lines) -> list[int]:
    """Return how many n-grams of each order the file says it has; reads one line more."""
    for _ in range(100):
        if next(lines) == "\\data\\":
            break
    else:
        raise _damaged(lines.path, 1, "expected \\data\\ at the beginning of an ARPA file")
    sizes: list[int] = []
    while (line := next(lines)).startswith("ngram "):
        left, _, right = line.removeprefix("ngram ").partition("=")
        size = whole_number(right.strip())
        if left.strip() != str(len(sizes) + 1) or size is None:
            raise lines.damaged(f"expected ngram {len(sizes) + 1}=COUNT")
        sizes.append(size)
    if not sizes:
        raise lines.damaged("expected ngram 1=COUNT")
    return sizes


def _columns(
    lines: _Lines, n: int, size: int
) -> tuple[list[list[str]], Float32, Float32, Sequence[int]]:
    """Return words, log10 probabilities, back-off weights and places of the lines of one order."""
    words: list[list[str]] = []
    numbers, places = array("f"), array("q")
    for _ in range(size):
        # Of bytes only ASCII's white space parts fields: words may hold other blanks.
        cells = next(lines).encode().split()
        gram = b" ".join(cells[1 : n + 1]).decode().split(" ")
        try:
            numbers.extend(map(float, (cells[0], *(cells[n + 1 :] or (0.0,)))))
        except (ValueError, IndexError, OverflowError):
            gram = []
        if len(gram) != n or len(cells) > n + 2 or not all(map(math.isfinite, numbers[-2:])):
            raise lines.damaged(f"expected probability, {n} words and perhaps a back-off")
        if numbers[-2] > 0:
            raise lines.damaged(f"log10 probability {numbers[-2]:g} is above 0")
        words.append(gram)
        places.append(lines.number)
    table = np.array(numbers, np.float32).reshape(-1, 2)
    return words, table[:, 0].copy(), table[:, 1].copy(), places


def _keys(
    path: Path,
    words: list[list[str]],
    ids: dict[str, int],
    orders: Sequence[NgramsOfOrder],
    places: Sequence[int],
) -> NDArray[np.int64]:
    try:
        rename = {"<UNK>": "<unk>"}
        grams = np.array(
            [[ids[rename.get(word, word)] for word in gram] for gram in words], dtype=np.int64
        )
    except KeyError as error:
        row = next(i for i, gram in enumerate(words) if any(word not in ids for word in gram))
        raise _damaged(path, places[row], f"word {error} is not among the 1-grams") from error
    grams = grams.reshape(len(words), len(orders) + 1)
    rows = grams[:, 0]
    for order, column in zip(orders[1:], grams.T[1:], strict=False):
        rows = look_up(order.keys, rows * len(ids) + column)
        if len(rows) and rows.min() < 0:
            row = int(np.argmin(rows))
            raise _damaged(path, places[row], "its first words are no n-gram of lower order")
    return rows * len(ids) + grams[:, -1]


def _damaged(path: Path, line: int, what: str) -> FormatError:
    return FormatError(
        path, line, f"{what}; the file is damaged or no ARPA file: train or import again"
    )


def _at(values: Float32 | Coded, rows: NDArray[np.int64], otherwise: float) -> Float32:
    """Return the values of rows, and something else where the row is -1."""
    found = np.full(len(rows), otherwise, dtype=np.float32)
    there = rows >= 0
    found[there] = values[rows[there]]
    return found
