"""What a submission is held against: the items of a data set and its gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from lexsub.datasets import Dataset
from lexsub.formats.semeval_lines import split_answers
from lexsub.golds import GoldItem
from lexsub.submissions import Task


@dataclass(frozen=True)
class Reference:
    """A data set as the validator needs it.

    Attributes:
        name: data set and split, or the gold file.
        lexelts: every known item id with its lexelt.
        gold: the gold of the task by item id.
        complete: whether ``lexelts`` names every item, not only those with gold.
    """

    name: str
    lexelts: Mapping[str, str]
    gold: Mapping[str, GoldItem]
    complete: bool = True

    @classmethod
    def of_dataset(cls, dataset: Dataset, task: Task) -> Reference:
        """Take the items of a data set and its gold for one task."""
        gold = dataset.gold.multiwords if task == "mw" else dataset.gold.items
        return cls(dataset.name, {item.id: str(item.lexelt) for item in dataset.items}, gold)

    @classmethod
    def of_gold(cls, name: str, gold: Mapping[str, GoldItem]) -> Reference:
        """Take the items of a gold file; items without gold are then unknown."""
        return cls(name, {item.id: item.lexelt for item in gold.values()}, gold, complete=False)

    @cached_property
    def scored(self) -> frozenset[str]:
        """Ids that the official best and oot scores count: more than one response in all."""
        return frozenset(item.id for item in self.gold.values() if _is_scored(item))


def _is_scored(item: GoldItem) -> bool:
    """Whether more than one answer is left without proper names, or one given twice."""
    if not item.source:
        return item.total > 1
    left = [piece for piece in split_answers(item.source) if "pn" not in piece]
    if len(left) == 1:
        count = left[0].rsplit(maxsplit=1)[-1]
        return count.isdecimal() and int(count) > 1
    return len(left) > 1
