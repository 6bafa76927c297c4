"""Models that answer from n-gram counts, and their files: additive and one-count smoothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError
from lexsub.rankers.lm.array_model import ArrayModel, Longs
from lexsub.rankers.lm.counting import BOS, Grams
from lexsub.rankers.lm.header import LmHeader
from lexsub.storage.arrays import map_array
from lexsub.storage.files import read_text, sha256
from lexsub.storage.memory import BoundedCache

Floats = NDArray[np.float64]

WORDS = "words.txt"
KINDS = ("additive", "one-count")


class OrderCounts(NamedTuple):
    """The n-grams of one order with what followed their contexts; each field is a file.

    Attributes:
        keys: (id of the first n - 1 words) · types + last word, sorted, shape (n-grams,).
        counts: occurrences, same shape.
        totals: for each (n - 1)-gram the occurrences of all its continuations.
        ones: for each (n - 1)-gram how many words followed it exactly once.
    """

    keys: NDArray[np.int64]
    counts: NDArray[np.int32]
    totals: NDArray[np.int64]
    ones: NDArray[np.int32]


def write_counts(folder: Path, tables: Iterable[Grams], words: Sequence[str]) -> None:
    """Write the arrays of a count model; each order is written before the next is asked for."""
    (folder / WORDS).write_text("\n".join(words) + "\n", encoding="utf-8")
    contexts = 1
    for n, grams in enumerate(tables, start=1):
        counts = grams.count
        if n == 1:
            counts[BOS] = 0  # <s> is given, never predicted.
        parts = {
            "keys": grams.prefix.astype(np.int64) * len(words) + grams.word,
            "counts": counts,
            "totals": np.bincount(grams.prefix, counts, minlength=contexts).astype(np.int64),
            "ones": np.bincount(grams.prefix, counts == 1, minlength=contexts).astype(np.int32),
        }
        for name, array in parts.items():
            np.save(folder / f"{name}{n}.npy", array)
        contexts = len(grams)


def open_counts(folder: Path, header: LmHeader) -> CountsModel:
    """Open a count model; its arrays are mapped, not read.

    Raises:
        FormatError: a file is missing, cut short or of another shape.
    """
    if header.kind not in KINDS:
        raise FormatError(
            folder, None, f"model of kind {header.kind!r}; expected backoff or {' or '.join(KINDS)}"
        )
    tables: list[OrderCounts] = []
    for n in range(1, header.order + 1):
        paths = [folder / f"{name}{n}.npy" for name in OrderCounts._fields]
        again, types = "train the model again", ("int32", "int64")
        table = OrderCounts(*(map_array(path, again, types) for path in paths))
        lower = len(tables[-1].keys) if tables else 1
        tables.append(table)
        sizes = len(table.keys), len(table.counts), len(table.totals), len(table.ones)
        if sizes != (sizes[0], sizes[0], lower, lower):
            raise FormatError(
                folder, None, f"the arrays of order {n} do not fit together; train the model again"
            )
    words = read_text(folder / WORDS).split("\n")[:-1]
    if len(words) != header.types:
        raise FormatError(
            folder / WORDS, None, f"{len(words)} words; expected {header.types}: train again"
        )
    return CountsModel(header, tables, words)


class CountsModel(ArrayModel[OrderCounts]):
    """An opened count model.

    *additive*: p(w | h) = (c(hw) + δ) / (c(h) + δ V), no back-off.  V counts all words that can be
    predicted, unknown and end included.

    *one-count*: p(w | h) = (c(hw) + A p(w | h')) / (c(h) + A), A = max(1, K N1(h)).  N1(h) is how
    many words followed h exactly once (Chen and Goodman, 1996, one-count smoothing; Yuret, 2007,
    after it).  The unigrams are smoothed by adding one.
    """

    def __init__(
        self, header: LmHeader, tables: Sequence[OrderCounts], words: Sequence[str]
    ) -> None:
        super().__init__(header, {word: index for index, word in enumerate(words)}, tables)
        self._delta, self._k = _number(header, "delta", 0.1), _number(header, "k", 1.0)
        self._alike: BoundedCache[str, Floats] = BoundedCache()

    def log10_alike(self, texts: Sequence[str], bos: bool, eos: bool) -> Floats:
        """Return the log10 probability of windows that begin and end alike.

        Kept, because several systems of a run ask for the same ones.
        """
        key = sha256("\n".join((f"{bos} {eos}", *texts)).encode())
        ask = partial(super().log10_alike, texts, bos, eos)
        return self._alike.once(key, ask).copy()

    def _logs(self, words: Longs, place: Longs) -> Floats:
        prob, size = np.zeros(len(words)), self.header.types - 1
        longest = np.minimum(place, self.header.order - 1)
        grams = self._grams(words, place, [table.keys for table in self._tables])
        for n, (table, (at, context, found)) in enumerate(
            zip(self._tables, grams, strict=True), start=1
        ):
            pairs = (table.counts, found), (table.totals, context), (table.ones, context)
            count, total, ones = (
                np.where(rows >= 0, values[np.maximum(rows, 0)], 0).astype(np.float64)
                for values, rows in pairs
            )
            lower = prob[at]
            if self.header.kind == "additive":
                here = (count + self._delta) / (total + self._delta * size)
                # Only the longest history a position has counts; the shorter are passed over.
                prob[at] = np.where(longest[at] == n - 1, here, lower)
            elif n == 1:
                prob[at] = (count + 1) / (total + size)
            else:
                weight = np.maximum(1.0, self._k * ones)
                seen = (count + weight * lower) / (total + weight)
                prob[at] = np.where(total > 0, seen, lower)
        return np.log10(prob)


def _number(header: LmHeader, name: str, default: float) -> float:
    value = header.settings.get(name, default)
    return float(value) if isinstance(value, int | float) else default
