"""From the lines of a corpus to token ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from lexsub.rankers.lm.counting import BOS, EOS, Ints, Vocabulary
from lexsub.rankers.lm.tokens import tokenise
from lexsub.storage.arrays import spans

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
        if piece.isascii() and piece.isalnum():
            tokens = [piece.lower() if self.lower else piece]
        else:
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
