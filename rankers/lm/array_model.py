"""Models in sorted arrays: what all share, and back-off models for machines without KenLM.

Windows are looked up together, order by order.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError, LexsubError
from lexsub.parts.limits import whole_number
from lexsub.rankers.lm.header import LmHeader, Window
from lexsub.storage.arrays import changes
from lexsub.storage.compression import open_stream, read_lines

Longs = NDArray[np.int64]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Followers:
    """The n-grams of an order by the row of their first words: a third of what keys take.

    Attributes:
        starts: where the last words of each row of first words begin, and where those of the last
            row end, shape (rows + 1,).
        last: last words, rising within each row, shape (n-grams,).
    """

    starts: NDArray[np.uint32]
    last: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.last)

    def rows(self, first: Longs, words: Longs) -> Longs:
        """Return the rows of n-grams by their first words' row and last word, -1 for none."""
        if not len(self.last):
            return np.full(len(first), -1, dtype=np.int64)
        end = self.starts[first + 1].astype(np.int64)
        # The last of those below each word, all found together; a step is half the one before.
        below = self.starts[first].astype(np.int64) - 1
        step = 1 << int((end - below).max(initial=1) - 1).bit_length()
        while step := step >> 1:
            probe = below + step
            less = self.last.take(probe, mode="clip") < words
            less &= probe < end
            below += step * less
        row = below + 1
        there = (row < end) & (self.last.take(row, mode="clip") == words)
        return np.where(there, row, -1)


