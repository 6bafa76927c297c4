"""Features: what a learned ranker may know of a candidate, in families found by name.

A family is a part (a frozen dataclass in a file of its own, registered in ``FEATURES``) that
computes a few related numbers for all candidates of an item at once.  Families live in the
room whose models they read; nobody but the registry needs to know where.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from lexsub.errors import LexsubError
from lexsub.parts.base import Part
from lexsub.parts.contracts import follows
from lexsub.parts.registry import Registry
from lexsub.storage.memory import BoundedCache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexsub.items import Item
    from lexsub.rankings import Candidate
    from lexsub.resources import Resources

    Values = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Feature:
    """One number that a family knows of a candidate.

    Attributes:
        name: unique within its family.
        text: one line: what it says, in which unit.
        within: whether it means most in comparison with the item's other candidates, so that
            its rank, z-score and distance to the best are features as well; flags, and what
            is the same for all candidates, need no comparison.
    """

    name: str
    text: str
    within: bool = True


class Extractor(Protocol):
    """An opened family."""

    def values(self, item: Item, candidates: Sequence[Candidate]) -> Values:
        """Return the features, shape (candidates, features); NaN where nothing is known."""
        ...


@runtime_checkable
class Preparing(Protocol):
    """An opened family that does part of its work faster for several items at once."""

    def prepare(self, items: Sequence[Item]) -> None:
        """Get ready for the values of these items, which are asked for next.

        It never changes a value.
        """
        ...


@runtime_checkable
class Telling(Protocol):
    """An opened family that can say in words what speaks for a candidate."""

    def reasons(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[Sequence[str]]:
        """Return for each candidate what speaks for it, as "fits after *too*"; mostly little."""
        ...


@runtime_checkable
class AsksFamilies(Protocol):
    """A family whose own parts ask other families, which are opened already."""

    def open_beside(self, resources: Resources, shared: dict[str, Any]) -> Extractor:
        """Open as ``open`` of :class:`FeatureFamily` does.

        Args:
            resources: as of ``open``.
            shared: what rankers share (:class:`lexsub.parts.base.Sharing`).
        """
        ...


class FeatureFamily(Part, Protocol):
    """Some related features."""

    def features(self) -> Sequence[Feature]:
        """Return what the columns of :meth:`Extractor.values` are, in their order."""
        ...

    def open(self, resources: Resources) -> Extractor:
        """Read what is needed and return the working family."""
        ...


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


FEATURES: Registry[type[FeatureFamily]] = Registry(
    "feature family", follows(FeatureFamily, "lexsub/parts/features.py")
)


@dataclass(frozen=True)
class ByItem:
    """An extractor that is one function.

    Attributes:
        values: (item, candidates) → features, as of :class:`Extractor`.
    """

    values: Callable[[Item, Sequence[Candidate]], Values]


@dataclass
class ByTarget:
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
