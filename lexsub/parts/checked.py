"""Rankers and feature families held to what they promise, and opened families of one function.

Whatever one returns is looked at before it is used.

A score that is no number would sort in any order and stand in all files of the run; a method
that is missing would fail at the stage that asks for it, behind all others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeVar

from lexsub.datasets import Dataset, Item
from lexsub.errors import LexsubError, cut
from lexsub.parts.base import Explained, Extractor, Ranker, Scorer
from lexsub.rankings import Candidate, Ranking
from lexsub.resources import Resources
from lexsub.storage.memory import BoundedCache

if TYPE_CHECKING:
    from lexsub.parts.base import Values

T = TypeVar("T")

PAGE = "docs/how-to/ranker.md"


def open_checked(ranker: Ranker, system: str, resources: Resources, data: Dataset) -> Scorer:
    """Open a system's ranker so that it refuses its own mistakes.

    What is opened raises LexsubError where the number of scores or parts is not that of the
    candidates, or a score is no number.

    Raises:
        LexsubError: what the ranker opens has no method ``scores``.
    """
    opened = ranker.open(resources, data)
    who = f"system {system}: ranker {type(ranker).__name__}"
    if not isinstance(opened, Scorer):
        raise LexsubError(
            f"{who}: what its open returns (a {type(opened).__name__}) is no Scorer with a "
            f"method scores; expected scores and, if it likes, parts (see {PAGE})"
        )
    return _CheckedScorer(opened, who)


def explained(scorer: Scorer, item: Item, pool: Sequence[Candidate]) -> Explained:
    """Return scores and parts; without candidates there are none."""
    return scorer.explained(item, pool) if pool else (scorer.scores(item, pool), {})


@dataclass(frozen=True)
class _CheckedScorer(Scorer):
    scorer: Scorer
    who: str

    @property
    def stands_in(self) -> bool:  # type: ignore[override]
        return self.scorer.stands_in

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        return self._scores(self.scorer.scores(item, candidates), item, candidates)

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        return self._parts(self.scorer.parts(item, candidates), item, candidates)

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        scores, parts = explained(self.scorer, item, candidates)
        return self._scores(scores, item, candidates), self._parts(parts, item, candidates)

    def reasons(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[Sequence[str]]:
        return self.scorer.reasons(item, candidates)

    def _scores(self, found: Any, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        given = self._list("scores", found, item, candidates)
        scores = [_number(score) for score in given]
        missing = [*map(math.isnan, scores)]
        if True in missing:
            at = missing.index(True)
            raise LexsubError(
                f"{self.who} gives candidate {candidates[at].substitute!r} of item {item.id} the "
                f"score {given[at]!r}; expected a number, the higher the better (see {PAGE})"
            )
        return scores

    def _parts(
        self, found: Any, item: Item, candidates: Sequence[Candidate]
    ) -> Mapping[str, Sequence[float]]:
        if not isinstance(found, Mapping):
            raise LexsubError(
                f"{self.who}: its parts of item {item.id} are a {type(found).__name__}; expected "
                f"a mapping from name to one number a candidate (see {PAGE})"
            )
        return {
            name: self._list(f"parts {name!r}", values, item, candidates)
            for name, values in found.items()
        }

    def _list(
        self, what: str, given: Any, item: Item, candidates: Sequence[Candidate]
    ) -> Sequence[float]:
        try:
            values = list(given)
        except TypeError:
            raise LexsubError(
                f"{self.who}: its {what} of item {item.id} are {given!r}; expected one number a "
                f"candidate (see {PAGE})"
            ) from None
        if len(values) != len(candidates):
            raise LexsubError(
                f"{self.who}: its {what} of item {item.id} are {len(values)}, its candidates "
                f"{len(candidates)}; expected one number a candidate (see {PAGE})"
            )
        return values


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def with_method(opened: T, method: str, part: object) -> T:
    """Return what a part has opened.

    Raises:
        LexsubError: it has no method of that name.
    """
    if not callable(getattr(opened, method, None)):
        raise LexsubError(
            f"{type(part).__name__}: what it opens (a {type(opened).__name__}) has no method "
            f"{method}; expected one (see docs/how-to/index.md)"
        )
    return opened


def checked_candidates(found: Any, item: Item, source: object) -> Sequence[Candidate]:
    """Return the candidates of an item.

    Raises:
        LexsubError: they are none.
    """
    if not isinstance(found, Sequence) or not all(isinstance(one, Candidate) for one in found):
        raise LexsubError(
            f"{type(source).__name__}: its candidates of item {item.id} are {cut(repr(found))}; "
            "expected a list of Candidate (see docs/how-to/source.md)"
        )
    return found


def checked_cut(number: Any, ranking: Ranking, boundary: object) -> int:
    """Return how many of a ranking's first substitutes are answers.

    Raises:
        LexsubError: no whole number from 0.
    """
    if not isinstance(number, Integral) or number < 0:
        raise LexsubError(
            f"boundary {type(boundary).__name__} leaves item {ranking.id} {number!r} answers; "
            "expected a whole number from 0 (see docs/how-to/boundary.md)"
        )
    return int(number)


def checked_values(values: Any, width: int, family: object, item: Item, rows: int) -> Values:
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