class ArrayModel(ABC, Generic[T]):
    """A model in arrays, sorted by ``keys``: (row of the first n - 1 words) · types + last word.

    Of some models the keys are taken apart (:class:`Followers`).
    """

    def __init__(self, header: LmHeader, ids: Mapping[str, int], tables: Sequence[T]) -> None:
        """Take the ids of the words, and the n-grams of each order from 1."""
        self.header, self._ids, self._tables = header, ids, tables

    def knows(self, token: str) -> bool:
        """Return whether a token is in the vocabulary."""
        return token in self._ids and token != "<unk>"

    def log10(self, windows: Sequence[Window | tuple[str, bool, bool]]) -> NDArray[np.float64]:
        """Return the log10 probability of each window."""
        opening, ending = {True: "<s> ", False: ""}, {True: " </s>", False: ""}
        texts = [f"{opening[bos]}{text}{ending[eos]}".split() for text, bos, eos in windows]
        sizes = np.array([len(tokens) for tokens in texts], dtype=np.int64)
        get, unknown = self._ids.get, self._ids.get("<unk>", -1)
        words = np.array([get(t, unknown) for tokens in texts for t in tokens], dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        logs = self._logs(words, np.arange(len(words)) - np.repeat(starts, sizes))
        # <s> is given, never predicted, so it has no probability of its own.
        logs[starts[np.array([bos for _, bos, _ in windows], dtype=bool)]] = 0
        # Summed window by window, so that a window's figure does not depend on the others.
        total = np.zeros(len(texts), dtype=logs.dtype)
        for step in range(int(sizes.max(initial=0))):
            here = np.flatnonzero(sizes > step)
            total[here] += logs[starts[here] + step]
        return total.astype(np.float64)

    def log10_alike(self, texts: Sequence[str], bos: bool, eos: bool) -> NDArray[np.float64]:
        """Return the log10 probability of windows that begin and end alike."""
        return self.log10([(text, bos, eos) for text in texts])

    @abstractmethod
    def _logs(self, words: Longs, place: Longs) -> NDArray[Any]:
        """Return the log10 probability of each token given those before it in its window.

        Args:
            words: ids, -1 for a word that is not there, shape (tokens,).
            place: of each in its window.
        """

    def _grams(
        self, words: Longs, place: Longs, keys: Sequence[Longs | Followers]
    ) -> Iterator[tuple[Longs, Longs, Longs]]:
        """Look up the n-grams that end at each token, order by order from 1.

        Yields the tokens that have as many before them, the rows of their contexts among the
        n-grams of the order below (0 in the first), and their own rows; -1 for those not there.
        """
        yield np.arange(len(words)), np.zeros_like(words), words
        rows = words
        for n, own in enumerate(keys[1:], start=2):
            at = np.flatnonzero(place >= n - 1)
            context = rows[at - 1]
            there = (context >= 0) & (words[at] >= 0)
            found = np.full(len(at), -1, dtype=np.int64)
            first, last = context[there], words[at[there]]
            if isinstance(own, Followers):
                found[there] = own.rows(first, last)
            else:
                found[there] = look_up(own, first * len(self._ids) + last)
            yield at, context, found
            rows = np.full(len(words), -1, dtype=np.int64)
            rows[at] = found


def look_up(keys: Longs, wanted: Longs) -> Longs:
    """Return the row of each key, -1 where it is not there."""
    # Sorted needles walk the mapped file once from front to back.
    found = np.full(len(wanted), -1, dtype=np.int64)
    if not len(keys) or not len(wanted):
        return found
    # By hand: np.unique imports what takes longer than a sentence.
    order = np.argsort(wanted, kind="stable")
    ordered = wanted[order]
    first = changes(ordered)
    distinct = ordered[first]
    rows = np.searchsorted(keys, distinct)
    rows = np.where(keys[np.minimum(rows, len(keys) - 1)] == distinct, rows, -1)
    found[order] = rows[np.cumsum(first) - 1]
    return found


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
        header.check_order(len(orders), path)
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
        grams, prob, backoff, places = _columns(lines, n, size, ids)
        keys = grams[:, 0]
        for order, column in zip(orders, grams.T[1:], strict=True):
            rows = look_up(order.keys, keys)
            if len(rows) and rows.min() < 0:
                place = places[int(np.argmin(rows))]
                raise lines.damaged("its first words are no n-gram of lower order", place)
            keys = rows * len(ids) + column
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

    def damaged(self, what: str, number: int | None = None) -> FormatError:
        """Return what to raise at a line, by default the one given out last."""
        way = "the file is damaged or no ARPA file: train or import again"
        return FormatError(self.path, number or self.number, f"{what}; {way}")


def _sizes(lines: _Lines) -> list[int]:
    """Return how many n-grams of each order the file says it has; reads one line more."""
    for _ in range(100):
        if next(lines) == "\\data\\":
            break
    else:
        raise lines.damaged("expected \\data\\ at the beginning of an ARPA file", 1)
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
    lines: _Lines, n: int, size: int, ids: dict[str, int]
) -> tuple[Longs, Float32, Float32, Sequence[int]]:
    """Return ids of words, log10 probabilities, back-off weights and places of one order's lines.

    The ids are those of the first order's lines, which come first.
    """
    numbers, grams, places = array("f"), array("q"), array("q")
    for row in range(size):
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
        # As in KenLM the first of two equal words counts, and the unknown word has two names.
        gram = ["<unk>" if word == "<UNK>" else word for word in gram]
        if n == 1:
            ids.setdefault(gram[0], row)
        try:
            grams.extend([row] if n == 1 else [ids[word] for word in gram])
        except KeyError as error:
            raise lines.damaged(f"word {error} is not among the 1-grams") from error
        places.append(lines.number)
    table = np.array(numbers, np.float32).reshape(-1, 2)
    words = np.array(grams, np.int64).reshape(-1, n)
    return words, table[:, 0].copy(), table[:, 1].copy(), places


def _at(values: Float32 | Coded, rows: NDArray[np.int64], otherwise: float) -> Float32:
    """Return the values of rows, and something else where the row is -1."""
    found = np.full(len(rows), otherwise, dtype=np.float32)
    there = rows >= 0
    found[there] = values[rows[there]]
    return found
