"""The gold's own order: the ceiling over every ranker of the same candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lexsub.datasets import Dataset
from lexsub.items import Item
from lexsub.matching import SeenGold, see
from lexsub.rankers.registry import RANKERS
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@RANKERS.register("oracle")
@dataclass(frozen=True)
class Oracle:
    """Order candidates by their weight in the gold; evaluation only."""

    needs_gold: ClassVar[bool] = True

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return nothing: the gold comes with the data."""
        del resources
        return ()

    def open(self, resources: Resources, data: Dataset) -> OracleScorer:
        """Take the gold of the data that is ranked."""
        del resources
        return OracleScorer(see(data.gold))


@dataclass(frozen=True, slots=True)
class OracleScorer:
    """Looks candidates up in the gold."""

    gold: SeenGold

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return each candidate's weight, 0 where the gold has no such answer."""
        seen = self.gold.get(item.id)
        return [seen.weight(c.substitute) if seen else 0.0 for c in candidates]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return the gold weights."""
        return {"gold": self.scores(item, candidates)}
