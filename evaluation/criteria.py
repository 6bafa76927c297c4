"""What an item must have to be counted by a measure, and the words for why one is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from lexsub.evaluation.gold_arrays import Bools, GoldArrays

CRITERIA: dict[str, tuple[str, Callable[[GoldArrays], Bools]]] = {
    "scored": ("fewer than two responses", lambda gold: gold.scored),
    "mode": ("no mode", lambda gold: gold.has_mode),
    "gold": ("no gold substitute", lambda gold: gold.sizes > 0),
    "single-word gold": ("no single-word gold", lambda gold: gold.single_words.sizes > 0),
    "alphabetic gold": ("no gold of letters only", lambda gold: gold.alphabetic.sizes > 0),
    "multiword": ("not a multiword item", lambda gold: gold.is_multiword_item),
}
"""Criterion → (why an item that lacks it is skipped, which items have it)."""


@dataclass(frozen=True)
class Counted:
    """Which items count.

    Attributes:
        mask: one truth value an item.
        skipped: reason → number of items skipped for it (the first reason that holds).
    """

    mask: Bools
    skipped: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, gold: GoldArrays, criteria: Sequence[str], within: Bools | None = None) -> Counted:
        """Count the items (of ``within``, or all) that meet every criterion."""
        mask = np.ones(len(gold.ids), bool) if within is None else within.copy()
        skipped = {}
        for name in criteria:
            reason, holds = CRITERIA[name]
            failing = mask & ~holds(gold)
            if failing.any():
                skipped[reason] = int(failing.sum())
            mask &= ~failing
        return cls(mask, skipped)
