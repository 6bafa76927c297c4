"""The candidate source's own order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lexsub.datasets import Dataset
from lexsub.items import Item
from lexsub.rankers.registry import RANKERS
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@RANKERS.register("order")
@dataclass(frozen=True)
class Order:
    """Keep the order in which the source proposed its candidates.

    The score of the i-th of k candidates (from 0) is 1 - i/k, so it lies in (0, 1].
    """

    needs_gold: ClassVar[bool] = False

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return nothing: no file is read."""
        del resources
        return ()

    def open(self, resources: Resources, data: Dataset) -> Order:
        """Return itself: there is nothing to read."""
        del resources, data
        return self

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return scores that fall evenly with the place in the list."""
        del item
        return [1 - place / len(candidates) for place in range(len(candidates))]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return the place in the list, from 1."""
        del item
        return {"place": [float(place) for place in range(1, len(candidates) + 1)]}
