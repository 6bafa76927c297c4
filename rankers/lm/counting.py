"""From the lines of a corpus to ids of words, and to n-grams as sorted arrays of integers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexsub.rankers.lm.tokens import tokenise
from lexsub.storage.arrays import changes, spans

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
        count: occurrences.
    """

    prefix: Ints
    word: Ints
    count: Ints

    def __len__(self) -> int:
        return len(self.word)


def count_grams(stream: Stream, order: int, types: int) -> Iterator[Grams]:
    """Yield the n-grams of orders 1 to ``order``, as lmplz would count them.

    The ids of 1-grams are those of the words.  An n-gram never crosses a sentence mark.  Each
    step holds a few arrays as long as the stream; what it yields is not kept.
    """
    words, place = stream.words, stream.place
    counts = np.bincount(words, minlength=types).astype(np.int32)
    yield Grams(np.zeros(types, dtype=np.int32), np.arange(types, dtype=np.int32), counts)
    # ids[i]: the (n-1)-gram that ends at position i; anything where none does.
    ids, known = words, types
    # Sorted by word once, then by prefix for each order: every sort is one counting pass, and
    # as it keeps the order of equals the n-grams come out sorted by prefix, then word.
    by_word, _ = sort_by(words, np.arange(len(words), dtype=np.int32), types)
    for n in range(2, order + 1):
        by_word = by_word[place[by_word] >= n - 1]
        by_key, ends = sort_by(ids[by_word - 1], by_word, known)
        prefix = np.repeat(np.arange(known, dtype=np.int32), np.diff(ends))
        word = words[by_key]
        new = changes(word) | changes(prefix)
        first = np.flatnonzero(new)
        ids = np.zeros(len(words), dtype=np.int32)
        ids[by_key] = np.cumsum(new, dtype=np.int32) - 1
        known = len(first)
        count = np.diff(np.append(first, len(by_key))).astype(np.int32)
        yield Grams(prefix[first], word[first], count)


def sort_by(keys: Ints, values: Ints, types: int) -> tuple[Ints, Ints]:
    """Sort values by their keys, keeping the order of equal ones.

    Args:
        keys: from 0 to ``types`` - 1, shape (values,).
        values: whatever goes with them, same shape.
        types: how many keys there are.

    Returns:
        The values, and where each key's begin: shape (types + 1,).
    """
    # A matrix of one entry a row, asked for its columns: scipy does that in one compiled pass.
    rows = np.arange(len(keys) + 1, dtype=np.int32)
    # Only training counts, and loading scipy takes longer than much of what models are asked.
    from scipy.sparse import csr_array

    by_column = csr_array((values, keys, rows), shape=(len(keys), types)).tocsc()
    return by_column.data, by_column.indptr


BLOCK = 1_000_000
"""Pieces of text that are numbered before their tokens are given out."""

KEPT = 1_000_000
"""Different pieces that are remembered; a corpus of any length keeps within some 200 MB."""

_LINE_END = 0


class _Pieces(dict[str, int]):
    """Pieces of text without blanks to numbers; one met for the first time is tokenised.

    A token never reaches over a blank, so the tokens of a text are those of its pieces, and
    most pieces come again.
    """

    def __init__(self, vocabulary: Vocabulary, lower: bool) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.lower = lower
        self._forget()

    def __missing__(self, piece: str) -> int:
        tokens = tokenise(piece, lower=self.lower)
        self._tokens.extend(map(self.vocabulary.__getitem__, tokens))
        self._ends.append(len(self._tokens))
        self[piece] = number = len(self._ends) - 2
        return number

    def _forget(self) -> None:
        self.clear()
        # All tokens of all pieces end to end, and where each piece's end.
        self._tokens: list[int] = [EOS, BOS]
        self._ends = [0, 2]

    def expand(self, numbers: list[int]) -> Ints:
        """Return the ids of pieces' tokens, shape (tokens,), and forget pieces if they are many."""
        tokens, ends = np.array(self._tokens, dtype=np.int32), np.array(self._ends)
        pieces = np.array(numbers, dtype=np.int32)
        at = spans(ends[pieces], np.diff(ends)[pieces])
        if len(self) > KEPT:
            self._forget()
        ids: Ints = tokens[at]
        return ids


def encode(lines: Iterable[str], vocabulary: Vocabulary, *, lower: bool) -> Iterator[Ints]:
    """Yield the ids of lines' tokens in blocks of whole sentences, about a million ids each.

    Every line is a sentence, ``<s> w w w </s>``; those without a token are left out.
    """
    pieces = _Pieces(vocabulary, lower)
    look_up = pieces.__getitem__
    numbers: list[int] = []
    for line in lines:
        numbers.extend(map(look_up, line.split()))
        numbers.append(_LINE_END)
        if len(numbers) > BLOCK:
            if len(block := _marked(pieces.expand(numbers))):
                yield block
            numbers = []
    if numbers and len(block := _marked(pieces.expand(numbers))):
        yield block


def _marked(ids: Ints) -> Ints:
    """Turn ``w w w </s> <s> …`` into whole sentences, none of them empty."""
    ids = np.concatenate([np.array([BOS], dtype=np.int32), ids[:-1]])
    kept: NDArray[np.bool_] = np.ones(len(ids), dtype=np.bool_)
    empty = np.flatnonzero((ids[:-1] == BOS) & (ids[1:] == EOS))
    kept[empty] = kept[empty + 1] = False
    return ids[kept]


def decode(ids: Ints, words: Sequence[str]) -> str:
    """Return the text of whole sentences, a line each with a blank between tokens."""
    spelled = list(words)
    spelled[EOS] = "\n"
    text = " ".join(map(spelled.__getitem__, ids[ids != BOS].tolist()))
    return text.replace(" \n ", "\n").removesuffix(" \n") + "\n"
