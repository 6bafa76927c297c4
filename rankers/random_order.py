"""A seeded random order: the floor under every ranker."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lexsub.datasets import Dataset
from lexsub.items import Item
from lexsub.rankers.registry import RANKERS
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@RANKERS.register("random")
@dataclass(frozen=True)
class RandomOrder:
    """Order candidates at random.

    The score is drawn from [0, 1) by a hash of seed, item id and substitute: it is the
    same on every machine, for any order of the candidates and any number of workers.

    Attributes:
        seed: the seed, or None for that of the run.
    """

    seed: int | None = None

    needs_gold: ClassVar[bool] = False

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return nothing: no file is read."""
        del resources
        return ()

    def open(self, resources: Resources, data: Dataset) -> RandomScorer:
        """Return the ranker with its seed."""
        del data
        return RandomScorer(resources.seed if self.seed is None else self.seed)


@dataclass(frozen=True, slots=True)
class RandomScorer:
    """Draws a number for each candidate."""

    seed: int

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return a number in [0, 1) for each candidate."""
        return [self._draw(item.id, candidate.substitute) for candidate in candidates]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return the number drawn."""
        return {"drawn": self.scores(item, candidates)}

    def _draw(self, item: str, substitute: str) -> float:
        digest = hashlib.sha256(f"{self.seed}\t{item}\t{substitute}".encode()).digest()
        return int.from_bytes(digest[:6], "big") / 2**48
