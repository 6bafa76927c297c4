"""What is computed of a ranking once, however often it is learned from or cut."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from lexsub.protocols import BoundaryContext
from lexsub.rankings import Ranking

T = TypeVar("T")


class Memory:
    """Keeps what strategies have computed of rankings.

    A cross-validation learns from the same rankings fold by fold and strategy by strategy.  It
    hands one memory on to fits with the same golds and the same rankings of other systems, under
    ``memory`` in the options of :class:`BoundaryContext`; any other fit has one of its own.
    """

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[Ranking, object]] = {}

    @classmethod
    def of(cls, context: BoundaryContext) -> Memory:
        """Return the memory handed on, or a new one."""
        given = context.options.get("memory")
        return given if isinstance(given, cls) else cls()

    def once(self, ranking: Ranking, what: Hashable, make: Callable[[], T]) -> T:
        """Return what ``make`` returned when it was first asked for ``what`` of this ranking."""
        # Rankings are told apart by identity, as to compare them costs more than what is kept.
        # One that is kept lives on, so that no other can have its identity.
        key = (id(ranking), what)
        if key not in self._kept:
            self._kept[key] = ranking, make()
        found: T = self._kept[key][1]  # type: ignore[assignment]
        return found
