"""Files of models that answer from n-gram counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from lexsub.rankers.lm.counting import Grams

WORDS = "words.txt"
ARRAYS = ("keys", "counts", "totals", "ones")
"""Of each order, as in :class:`lexsub.rankers.lm.counts_model.OrderCounts`."""


def write_counts(folder: Path, tables: Iterable[Grams], words: Sequence[str]) -> None:
    """Write the arrays of a count model; each order is written before the next is asked for."""
    (folder / WORDS).write_text("\n".join(words) + "\n", encoding="utf-8")
    contexts = 1
    for n, grams in enumerate(tables, start=1):
        counts = grams.count
        if n == 1:
            # <s> is given, never predicted.
            counts = np.where(grams.starts, 0, counts).astype(np.int32)
        parts = {
            "keys": grams.prefix.astype(np.int64) * len(words) + grams.word,
            "counts": counts,
            "totals": np.bincount(grams.prefix, counts, minlength=contexts).astype(np.int64),
            "ones": np.bincount(grams.prefix, counts == 1, minlength=contexts).astype(np.int32),
        }
        for name, array in parts.items():
            np.save(folder / f"{name}{n}.npy", array)
        contexts = len(grams)
