"""Folds over whole targets."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lexsub.items import Item


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
