"""Working sources that are one function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from lexsub.datasets import Item
from lexsub.rankings import Candidate
from lexsub.storage.memory import BoundedCache


@dataclass(frozen=True)
class ByItem:
    """A source that looks at the sentence.

    Attributes:
        candidates: item → candidates, best first.
    """

    candidates: Callable[[Item], Sequence[Candidate]]


@dataclass(frozen=True)
class ByTarget:
    """A source that looks at the target alone; it keeps the list of each.

    Attributes:
        find: (lemma, part of speech) → candidates, best first.
    """

    find: Callable[[str, str], Iterable[Candidate]]
    _lists: BoundedCache[tuple[str, str], tuple[Candidate, ...]] = field(
        default_factory=lambda: BoundedCache(128)
    )

    def candidates(self, item: Item) -> Sequence[Candidate]:
        """Return the target's candidates."""
        key = item.lemma, item.pos
        return self._lists.once(key, lambda: tuple(self.find(*key)))
