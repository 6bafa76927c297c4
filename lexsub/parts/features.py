"""Opened feature families that are one function, and the check of what a family returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lexsub.errors import LexsubError
from lexsub.items import Item
from lexsub.parts.base import Extractor
from lexsub.rankings import Candidate
from lexsub.storage.memory import BoundedCache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float32]


def checked(values: Any, width: int, family: object, item: Item, rows: int) -> Values:
    """Return the features of an item's candidates as float32.

    Args:
        values: what an extractor has returned.
        width: the number of the family's features.
        family: the family, for the message.
        item: the item.
        rows: the number of its candidates.

    Raises:
        LexsubError: they are no numbers of the shape (rows, width), or not finite; says whose.
    """
    import numpy as np

    try:
        with np.errstate(over="ignore"):
            found = np.asarray(values, dtype=np.float32)
        problem = "" if found.shape == (rows, width) else f"the shape {found.shape}"
        if not problem and np.isinf(found).any():
            problem = "a value that is not finite"
    except (TypeError, ValueError) as error:
        problem = f"no numbers ({error})"
    if problem:
        raise LexsubError(
            f"feature family {type(family).__name__}: its values of item {item.id} have {problem}; "
            f"expected numbers of shape ({rows}, {width}), a row a candidate and a column a "
            "feature, NaN for what is not known (see docs/how-to/learn.md)"
        )
    return found


@dataclass(frozen=True)
class ByItem(Extractor):
    """An extractor that is one function.

    Attributes:
        compute: (item, candidates) → features, as of :meth:`Extractor.values`.
    """

    compute: Callable[[Item, Sequence[Candidate]], Values]

    def values(self, item: Item, candidates: Sequence[Candidate]) -> Values:
        """Return the features, shape (candidates, features)."""
        return self.compute(item, candidates)


@dataclass
class ByTarget(Extractor):
    """An extractor of features that do not look at the sentence.

    The values of a target and a list of candidates are kept: all sentences of a target
    mostly have the same candidates.

    Attributes:
        compute: (lemma, part of speech, substitutes) → values.
    """

    compute: Callable[[str, str, tuple[str, ...]], Values]
    _kept: BoundedCache[tuple[str, str, tuple[str, ...]], Values] = field(
        default_factory=lambda: BoundedCache(KEPT)
    )

    def values(self, item: Item, candidates: Sequence[Candidate]) -> Values:
        """Return the features, shape (candidates, features)."""
        key = (item.lemma, item.pos, tuple(candidate.substitute for candidate in candidates))
        return self._kept.once(key, lambda: self.compute(*key))


KEPT = 64
"""Lists of candidates whose values are kept; items of a target mostly stand together."""
