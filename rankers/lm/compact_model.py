"""Back-off models in little place (``compact-lm``): some three bytes an n-gram when packed.

::

    model.json         the header (kind ``compact``)
    words.txt          a word a line, the most probable first
    N.probs.npy        (n-grams,) places in the table of log10 probabilities, one byte each
    N.backoffs.npy     the same of the weights of the lower order; none for the highest
    N.tables.npy       (2, 256) what these places stand for
    N.words.npy        (2, n-grams) last words: high bytes, low bytes; from order 2
    N.sizes.npy        (n-grams of order N - 1,) how many of order N begin with each; from order 2
    digests.json       of these files

N-grams of one order stand by that of their first words, then by their last word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray

from lexsub.errors import FormatError, LexsubError
from lexsub.parts.base import ModelBuilder
from lexsub.parts.limits import Positive
from lexsub.rankers.lm import array_model
from lexsub.rankers.lm.array_model import Float32, NgramsOfOrder
from lexsub.rankers.lm.header import LmHeader, read_header, write_header
from lexsub.resources import Resources
from lexsub.storage.arrays import map_array
from lexsub.storage.files import read_text, write_text, writing

AGAIN = "make the model again"
WORDS = "words.txt"
MOST_WORDS = 1 << 16


def open_compact(folder: Path, header: LmHeader) -> array_model.SortedModel:
    """Open a model whose header has been read.

    Raises:
        FormatError: its files are damaged or do not fit each other.
    """
    words = read_text(folder / WORDS).split("\n")[:-1]
    ids = {word: number for number, word in enumerate(words)}
    if len(ids) != len(words):
        raise FormatError(folder / WORDS, None, f"holds a word twice: {AGAIN}")
    orders: list[array_model.CodedOrder] = []
    for n in range(1, header.order + 1):
        keys: NDArray[np.int64] | array_model.Followers = np.arange(len(words), dtype=np.int64)
        if n > 1:
            shape = (len(orders[-1].keys),)
            sizes = map_array(folder / f"{n}.sizes.npy", AGAIN, ("uint16", "uint32"), shape)
            keys = _followers(sizes, folder / f"{n}.words.npy")
        tables = map_array(folder / f"{n}.tables.npy", AGAIN, ("float32",), (2, 256))
        probs = map_array(folder / f"{n}.probs.npy", AGAIN, ("uint8",), (len(keys),))
        backoffs = np.zeros(0, np.uint8)
        if n < header.order:
            backoffs = map_array(folder / f"{n}.backoffs.npy", AGAIN, ("uint8",), probs.shape)
        coded = (
            array_model.Coded(codes, np.array(table))
            for codes, table in zip((probs, backoffs), tables, strict=True)
        )
        orders.append(array_model.CodedOrder(keys, *coded))
    return array_model.SortedModel(header, ids, orders)


def _followers(sizes: NDArray[Any], path: Path) -> array_model.Followers:
    """Return the last words of all n-grams, by the rows of their first words."""
    starts = np.zeros(len(sizes) + 1, np.uint32)
    np.cumsum(sizes, out=starts[1:])
    last = map_array(path, AGAIN, ("uint8",), (2, int(sizes.sum(dtype=np.int64))))
    words = np.left_shift(last[0], 8, dtype=np.uint16)
    words += last[1]
    rising = np.ones(len(words) + 1, bool)
    np.greater(words[1:], words[:-1], out=rising[1:-1])
    rising[starts.astype(np.intp)] = True  # the first of its row
    if not rising.all():
        raise FormatError(path, None, f"holds n-grams that are out of order: {AGAIN}")
    return array_model.Followers(starts, words)


def write_compact(
    folder: Path, ids: Mapping[str, int], orders: Sequence[NgramsOfOrder], bits: int
) -> None:
    """Write the files of a model but its header.

    Args:
        folder: an empty folder.
        ids: of the words, from 0, at most 65536.
        orders: the n-grams of each order from 1, keys rising.
        bits: what is left of each number, 1 to 8.

    Raises:
        OSError: the disk refuses.
    """
    words = sorted(ids, key=lambda word: ids[word])
    write_text(folder / WORDS, "".join(f"{word}\n" for word in words))
    before = 0
    for n, order in enumerate(orders, start=1):
        tables = np.zeros((2, 256), np.float32)
        probs, tables[0] = quantised(order.prob, bits)
        np.save(folder / f"{n}.probs.npy", probs)
        if n < len(orders):
            backoffs, tables[1] = quantised(order.backoff, bits)
            np.save(folder / f"{n}.backoffs.npy", backoffs)
        np.save(folder / f"{n}.tables.npy", tables)
        if n > 1:
            first, last = np.divmod(order.keys, len(words))
            # High and low bytes apart: the high ones are mostly alike, and pack well.
            np.save(folder / f"{n}.words.npy", np.stack([last >> 8, last & 255]).astype(np.uint8))
            sizes = np.bincount(first, minlength=before)
            width = np.uint16 if sizes.max(initial=0) < 1 << 16 else np.uint32
            np.save(folder / f"{n}.sizes.npy", sizes.astype(width))
        before = len(order.keys)


def quantised(values: Float32, bits: int) -> tuple[NDArray[np.uint8], Float32]:
    """Return places in a table of 256, and the table: the mean of each of equally full bins.

    Place 0 is for 0 itself: a context that nothing follows has no weight for the lower order.
    """
    codes, table = np.zeros(len(values), np.uint8), np.zeros(256, np.float32)
    others = np.flatnonzero(values != 0)
    if len(others):
        chosen = values[others].astype(np.float64)
        number = (1 << bits) - 1
        edges = np.sort(chosen)[np.arange(1, number) * len(chosen) // number]
        bins = np.searchsorted(np.unique(edges), chosen, "right")
        full = np.bincount(bins)
        table[1 : len(full) + 1] = np.bincount(bins, chosen) / np.maximum(full, 1)
        codes[others] = bins + 1
    return codes, table


SPECIAL = ("<unk>", "<s>", "</s>")


@dataclass(frozen=True)
class CompactLmBuilder(ModelBuilder):
    """Takes the most probable words of an n-gram model, and a byte for each of its numbers.

    It is asked without KenLM.  Which n-grams there are is the model's own ``prune``; those with
    a word that is left out go, and their context keeps its weight for the lower order.

    Attributes:
        lm: model of kind ``lm`` with ``binary = false``, by its name in ``[models]`` or its folder.
        words: how many words, the most probable first, beside the three special ones; at most
            65,533.
        bits: of each probability and weight, 2 to 8: 2 to the power of so many different values.
    """

    lm: str = "lm"
    words: Annotated[Positive, Le(MOST_WORDS - len(SPECIAL))] = MOST_WORDS - len(SPECIAL)
    bits: Annotated[int, Ge(2), Le(8)] = 6

    reads_models: ClassVar[dict[str, str]] = {"lm": "lm"}

    def build(self, resources: Resources, folder: Path) -> None:
        """Write the smaller model into a folder.

        Raises:
            LexsubError: there is no such model, it is no ARPA file, or the disk refuses.
        """
        (source,) = self.inputs(resources)
        header = read_header(source)
        if header.kind != "backoff" or not array_model.is_arpa(source / header.file):
            raise LexsubError(
                f"model {self.lm} is no ARPA file ({header.file or header.kind}): train it with "
                "smoothing kneser-ney and binary = false"
            )
        ids, orders = fewer_words(*array_model.read_arpa(source / header.file), self.words)
        settings = {**header.settings, "kept": self.words, "bits": self.bits}
        made = replace(header, kind="compact", file="", types=len(ids), settings=settings)
        with writing(folder):
            write_compact(folder, ids, orders, self.bits)
            write_header(folder, made)


def fewer_words(
    ids: dict[str, int], orders: Sequence[NgramsOfOrder], words: int
) -> tuple[dict[str, int], list[NgramsOfOrder]]:
    """Return a model of the most probable words beside the special ones, and their n-grams.

    Of equally probable words the first by name is kept.
    """
    prob = orders[0].prob
    rest = sorted(
        (word for word in ids if word not in SPECIAL),
        key=lambda word: (-float(prob[ids[word]]), word),
    )
    kept = [*(word for word in SPECIAL if word in ids), *rest[:words]]
    types = len(ids)
    # New row of each n-gram of the order before, -1 for those that go; words are their own rows.
    moved = np.full(len(prob), -1, np.int64)
    rows = np.array([ids[word] for word in kept], np.int64)
    moved[rows] = np.arange(len(kept))
    found = [
        NgramsOfOrder(np.arange(len(kept), dtype=np.int64), prob[rows], orders[0].backoff[rows])
    ]
    number: NDArray[np.int64] = moved
    for order in orders[1:]:
        first, last = np.divmod(order.keys, types)
        first, last = moved[first], number[last]
        there = np.flatnonzero((first >= 0) & (last >= 0))
        keys = first[there] * len(kept) + last[there]
        sort = np.argsort(keys, kind="stable")
        rows = there[sort]
        found.append(NgramsOfOrder(keys[sort], order.prob[rows], order.backoff[rows]))
        moved = np.full(len(order.keys), -1, np.int64)
        moved[rows] = np.arange(len(rows))
    return {word: place for place, word in enumerate(kept)}, found
