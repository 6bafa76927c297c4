"""What stays in memory: a bounded cache, and a garbage collector that looks seldom."""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST = 4096
"""More targets than any data set has; a server meets more, and lives longer than a run."""

NOTHING: Any = object()

THRESHOLDS = (100_000, 50, 100)
"""How many objects more than before make Python look for garbage (its own: 700 or 2000)."""


class BoundedCache(OrderedDict[K, V]):
    """A dictionary of so many entries at most; the one that came first goes first.

    A plain dictionary would look for its first entry among the places of all that have gone.
    """

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self._most and key not in self:
            with suppress(KeyError):  # emptied by another thread
                self.popitem(last=False)
        super().__setitem__(key, value)

    def once(self, key: K, make: Callable[[], V]) -> V:
        """Return what is kept under a key; where nothing is, it is made first."""
        found: V = self.get(key, NOTHING)
        if found is NOTHING:
            # Returned as it is: what other threads keep may have taken its place again.
            found = self[key] = make()
        return found


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
