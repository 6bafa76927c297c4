"""Models that answer from n-gram counts: additive and one-count smoothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexsub.arrays import map_array
from lexsub.errors import FormatError
from lexsub.files import read_text, sha256
from lexsub.keeping import Kept
from lexsub.rankers.lm.counting import BOS, EOS, UNK
from lexsub.rankers.lm.counts_files import ARRAYS, WORDS
from lexsub.rankers.lm.header import Header
from lexsub.rankers.lm.sorted_keys import look_up

if TYPE_CHECKING:
    from lexsub.rankers.lm.model import Window

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OrderCounts:
    """The n-grams of one order with what followed their contexts.

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


def open_counts(folder: Path, header: Header) -> CountsModel:
    """Open a count model; its arrays are mapped, not read.

    Raises:
        FormatError: a file is missing, cut short or of another shape.
    """
    rules: dict[str, Callable[[Header], Rule]] = {"additive": additive, "one-count": one_count}
    if header.kind not in rules:
        raise FormatError(
            folder, None, f"model of kind {header.kind!r}; expected backoff or {' or '.join(rules)}"
        )
    tables = []
    for n in range(1, header.order + 1):
        arrays = []
        for name in ARRAYS:
            path = folder / f"{name}{n}.npy"
            arrays.append(map_array(path, "train the model again", ("int32", "int64")))
        tables.append(OrderCounts(*arrays))
        lower = len(tables[-2].keys) if n > 1 else 1
        if len(arrays[0]) != len(arrays[1]) or len(arrays[2]) != lower or len(arrays[3]) != lower:
            raise FormatError(
                folder, None, f"the arrays of order {n} do not fit together; train the model again"
            )
    words = read_text(folder / WORDS).split("\n")[:-1]
    if len(words) != header.types:
        raise FormatError(
            folder / WORDS, None, f"{len(words)} words; expected {header.types}: train again"
        )
    return CountsModel(header, tables, words, rules[header.kind](header))


Rule = Callable[[Floats, Floats, Floats, Floats, Floats, int], Floats]
"""(count, total, ones, lower-order probability, context length of each row, n) to probability."""


def additive(header: Header) -> Rule:
    """p(w | h) = (c(hw) + δ) / (c(h) + δ V), no back-off.

    V counts all words that can be predicted, unknown and end included.
    """
    delta = _number(header, "delta", 0.1)
    size = header.types - 1

    def rule(
        count: Floats, total: Floats, ones: Floats, lower: Floats, length: Floats, n: int
    ) -> Floats:
        del ones
        here = (count + delta) / (total + delta * size)
        # Only the longest history a position has counts; the shorter ones are passed over.
        return np.where(length == n - 1, here, lower)

    return rule


def one_count(header: Header) -> Rule:
    """p(w | h) = (c(hw) + A p(w | h')) / (c(h) + A), A = max(1, K N1(h)).

    N1(h) is how many words followed h exactly once (Chen and Goodman, 1996, one-count
    smoothing; Yuret, 2007, after it).  The unigrams are smoothed by adding one.
    """
    factor = _number(header, "k", 1.0)
    size = header.types - 1

    def rule(
        count: Floats, total: Floats, ones: Floats, lower: Floats, length: Floats, n: int
    ) -> Floats:
        del length
        if n == 1:
            return (count + 1) / (total + size)
        weight = np.maximum(1.0, factor * ones)
        return np.where(total > 0, (count + weight * lower) / (total + weight), lower)

    return rule


def _number(header: Header, name: str, default: float) -> float:
    value = header.settings.get(name, default)
    return float(value) if isinstance(value, int | float) else default


class CountsModel:
    """An opened count model; windows are looked up together, order by order."""

    def __init__(
        self, header: Header, tables: Sequence[OrderCounts], words: Sequence[str], rule: Rule
    ) -> None:
        self.header = header
        self._tables = tables
        self._ids = {word: index for index, word in enumerate(words)}
        self._rule = rule
        self._alike: Kept[str, Floats] = Kept()

    def knows(self, token: str) -> bool:
        """Return whether a token is in the vocabulary."""
        return token in self._ids

    def log10_alike(self, texts: Sequence[str], bos: bool, eos: bool) -> Floats:
        """Return the log10 probability of windows that begin and end alike.

        Kept, because several systems of a run ask for the same ones.
        """
        key = sha256("\n".join((f"{bos} {eos}", *texts)).encode())
        if key not in self._alike:
            self._alike[key] = self.log10([(text, bos, eos) for text in texts])
        return self._alike[key].copy()

    def log10(self, windows: Sequence[Window | tuple[str, bool, bool]]) -> Floats:
        """Return the log10 probability of each window."""
        flat: list[int] = []
        starts = np.zeros(len(windows) + 1, dtype=np.int64)
        get = self._ids.get
        for row, (text, bos, eos) in enumerate(windows):
            if bos:
                flat.append(BOS)
            flat.extend([get(token, UNK) for token in text.split()])
            if eos:
                flat.append(EOS)
            starts[row + 1] = len(flat)
        if not flat:
            return np.zeros(len(windows))
        words = np.array(flat, dtype=np.int64)
        sizes = np.diff(starts)
        place = np.arange(len(words)) - np.repeat(starts[:-1], sizes)
        logs = np.where(words == BOS, 0.0, np.log10(self._probabilities(words, place)))
        # Summed window by window, so that a window's figure does not depend on the others.
        rows = np.repeat(np.arange(len(sizes)), sizes)
        return np.asarray(np.bincount(rows, logs, minlength=len(sizes)), dtype=np.float64)

    def _probabilities(self, words: NDArray[np.int64], place: NDArray[np.int64]) -> Floats:
        types, order = self.header.types, self.header.order
        length = np.minimum(place, order - 1)
        rows = words
        prob = np.zeros(len(words))
        for n, table in enumerate(self._tables, start=1):
            at = np.flatnonzero(place >= n - 1)
            if n == 1:
                context = np.zeros(len(words), dtype=np.int64)
                found = words
            else:
                context = rows[at - 1]
                found = np.full(len(at), -1, dtype=np.int64)
                some = context >= 0
                found[some] = look_up(table.keys, context[some] * types + words[at[some]])
            known = context >= 0
            count = np.where(found >= 0, table.counts[np.maximum(found, 0)], 0)
            total = np.where(known, table.totals[np.maximum(context, 0)], 0)
            ones = np.where(known, table.ones[np.maximum(context, 0)], 0)
            prob[at] = self._rule(
                count.astype(np.float64), total.astype(np.float64), ones.astype(np.float64),
                prob[at], length[at].astype(np.float64), n,
            )  # fmt: skip
            rows = np.full(len(words), -1, dtype=np.int64)
            rows[at] = found
        return prob
