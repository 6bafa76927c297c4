"""What a submission is held against: the items of a data set and its gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from lexsub.datasets import Dataset
from lexsub.formats.candidate_pool import PROPER_NAME
from lexsub.golds import Gold, GoldItem
from lexsub.matching import SeenGold, counts_only, official_reading, see
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
        return frozenset(item_id for item_id, item in self.seen.items() if item.is_scored)

    @cached_property
    def seen(self) -> SeenGold:
        """The gold as the official scorer reads it; cleanly read if it is none of counts."""
        return see(Gold(self.name, self.gold), "official") if self._counts else self.clean

    @cached_property
    def clean(self) -> SeenGold:
        """The gold under one rule for both sides."""
        return see(Gold(self.name, self.gold), "clean")

    @cached_property
    def changed(self) -> tuple[tuple[str, str, str | None], ...]:
        """Item, substitute and what the official scorer reads of it, where that is not the same.

        That it drops the first apostrophe changes nothing, as it does so in answers, too; the mark
        of a proper name is no substitute under any rules.
        """
        if not self._counts:
            return ()
        read = (
            (item.id, name, official_reading(name))
            for item in self.gold.values()
            for name in item.positive
            if name != PROPER_NAME
        )
        return tuple(one for one in read if one[2] != one[1].replace("'", "", 1))

    @cached_property
    def _counts(self) -> bool:
        return counts_only(self.gold.values())
