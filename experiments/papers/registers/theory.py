"""What the classifier of distinguishing words should reach, computed exactly.

Guthrie, Walker and Guthrie (1994), "Document classification by machine: theory and
practice", table 1: with known shares of distinguishing words, how often is a document of n
tokens classified right?
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from lexsub.errors import LexsubError


def share_correct(shares: Sequence[Sequence[float]], true: int, tokens: int) -> float:
    """Return the probability that a document of one class is classified as that class.

    Sums the multinomial probabilities of all ways in which the tokens of the document may
    fall into the word sets and for which the true class is strictly the likeliest.

    Args:
        shares: for each class the share of its tokens in each word set; rows sum to 1.
        true: index of the class the document is drawn from.
        tokens: its length.

    Raises:
        LexsubError: shares that are no distribution, or not positive.
    """
    for row in shares:
        if len(row) != len(shares[0]) or min(row) <= 0 or abs(sum(row) - 1) > 1e-9:
            raise LexsubError(
                f"shares {list(row)} are no distribution over {len(shares[0])} word sets; expected "
                "positive numbers that sum to 1"
            )
    logs = [[math.log(share) for share in row] for row in shares]
    total = 0.0
    for counts in _compositions(tokens, len(shares[0])):
        scores = [sum(n * log for n, log in zip(counts, row, strict=True)) for row in logs]
        if all(scores[true] > score for k, score in enumerate(scores) if k != true):
            ways = math.lgamma(tokens + 1) - sum(math.lgamma(n + 1) for n in counts)
            total += math.exp(ways + scores[true])
    return total


def _compositions(tokens: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (tokens,)
        return
    for first in range(tokens + 1):
        for rest in _compositions(tokens - first, parts - 1):
            yield (first, *rest)
