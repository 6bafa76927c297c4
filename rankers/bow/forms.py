"""Where the words to count stand in a stream of token ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexsub.languages import language_of
from lexsub.rankers.lm.tokens import tokenise

Ints = NDArray[np.int64]

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
