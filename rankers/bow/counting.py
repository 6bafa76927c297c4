"""Counting which content words stand around which words: block by block, then added up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.arrays import spans
from lexsub.rankers.bow.forms import Forms

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
