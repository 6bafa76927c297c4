"""What was computed once, kept for the next sentence or system, but not for ever."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST = 4096
"""More targets than any data set has; a server meets more, and lives longer than a run."""

NOTHING: Any = object()


class Kept(OrderedDict[K, V]):
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
