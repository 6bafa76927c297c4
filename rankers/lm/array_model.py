"""What all models in sorted arrays share: windows are looked up together, order by order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from lexsub.rankers.lm.header import LmHeader, Window
from lexsub.storage.arrays import changes

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
