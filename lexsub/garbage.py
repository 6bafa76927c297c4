"""The collector of cyclic garbage, kept from looking for what is not there."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (100_000, 50, 100)
"""How many objects more than before make Python look for garbage (its own: 700 or 2000)."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let the garbage collector look seldom while many small objects are made to stay.

    Candidates and rankings are small objects by the hundred thousand, none of them in a cycle:
    looking through them every few hundred takes longer than making them.
    """
    before = gc.get_threshold()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
