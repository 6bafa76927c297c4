"""Back-off models queried in numpy, for machines on which KenLM cannot be built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexsub.digests import known_sha256
from lexsub.errors import FormatError
from lexsub.files import read_text
from rankers.lm.header import Header
from rankers.lm.sorted_keys import look_up

if TYPE_CHECKING:
    from rankers.lm.model import Window

Float32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Order:
    """The n-grams of one order.

    Attributes:
        keys: (row of the first n - 1 words) · types + last word, sorted, shape (n-grams,).
        prob: log10 probability of the last word given the others, same shape.
        backoff: log10 weight of the lower order after this context, same shape.
    """

    keys: NDArray[np.int64]
    prob: Float32
    backoff: Float32


class ArpaModel:
    """An ARPA file read into arrays; it answers what KenLM answers, to the last bit.

    Numbers are single and are added in KenLM's order, so that no figure depends on which of
    the two is installed.
    """

    def __init__(self, folder: Path, header: Header) -> None:
        self.header = header
        self.path = folder / header.file
        self._ids, self._orders = _read_once(self.path, known_sha256(self.path))
        if len(self._orders) != header.order:
            raise FormatError(
                self.path,
                None,
                f"is a model of order {len(self._orders)}, its header says {header.order}: the "
                "file was exchanged; import it again with 'lexsub lm import'",
            )
        self._unknown = self._ids.get("<unk>", -1)

    def knows(self, token: str) -> bool:
        """Return whether a token is in the vocabulary."""
        return token in self._ids and token != "<unk>"

    def log10(self, windows: Sequence[Window | tuple[str, bool, bool]]) -> NDArray[np.float64]:
        """Return the log10 probability of each window."""
        texts = [
            [*(["<s>"] if bos else []), *text.split(), *(["</s>"] if eos else [])]
            for text, bos, eos in windows
        ]
        sizes = np.array([len(tokens) for tokens in texts], dtype=np.int64)
        get, unknown = self._ids.get, self._unknown
        words = np.array([get(t, unknown) for tokens in texts for t in tokens], dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        place = np.arange(len(words)) - np.repeat(starts, sizes)
        probs = self._probabilities(words, place)
        # <s> is given, not predicted.
        given = np.array([bos for _, bos, _ in windows], dtype=bool)
        probs[starts[given]] = 0
        total = np.zeros(len(texts), dtype=np.float32)
        for step in range(int(sizes.max(initial=0))):
            here = np.flatnonzero(sizes > step)
            total[here] += probs[starts[here] + step]
        return total.astype(np.float64)

    def log10_alike(self, texts: Sequence[str], bos: bool, eos: bool) -> NDArray[np.float64]:
        """Return the log10 probability of windows that begin and end alike."""
        return self.log10([(text, bos, eos) for text in texts])

    def _probabilities(self, words: NDArray[np.int64], place: NDArray[np.int64]) -> Float32:
        """Return the log10 probability of each token given those before it in its window."""
        types = len(self._ids)
        # A model without <unk> gives unknown words what KenLM gives them.
        probs = _at(self._orders[0].prob, words, -100)
        rows = words
        for n, order in enumerate(self._orders[1:], start=2):
            at = np.flatnonzero(place >= n - 1)
            context = rows[at - 1]
            known = (context >= 0) & (words[at] >= 0)
            found = np.full(len(at), -1, dtype=np.int64)
            found[known] = look_up(order.keys, context[known] * types + words[at[known]])
            weaker = probs[at] + _at(self._orders[n - 2].backoff, context, 0)
            probs[at] = np.where(found >= 0, _at(order.prob, found, 0), weaker)
            rows = np.full(len(words), -1, dtype=np.int64)
            rows[at] = found
        return probs


@lru_cache(maxsize=2)
def _read_once(path: Path, digest: str) -> tuple[dict[str, int], list[Order]]:
    """Read a file once a process: every ranker of a run opens its model anew."""
    del digest  # another file under the same name
    return read_arpa(path)


def read_arpa(path: Path) -> tuple[dict[str, int], list[Order]]:
    """Read an ARPA file.

    Returns the words' ids and the n-grams of each order.

    Raises:
        FileProblemError: it cannot be read.
        FormatError: it is not ARPA, cut short, or holds an n-gram without its first words.
    """
    lines = read_text(path).split("\n")
    sizes, at = _sizes(path, lines)
    ids: dict[str, int] = {}
    orders: list[Order] = []
    for n, size in enumerate(sizes, start=1):
        while at < len(lines) and not lines[at].strip():
            at += 1
        if at >= len(lines) or lines[at].strip() != f"\\{n}-grams:":
            raise _damaged(path, min(at + 1, len(lines)), f"expected \\{n}-grams:")
        first = at + 1
        at = first + size
        words, prob, backoff = _columns(path, lines[first:at], n, first)
        if n == 1:
            ids |= {word[0]: row for row, word in enumerate(words)}
            keys = np.arange(size, dtype=np.int64)
        else:
            keys = _keys(path, words, ids, orders, first)
        by_key = np.argsort(keys, kind="stable")
        orders.append(Order(keys[by_key], prob[by_key], backoff[by_key]))
    rest = [line for line in lines[at:] if line.strip()]
    if rest[:1] != ["\\end\\"]:
        raise _damaged(path, min(at + 1, len(lines)), "expected \\end\\ after the last n-gram")
    return ids, orders


def _sizes(path: Path, lines: Sequence[str]) -> tuple[list[int], int]:
    at = next((i for i, line in enumerate(lines[:100]) if line.strip() == "\\data\\"), -1) + 1
    if not at:
        raise _damaged(path, 1, "expected \\data\\ at the beginning of an ARPA file")
    sizes: list[int] = []
    while at < len(lines) and lines[at].startswith("ngram "):
        left, _, right = lines[at].removeprefix("ngram ").partition("=")
        if left.strip() != str(len(sizes) + 1) or not _is_count(right.strip()):
            raise _damaged(path, at + 1, f"expected ngram {len(sizes) + 1}=COUNT")
        sizes.append(int(right))
        at += 1
    if not sizes:
        raise _damaged(path, at + 1, "expected ngram 1=COUNT")
    return sizes, at


def _is_count(text: str) -> bool:
    # Numbers of thousands of digits are more than Python reads.
    return text.isascii() and text.isdecimal() and len(text) < 20


def _columns(
    path: Path, lines: Sequence[str], n: int, first: int
) -> tuple[list[list[str]], Float32, Float32]:
    """Return words, log10 probabilities and back-off weights of the lines of one order."""
    words, prob, backoff = [], np.zeros(len(lines), np.float32), np.zeros(len(lines), np.float32)
    for row, line in enumerate(lines):
        cells = line.split("\t")
        gram = cells[1].split(" ") if len(cells) in (2, 3) else []
        try:
            prob[row] = float(cells[0])
            backoff[row] = float(cells[2]) if len(cells) == 3 else 0.0
        except ValueError:
            gram = []
        if len(gram) != n:
            raise _damaged(
                path, first + row + 1, f"expected probability, {n} words and perhaps a back-off"
            )
        words.append(gram)
    return words, prob, backoff


def _keys(
    path: Path, words: list[list[str]], ids: dict[str, int], orders: Sequence[Order], first: int
) -> NDArray[np.int64]:
    try:
        grams = np.array([[ids[word] for word in gram] for gram in words], dtype=np.int64)
    except KeyError as error:
        row = next(i for i, gram in enumerate(words) if any(word not in ids for word in gram))
        raise _damaged(path, first + row + 1, f"word {error} is not among the 1-grams") from error
    grams = grams.reshape(len(words), len(orders) + 1)
    rows = grams[:, 0]
    for order, column in zip(orders[1:], grams.T[1:], strict=False):
        rows = look_up(order.keys, rows * len(ids) + column)
        if len(rows) and rows.min() < 0:
            row = int(np.argmin(rows))
            raise _damaged(path, first + row + 1, "its first words are no n-gram of lower order")
    return rows * len(ids) + grams[:, -1]


def _damaged(path: Path, line: int, what: str) -> FormatError:
    return FormatError(
        path, line, f"{what}; the file is damaged or no ARPA file: train or import again"
    )


def _at(values: Float32, rows: NDArray[np.int64], otherwise: float) -> Float32:
    """Return the values of rows, and something else where the row is -1."""
    found = np.full(len(rows), otherwise, dtype=np.float32)
    there = rows >= 0
    found[there] = values[rows[there]]
    return found
