"""Rankers without a model: floor and ceiling, the source's own order, the frequent word first."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lexsub.datasets import Dataset, Item
from lexsub.frequency import FREQUENCIES
from lexsub.matching.seen import gold_under
from lexsub.parts.base import Ranker, Scorer
from lexsub.parts.limits import Seed
from lexsub.rankers.explained import ExplainedScorer, one_by_one
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class Order(Ranker, Scorer):
    """Keep the order in which the source proposed its candidates.

    The score of the i-th of k candidates (from 0) is 1 - i/k, so it lies in (0, 1].
    """

    blind: ClassVar[bool] = True
    needs_gold: ClassVar[bool] = False

    def open(self, resources: Resources, data: Dataset) -> Order:
        """Return itself: there is nothing to read."""
        return self

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return scores that fall evenly with the place in the list."""
        many = len(candidates)
        return [1 - place / many for place in range(many)]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return the place in the list, from 1."""
        return {"place": [float(place) for place in range(1, len(candidates) + 1)]}


@dataclass(frozen=True)
class SourceScore(Ranker, Scorer):
    """Rank by the score that the source gives its candidates: a similarity, a frequency.

    A candidate of several sources has the score of the first of them that gives one.  One
    without any score has that of its place from behind, 0, -1, -2 …: for sources that give none.
    """

    needs_gold: ClassVar[bool] = False

    def open(self, resources: Resources, data: Dataset) -> SourceScore:
        """Return itself: there is nothing to read."""
        return self

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the sources' scores."""
        return [
            next((o.score for o in one.origins if o.score is not None), -float(place))
            for place, one in enumerate(candidates)
        ]


@dataclass(frozen=True)
class RandomOrder(Ranker):
    """Order candidates at random.

    The score is drawn from [0, 1) by a hash of seed, item id and substitute: it is the
    same on every machine, for any order of the candidates and any number of workers.

    Attributes:
        seed: the seed, or None for that of the run.
    """

    seed: Seed | None = None

    needs_gold: ClassVar[bool] = False

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Return what draws."""
        seed = resources.seed if self.seed is None else self.seed

        def draw(item: Item, substitute: str) -> float:
            digest = hashlib.sha256(f"{seed}\t{item.id}\t{substitute}".encode()).digest()
            return int.from_bytes(digest[:6], "big") / 2**48

        return one_by_one("drawn", draw)


@dataclass(frozen=True)
class Oracle(Ranker):
    """Order candidates by their weight in the gold; evaluation only."""

    needs_gold: ClassVar[bool] = True

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Take the gold of the data that is ranked."""
        gold = gold_under(data.gold)

        def weight(item: Item, substitute: str) -> float:
            return gold[item.id].weight(substitute) if item.id in gold else 0.0

        return one_by_one("gold", weight)


@dataclass(frozen=True)
class ByFrequency(Ranker):
    """What rankers share that ask a frequency list.

    Attributes:
        frequency: name of the list.
    """

    frequency: str

    needs_gold: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        FREQUENCIES[self.frequency]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the list's files."""
        return FREQUENCIES[self.frequency].inputs(resources)


@dataclass(frozen=True)
class FrequencyRanker(ByFrequency):
    """Order candidates by a frequency list; those it does not know come last, in source order.

    Attributes:
        frequency: name of the list.
    """

    blind: ClassVar[bool] = True
    frequency: str = "semcor"

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Read the list; words are looked up as the item's part of speech."""
        look_up = FREQUENCIES[self.frequency].open(resources).frequency
        return one_by_one("frequency", lambda item, substitute: look_up(substitute, item.pos))
