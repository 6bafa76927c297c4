"""Which sources proposed a candidate, and how high up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexsub.items import Item
from lexsub.parts.build import no_files
from lexsub.parts.features import ByItem, Feature
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class OriginFeatures:
    """Places in the lists of the candidate sources.

    Attributes:
        sources: labels of the sources of the union.
    """

    sources: tuple[str, ...] = ()

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        named = [Feature(source, f"1 / (1 + place) in the list of {source}, 0 if not there")
                 for source in self.sources]  # fmt: skip
        return [
            *named,
            Feature("number", "number of sources that proposed it", False),
            Feature("reciprocal", "sum of 1 / (10 + place) over the sources"),
            Feature("first", "1 / (1 + place) in the list where it stands highest"),
        ]

    inputs = no_files

    def open(self, resources: Resources) -> ByItem:
        """Return the working family."""
        return ByItem(self._values)

    def _values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        column = {source: place for place, source in enumerate(self.sources)}
        width = len(self.sources)
        result = np.zeros((len(candidates), width + 3), dtype=np.float32)
        for row, candidate in zip(result, candidates, strict=True):
            for origin in candidate.origins:
                place = column.get(origin.source)
                if place is not None:
                    row[place] = max(row[place], 1 / (1 + origin.rank))
            row[width] = len({origin.source for origin in candidate.origins})
            row[width + 1] = sum(1 / (10 + origin.rank) for origin in candidate.origins)
            row[width + 2] = max((1 / (1 + o.rank) for o in candidate.origins), default=0.0)
        return result
