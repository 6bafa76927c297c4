"""What an item must have to be counted by a measure, and the words for why one is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from evaluation.tables import Table

Mask = NDArray[np.bool_]

CRITERIA: dict[str, tuple[str, Callable[[Table], Mask]]] = {
    "scored": ("fewer than two responses", lambda table: table.scored),
    "mode": ("no mode", lambda table: table.has_mode),
    "gold": ("no gold substitute", lambda table: table.sizes > 0),
    "single-word gold": ("no single-word gold", lambda table: table.single_words.sizes > 0),
    "alphabetic gold": ("no gold of letters only", lambda table: table.alphabetic.sizes > 0),
    "multiword": ("not a multiword item", lambda table: table.is_multiword_item),
}
"""Criterion → (why an item that lacks it is skipped, which items have it)."""


@dataclass(frozen=True)
class Counted:
    """Which items count.

    Attributes:
        mask: one truth value an item.
        skipped: reason → number of items skipped for it (the first reason that holds).
    """

    mask: Mask
    skipped: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table, criteria: Sequence[str], within: Mask | None = None) -> Counted:
        """Count the items (of ``within``, or all) that meet every criterion."""
        mask = np.ones(len(table.ids), bool) if within is None else within.copy()
        skipped = {}
        for name in criteria:
            reason, holds = CRITERIA[name]
            failing = mask & ~holds(table)
            if failing.any():
                skipped[reason] = int(failing.sum())
            mask &= ~failing
        return cls(mask, skipped)
