"""Rankers held to what they promise: whatever one returns is looked at before it is used.

A score that is no number would sort in any order and stand in all files of the run; a method
that is missing would fail at the stage that asks for it, behind all others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lexsub.datasets import Dataset
from lexsub.errors import LexsubError
from lexsub.items import Item
from lexsub.parts.base import Explained, Ranker, Scorer
from lexsub.rankings import Candidate
from lexsub.resources import Resources

PAGE = "docs/how-to/ranker.md"


def checked(ranker: Ranker, system: str) -> Ranker:
    """Return a ranker that refuses its own mistakes.

    What it opens raises LexsubError where it has no method ``scores``, the number of scores or
    parts is not that of the candidates, or a score is no number.
    """
    return _CheckedRanker(ranker, system)


def explained(scorer: Scorer, item: Item, pool: Sequence[Candidate]) -> Explained:
    """Return scores and parts; without candidates there are none."""
    return scorer.explained(item, pool) if pool else (scorer.scores(item, pool), {})


@dataclass(frozen=True)
class _CheckedRanker(Ranker):
    ranker: Ranker
    system: str

    def open(self, resources: Resources, data: Dataset) -> Scorer:
        opened = self.ranker.open(resources, data)
        who = f"system {self.system}: ranker {type(self.ranker).__name__}"
        if not isinstance(opened, Scorer) or type(opened).scores is Scorer.scores:
            raise LexsubError(
                f"{who}: what its open returns (a {type(opened).__name__}) is no Scorer with a "
                f"method scores; expected scores and, if it likes, parts (see {PAGE})"
            )
        return _CheckedScorer(opened, who)


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
        for candidate, score, value in zip(candidates, scores, given, strict=True):
            if math.isnan(score):
                raise LexsubError(
                    f"{self.who} gives candidate {candidate.substitute!r} of item {item.id} the "
                    f"score {value!r}; expected a number, the higher the better (see {PAGE})"
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
