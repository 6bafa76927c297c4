"""Counting which content words stand around which words: block by block, then added up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.languages import language_of
from lexsub.rankers.lm.tokens import tokenise
from lexsub.storage.arrays import spans

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BlockCounts:
    """What one block adds to the counts; blocks add up in any order.

    Attributes:
        near: sparse (words, contexts): how often each context id stood near each word.
        seen: occurrences of each word, shape (words,).
    """

    near: Any
    seen: Ints

    def __add__(self, other: BlockCounts) -> BlockCounts:
        return BlockCounts(self.near + other.near, self.seen + other.seen)


def count_block(
    ids: Ints, line_starts: Ints, forms: Forms, content: NDArray[np.bool_], window: int
) -> BlockCounts:
    """Count a block of whole lines.

    Around each occurrence of a word, the ``window`` content tokens on either side in the same
    line are counted; the occurrence itself is not.

    Args:
        ids: the block's token ids.
        line_starts: where its lines begin, first 0.
        forms: the words to look for.
        content: for each token id whether it is a content word.
        window: content tokens on each side.
    """
    from scipy.sparse import csr_matrix

    starts, lengths, rows = forms.find(ids)
    is_content = content[ids]
    at_content = np.concatenate([[0], np.cumsum(is_content)])
    tokens = ids[is_content]
    # For each line, where its content tokens begin and end among all content tokens.
    borders = at_content[np.append(line_starts, len(ids))]
    line = np.searchsorted(line_starts, starts, "right") - 1
    before, behind = at_content[starts], at_content[starts + lengths]
    low = np.maximum(before - window, borders[line])
    high = np.minimum(behind + window, borders[line + 1])
    # An occurrence whose tokens run over a line end is none.
    inside = starts + lengths <= np.append(line_starts[1:], len(ids))[line]
    left, right = (before - low) * inside, np.maximum(high - behind, 0) * inside
    near = np.concatenate([spans(low, left), spans(behind, right)])
    owner = np.concatenate([np.repeat(rows, left), np.repeat(rows, right)])
    ones = np.ones(len(near), dtype=np.int64)
    shape = (forms.rows, len(content))
    counts = csr_matrix((ones, (owner, tokens[near])), shape=shape)
    return BlockCounts(counts, np.bincount(rows[inside], minlength=forms.rows))


LONGEST = 6
"""Forms of more tokens are not looked for."""


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of all words, by their number of tokens.

    Attributes:
        tables: for each length, the forms' token ids sorted by row, shape (forms, length),
            and for each the row of its word; a form of two words stands twice.
        rows: number of words.
    """

    tables: Mapping[int, tuple[Ints, Ints]]
    rows: int

    def find(self, ids: Ints) -> tuple[Ints, Ints, Ints]:
        """Return start, length and word row of every occurrence in a stream of token ids."""
        starts, lengths, rows = [], [], []
        for length, (forms, owners) in self.tables.items():
            if len(ids) < length:
                continue
            keys, wanted = _keys(ids, length), _keys(forms.ravel(), length)[::length]
            by_key = np.argsort(wanted, kind="stable")
            wanted, forms, owners = wanted[by_key], forms[by_key], owners[by_key]
            first = np.searchsorted(wanted, keys, "left")
            here = np.flatnonzero(wanted[np.minimum(first, len(wanted) - 1)] == keys)
            first = first[here]
            # A key can stand for several words, and by chance for other tokens: each is checked.
            while len(here):
                same = (forms[first] == ids[here[:, None] + np.arange(length)]).all(axis=1)
                starts.append(here[same])
                rows.append(owners[first[same]])
                lengths.append(np.full(int(same.sum()), length))
                more = (first + 1 < len(wanted)) & (
                    wanted[np.minimum(first + 1, len(wanted) - 1)] == keys[here]
                )
                here, first = here[more], first[more] + 1
        if not starts:
            empty = np.zeros(0, dtype=np.int64)
            return empty, empty, empty
        return np.concatenate(starts), np.concatenate(lengths), np.concatenate(rows)


def make_forms(
    words: Sequence[str], ids: Mapping[str, int], lower: bool = True, language: str = "en"
) -> Forms:
    """Return the forms of words given as ``substitute.pos``.

    Args:
        words: as in ``["glad.a", "give up.v"]``.
        ids: token to id; forms with other tokens cannot occur and are left out.
        lower: whether the stream is lower-cased.
        language: ISO 639-1 code.
    """
    spoken = language_of(language)
    found: dict[int, list[tuple[list[int], int]]] = {}
    for row, word in enumerate(words):
        substitute, _, pos = word.rpartition(".")
        seen = set()
        for form in spoken.all_forms(substitute, pos):
            tokens = tokenise(form, lower=lower)
            text = tuple(ids.get(token, -1) for token in tokens)
            if text and min(text) >= 0 and len(text) <= LONGEST and text not in seen:
                seen.add(text)
                found.setdefault(len(text), []).append((list(text), row))
    tables = {
        length: (
            np.array([text for text, _ in entries], dtype=np.int64),
            np.array([row for _, row in entries], dtype=np.int64),
        )
        for length, entries in sorted(found.items())
    }
    return Forms(tables, len(words))


def _keys(ids: Ints, length: int) -> NDArray[np.uint64]:
    """Return one number for each run of ``length`` ids."""
    count = len(ids) - length + 1
    keys = np.zeros(count, dtype=np.uint64)
    for place in range(length):
        keys *= np.uint64(0x9E3779B97F4A7C15)
        keys += ids[place : place + count].astype(np.uint64)
    return keys
