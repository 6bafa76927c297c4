"""N-grams of a token stream as sorted arrays of integers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

UNK, BOS, EOS = 0, 1, 2
SPECIAL = ("<unk>", "<s>", "</s>")

Ints = NDArray[np.int32]


class Vocabulary(dict[str, int]):
    """Words to ids; a word looked up for the first time gets the next id.

    Ids follow first appearance, as lmplz gives them; 0 to 2 are ``<unk>``, ``<s>``, ``</s>``.
    """

    def __init__(self) -> None:
        super().__init__({word: index for index, word in enumerate(SPECIAL)})

    def __missing__(self, word: str) -> int:
        self[word] = index = len(self)
        return index


@dataclass(frozen=True)
class Stream:
    """A corpus as ids: ``<s> w w w </s> <s> …`` end to end.

    Attributes:
        words: ids, shape (tokens + 2 · sentences,).
        place: distance of each position from its sentence's ``<s>``, same shape, saturated
            at 255.
        sentences: how many sentences there are.
    """

    words: Ints
    place: NDArray[np.uint8]
    sentences: int

    @property
    def tokens(self) -> int:
        """Number of tokens without the sentence marks."""
        return len(self.words) - 2 * self.sentences


def encode(sentences: Iterable[list[str]], vocabulary: Vocabulary) -> Iterator[Ints]:
    """Yield blocks of ids of sentences with their marks, about a million at a time."""
    block: list[int] = []
    look_up = vocabulary.__getitem__
    for sentence in sentences:
        block.append(BOS)
        block.extend(map(look_up, sentence))
        block.append(EOS)
        if len(block) > 1_000_000:
            yield np.array(block, dtype=np.int32)
            block = []
    if block:
        yield np.array(block, dtype=np.int32)


def make_stream(blocks: Iterable[Ints]) -> Stream:
    """Join blocks of ids into one stream."""
    pieces = list(blocks)
    words = np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.int32)
    del pieces
    starts = np.flatnonzero(words == BOS)
    place = np.arange(len(words), dtype=np.int64)
    place -= np.repeat(starts, np.diff(np.append(starts, len(words))))
    return Stream(words, np.minimum(place, 255).astype(np.uint8), len(starts))


@dataclass(frozen=True)
class Grams:
    """The distinct n-grams of one order, sorted by (prefix, last word).

    The id of an n-gram is its row.  All arrays have shape (types,).

    Attributes:
        prefix: id of the first n - 1 words among the (n - 1)-grams.
        word: the last word.
        suffix: id of the last n - 1 words among the (n - 1)-grams.
        count: occurrences.
        starts: whether the n-gram begins with ``<s>``.
    """

    prefix: Ints
    word: Ints
    suffix: Ints
    count: Ints
    starts: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.word)


def unigrams(stream: Stream, types: int) -> Grams:
    """Return the words as 1-grams; their ids are the word ids."""
    zeros = np.zeros(types, dtype=np.int32)
    words = np.arange(types, dtype=np.int32)
    counts = np.bincount(stream.words, minlength=types).astype(np.int32)
    return Grams(zeros, words, zeros, counts, words == BOS)


def count_grams(stream: Stream, order: int, types: int) -> Iterator[Grams]:
    """Yield the n-grams of orders 1 to ``order``, as lmplz would count them.

    An n-gram never crosses a sentence mark.  Each step holds a few arrays as long as the
    stream; what it yields is not kept.
    """
    lower = unigrams(stream, types)
    yield lower
    # ids[i]: the (n-1)-gram that ends at position at[i].
    at = np.arange(len(stream.words), dtype=np.int32)
    ids = stream.words
    for n in range(2, order + 1):
        here = stream.place[at] >= n - 1
        # Positions are dense inside a sentence, so the prefix ends one entry before.
        ends = np.flatnonzero(here)
        prefix, suffix, at = ids[ends - 1], ids[ends], at[ends]
        keys = prefix.astype(np.int64) * types + stream.words[at]
        by_key = np.argsort(keys)
        keys = keys[by_key]
        new = np.empty(len(keys), dtype=bool)
        new[:1] = True
        np.not_equal(keys[1:], keys[:-1], out=new[1:])
        first = np.flatnonzero(new)
        ids = np.empty(len(keys), dtype=np.int32)
        ids[by_key] = np.cumsum(new, dtype=np.int32) - 1
        example = by_key[first]
        kept = keys[first]
        del keys, new
        yield Grams(
            prefix=(kept // types).astype(np.int32),
            word=(kept % types).astype(np.int32),
            suffix=suffix[example],
            count=np.diff(np.append(first, len(by_key))).astype(np.int32),
            starts=stream.place[at[example]] == n - 1,
        )
