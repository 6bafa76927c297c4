"""From items with gold to what learners are shown, in folds over whole targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Item
from lexsub.rankers.learned.learners import Examples
from lexsub.rankers.learned.matrix import Columns, Families, Matrix
from lexsub.rankings import Candidate
from lexsub.resources import Resources

if TYPE_CHECKING:
    from lexsub.matching.seen import SeenItem


@dataclass(frozen=True)
class ItemExamples:
    """One item to learn from.

    Attributes:
        target: its target.
        values: shape (candidates, columns).
        shares: of the human answers, shape (candidates,).
        data: the split it is of.
    """

    target: str
    values: NDArray[np.float32]
    shares: NDArray[np.float64]
    data: str


def item_examples(
    columns: Columns, resources: Resources, negatives: int, seed: int
) -> Iterator[ItemExamples]:
    """Yield the items of ``resources.training`` that have gold among their candidates.

    Args:
        columns: what to compute.
        resources: the splits to learn from, and tables of features.
        negatives: keep so many candidates that are no gold, drawn by seed; 0 keeps all.
        seed: of the draw.
    """
    from lexsub.matching.seen import gold_under

    random = np.random.default_rng(seed)
    for pooled in resources.training:
        matrix = Matrix(columns, Families(resources, pooled.data.name))
        seen = gold_under(pooled.data.gold)
        for item in pooled.data.items:
            gold = seen.get(item.id)
            candidates = pooled.pools.get(item.id, ())
            if gold is None or not candidates:
                continue
            shares = shares_of(gold, candidates)
            if not shares.any():
                continue
            values = matrix.of(item, candidates)
            wrong = np.flatnonzero(shares == 0)
            if negatives and len(wrong) > negatives:
                drawn = random.choice(wrong, negatives, replace=False)
                kept = np.sort(np.concatenate([np.flatnonzero(shares), drawn]))
                values, shares = values[kept], shares[kept]
            yield ItemExamples(target_of(item), values, shares, pooled.data.name)


def shares_of(gold: SeenItem, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """Return each candidate's share of the answers; a form that stands twice counts once."""
    worth = gold.worth([candidate.substitute for candidate in candidates])
    return np.array([weight or 0.0 for weight in worth]) / (gold.total or 1.0)


def joined(
    chosen: Sequence[ItemExamples], names: Sequence[str], weights: Mapping[str, float]
) -> Examples:
    """Put items one behind the other; weights are those of splits, 1 where none is named."""
    return Examples(
        np.concatenate([one.values for one in chosen]),
        np.concatenate([one.shares for one in chosen]),
        np.array([len(one.shares) for one in chosen], dtype=np.int64),
        names,
        np.array([weights.get(one.data, 1.0) for one in chosen]) if weights else None,
    )


def target_of(item: Item) -> str:
    """Return what must not be split over folds: the lemma, whatever its part of speech."""
    return item.lemma.lower()


def assign(targets: Iterable[str], folds: int, seed: int) -> dict[str, int]:
    """Return the fold of each target; folds differ by one target at most in size.

    The order in which targets come plays no role.
    """
    names = sorted(set(targets))
    order = np.random.default_rng(seed).permutation(len(names))
    return {names[index]: place % folds for place, index in enumerate(order.tolist())}
