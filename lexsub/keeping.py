"""What was computed once, kept for the next sentence or system, but not for ever."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST = 4096
"""More targets than any data set has; a server meets more, and lives longer than a run."""


class Kept(OrderedDict[K, V]):
    """A dictionary of so many entries at most; the one that came first goes first.

    A plain dictionary would look for its first entry among the places of all that have gone.
    """

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self._most and key not in self:
            self.popitem(last=False)
        super().__setitem__(key, value)

    def once(self, key: K, make: Callable[[], V]) -> V:
        """Return what is kept under a key; where nothing is, it is made first."""
        if key not in self:
            self[key] = make()
        return self[key]
