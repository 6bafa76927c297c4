"""What was computed for one target, kept for its next sentence, but not for ever."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST = 4096
"""More targets than any data set has; a server meets more, and lives longer than a run."""


class Kept(dict[K, V]):
    """A dictionary of so many entries at most; the one that came first goes first."""

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self._most and key not in self:
            del self[next(iter(self))]
        super().__setitem__(key, value)
