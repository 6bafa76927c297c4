"""What judges are asked: substitutes of annotators and systems, mixed and shuffled.

McCarthy and Navigli (2007), section 5.1, took 100 items with more than two single-word
substitutes, none of them a name, whose target is in no multiword, pooled what annotators
and systems had answered, and had three new judges say good, reasonable or bad.  Tanguy et
al. (2016) had the pool of all items rated from 0 to 3.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from lexsub.errors import LexsubError
from lexsub.formats.candidate_pool import PROPER_NAME
from lexsub.formats.judgements import ANNOTATORS, PooledRow
from lexsub.golds import Gold, GoldItem


def eligible(gold: Gold) -> list[str]:
    """Return the ids that McCarthy and Navigli drew from, in the gold's order.

    NAME answers are not in released golds, save for the marker ``pn`` that stands for them.
    """
    return [
        item.id
        for item in gold.items.values()
        if item.id not in gold.multiword_ids
        and PROPER_NAME not in item.weights
        and sum(" " not in name for name in item.positive) > 2
    ]


def choose(ids: Sequence[str], size: int | None, seed: int) -> list[str]:
    """Draw ``size`` items at random, in the order of ``ids``; all of them for None.

    Raises:
        LexsubError: there are not as many.
    """
    if size is None:
        return list(ids)
    if size > len(ids):
        raise LexsubError(f"{size} items were asked for and {len(ids)} can be had")
    drawn = set(random.Random(f"items {seed}").sample(range(len(ids)), size))
    return [item_id for place, item_id in enumerate(ids) if place in drawn]


def pool_rows(
    items: Iterable[GoldItem], systems: Mapping[str, Mapping[str, Sequence[str]]]
) -> list[PooledRow]:
    """Pool the answers of the gold and of systems; each substitute once an item.

    Args:
        items: the gold's items (weights above 0 are the annotators' answers).
        systems: system name to its answers by item id, already cut.

    Returns:
        The rows by item, with everyone who gave the substitute, annotators first.

    Raises:
        LexsubError: a substitute holds a tab or line end, which a sheet cannot.
    """
    rows = []
    for item in items:
        origins: dict[str, list[str]] = {name: [ANNOTATORS] for name in item.positive}
        for system, answers in systems.items():
            for name in dict.fromkeys(answers.get(item.id, ())):
                origins.setdefault(name, []).append(system)
        broken = next(
            (name for name in origins if "\t" in name or name.splitlines() != [name]), None
        )
        if broken is not None:
            raise LexsubError(f"item {item.id}: {broken!r} is no substitute for a sheet of lines")
        rows += [
            PooledRow(item=item.id, lexelt=item.lexelt, substitute=name, origins=tuple(by))
            for name, by in origins.items()
        ]
    return rows


def shuffled(rows: Sequence[PooledRow], seed: int, judge: int) -> list[PooledRow]:
    """Return the rows in one judge's order: items shuffled, substitutes shuffled within each.

    The order depends on the seed, the judge's number and which rows there are, and says
    nothing of who proposed what.
    """
    chance = random.Random(f"judge {judge} of {seed}")
    items: dict[str, list[PooledRow]] = {}
    # Sorted first, so that the order in which sources were pooled cannot shine through.
    for row in sorted(rows, key=lambda row: (row.item, row.substitute)):
        items.setdefault(row.item, []).append(row)
    groups = list(items.values())
    chance.shuffle(groups)
    for group in groups:
        chance.shuffle(group)
    return [row for group in groups for row in group]
