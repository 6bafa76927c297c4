"""The candidate source's own scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lexsub.datasets import Dataset
from lexsub.items import Item
from lexsub.rankers.registry import RANKERS
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources


@RANKERS.register("source-score")
@dataclass(frozen=True)
class SourceScore:
    """Rank by the score that the source gives its candidates: a similarity, a frequency.

    A candidate of several sources has the score of the first of them that gives one.  One
    without any score has that of its place from behind, 0, -1, -2 …: for sources that give none.
    """

    needs_gold: ClassVar[bool] = False

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return nothing: no file is read."""
        del resources
        return ()

    def open(self, resources: Resources, data: Dataset) -> SourceScore:
        """Return itself: there is nothing to read."""
        del resources, data
        return self

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the sources' scores."""
        del item
        return [
            next((s for s in map(_score, one.origins) if s is not None), -float(place))
            for place, one in enumerate(candidates)
        ]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return nothing: the score is made of itself alone."""
        del item, candidates
        return {}


def _score(origin: Origin) -> float | None:
    return origin.score
