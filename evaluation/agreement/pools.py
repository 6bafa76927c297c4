"""A pool of substitutes under two golds, with where each comes from.

Tanguy et al. (2016) had what annotators (gold 1) and systems proposed judged again (gold 2)
and compared the two scores of each substitute in its sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lexsub.golds import GoldItem

Origin = Literal["annotators only", "systems only", "both"]
ORIGINS: tuple[Origin, ...] = ("annotators only", "systems only", "both")


@dataclass(frozen=True, slots=True)
class PooledSubstitute:
    """A substitute of an item under both golds.

    Attributes:
        item: the item's id.
        lexelt: the target word type.
        substitute: the substitute.
        score1: its weight in gold 1, 0 where gold 1 does not have it.
        score2: its weight in gold 2, 0 where gold 2 does not have it.
        origin: who proposed it, or None where neither did (it is in gold 2 alone).
    """

    item: str
    lexelt: str
    substitute: str
    score1: float
    score2: float
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Pool:
    """The pool of two golds and some systems.

    Attributes:
        substitutes: by item in gold 1's order; within it gold 1, then systems, then gold 2.
        items: how many items both golds have.
        only_in_one: how many items one gold alone has; they are left out.
    """

    substitutes: tuple[PooledSubstitute, ...]
    items: int
    only_in_one: int


def pool(
    gold1: Mapping[str, GoldItem],
    gold2: Mapping[str, GoldItem],
    systems: Iterable[Mapping[str, Sequence[str]]] = (),
) -> Pool:
    """Pool the substitutes of two golds and of systems, item by item.

    Gold 2 files leave out substitutes rated 0, so one that was proposed and is not in gold 2
    scores 0 there; items that gold 2 lacks altogether were not judged and are left out.

    Args:
        gold1: what annotators proposed (weights above 0).
        gold2: the later judgement.
        systems: for each system its answers by item id, already cut as they were judged.
    """
    runs = list(systems)
    shared = [item_id for item_id in gold1 if item_id in gold2]
    rows: list[PooledSubstitute] = []
    for item_id in shared:
        annotated, judged = gold1[item_id].positive, gold2[item_id].weights
        answered = dict.fromkeys(name for run in runs for name in run.get(item_id, ()))
        for name in dict.fromkeys([*annotated, *answered, *judged]):
            origin: Origin | None = None
            if name in annotated:
                origin = "both" if name in answered else "annotators only"
            elif name in answered:
                origin = "systems only"
            rows.append(
                PooledSubstitute(
                    item_id,
                    gold1[item_id].lexelt,
                    name,
                    annotated.get(name, 0.0),
                    judged.get(name, 0.0),
                    origin,
                )
            )
    return Pool(tuple(rows), len(shared), len(set(gold1) ^ set(gold2)))
