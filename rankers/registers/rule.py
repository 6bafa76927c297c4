"""The classifier of distinguishing words on arrays of counts.

Guthrie, Walker and Guthrie (1994): a vocabulary falls into the distinguishing words of each
class and the rest; a document goes to the class under whose shares of these sets its tokens
are likeliest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Columns = NDArray[np.int64]


def word_sets(totals: Floats, frequent: int, excluded: int) -> list[Columns]:
    """Return for each class the columns of its distinguishing words, most frequent first.

    They are among the ``frequent`` most frequent words of the class and not among the
    ``excluded`` most frequent ones of any other; equal frequencies rank in column order.

    Args:
        totals: counts, shape (classes, words).
        frequent: 1 or more.
        excluded: no less than ``frequent``, so that no word distinguishes two classes.

    Raises:
        ValueError: limits out of order.
    """
    if not 1 <= frequent <= excluded:
        raise ValueError(
            f"frequent is {frequent}, excluded {excluded}; expected 1 <= frequent <= excluded"
        )
    orders = [_by_frequency(row) for row in totals]
    sets = []
    for k, order in enumerate(orders):
        others = [other[:excluded] for j, other in enumerate(orders) if j != k]
        sets.append(order[:frequent][~np.isin(order[:frequent], np.concatenate(others))])
    return sets


def set_shares(totals: Floats, sets: Sequence[Columns]) -> Floats:
    """Return p_ij, shape (classes, sets + 1): the last column is the rest of the vocabulary.

    A share of 0 counts as half a token.
    """
    tokens = np.maximum(totals.sum(axis=1), 1.0)
    inside = np.stack([totals[:, columns].sum(axis=1) for columns in sets], axis=1)
    rest = totals.sum(axis=1) - inside.sum(axis=1)
    shares: Floats = np.column_stack([inside, rest]) / tokens[:, None]
    floored: Floats = np.maximum(shares, 0.5 / tokens[:, None])
    return floored


def joint_log(inside: Floats, tokens: Floats, shares: Floats) -> Floats:
    """Return Σ_j n_j ln p_ij, shape (documents, classes).

    Without a distinguishing word there is nothing to go by: all classes are level at 0.

    Args:
        inside: n_j, tokens of each document in each set, shape (documents, sets).
        tokens: length of each document, shape (documents,).
        shares: p_ij.
    """
    scores: Floats = np.column_stack([inside, tokens - inside.sum(axis=1)]) @ np.log(shares).T
    scores[inside.sum(axis=1) == 0] = 0.0
    return scores


def posterior(scores: Floats) -> Floats:
    """Return the probability of each class, all equally likely before, same shape."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: Floats = odds / odds.sum(axis=1, keepdims=True)
    return result


def _by_frequency(counts: Floats) -> Columns:
    order = np.argsort(-counts, kind="stable")
    return order[counts[order] > 0]
