"""What is computed of a ranking or gold once, however often it is learned from or cut."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from typing import TypeVar

from lexsub.keeping import Kept
from lexsub.protocols import BoundaryContext

T = TypeVar("T")


class Memory:
    """Keeps what strategies have computed of rankings and golds.

    A cross-validation learns from the same rankings fold by fold and strategy by strategy.  It
    hands one memory on to fits with the same golds and the same rankings of other systems, under
    ``memory`` in the options of :class:`BoundaryContext`; any other fit has one of its own.
    """

    def __init__(self, most: int = sys.maxsize) -> None:
        """Keep so many results at most; the one that came first goes first."""
        self._kept: Kept[Hashable, tuple[object, object]] = Kept(most)

    @classmethod
    def of(cls, context: BoundaryContext) -> Memory:
        """Return the memory handed on, or a new one."""
        given = context.options.get("memory")
        return given if isinstance(given, cls) else cls()

    def once(self, of: object, what: Hashable, make: Callable[[], T]) -> T:
        """Return what ``make`` returned when it was first asked for ``what`` of this object."""
        # Objects are compared by identity: comparing their content costs more than the cache saves.
        # The cache keeps them alive, so that no other object gets the same identity.
        key = (id(of), what)
        if key not in self._kept:
            self._kept[key] = of, make()
        found: T = self._kept[key][1]  # type: ignore[assignment]
        return found
