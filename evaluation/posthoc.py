"""Judging answers afterwards: sheets for judges, what their verdicts come to, a second gold.

McCarthy and Navigli (2007), section 5.1, took 100 items with more than two single-word
substitutes, none of them a name, whose target is in no multiword, pooled what annotators
and systems had answered, and had three new judges say good, reasonable or bad.  Tanguy et
al. (2016) had the pool of all items rated from 0 to 3.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from lexsub.datasets import Gold, GoldItem
from lexsub.errors import LexsubError
from lexsub.evaluation.agreement.labels import by_substitute
from lexsub.formats.annotations import Rating
from lexsub.formats.judgements import ANNOTATORS, PooledRow
from lexsub.formats.semeval_lines import format_gold, lines_of
from lexsub.formats.variants import PROPER_NAME

Verdict = Literal["good", "reasonable", "bad", "undecided"]
VERDICTS: tuple[Verdict, ...] = ("good", "reasonable", "bad", "undecided")
SYSTEMS = "systems"


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


@dataclass(frozen=True, slots=True)
class OriginRow:
    """One row of table 8: the substitutes of one origin by verdict.

    Attributes:
        origin: ``annotators``, ``systems`` (any of them) or one system's name.
        counts: how many of its substitutes got each verdict.
    """

    origin: str
    counts: Mapping[Verdict, int]

    @property
    def total(self) -> int:
        """How many substitutes this origin has."""
        return sum(self.counts.values())

    def percent(self, verdict: Verdict) -> float:
        """Return a verdict's share in per cent (0 for an origin without substitutes)."""
        return 100 * self.counts[verdict] / self.total if self.total else 0.0


def decide(verdicts: Sequence[str]) -> Verdict:
    """Return the verdict of several judges (McCarthy and Navigli, 2007, section 5.1).

    More than half of the judges decide.  Where no verdict has more than half, one good and
    one reasonable make reasonable, beside any others.  Anything else (good against bad by
    two judges, say, which three cannot produce) is undecided.
    """
    counts = Counter(verdicts)
    for verdict in VERDICTS[:3]:
        if 2 * counts[verdict] > len(verdicts):
            return verdict
    return "reasonable" if counts["good"] and counts["reasonable"] else "undecided"


def table_8(
    rows: Iterable[PooledRow], verdicts: Mapping[tuple[str, str], Verdict]
) -> list[OriginRow]:
    """Return verdicts by origin: annotators, systems together, then each system by name.

    A substitute of more than one origin counts in each row (the paper does not say; taking
    both rows as "substitutes of this source" is the reading that needs no third row).

    Args:
        rows: the pool.
        verdicts: the decision on each (item, substitute).
    """
    counts: dict[str, Counter[Verdict]] = {ANNOTATORS: Counter(), SYSTEMS: Counter()}
    for row in rows:
        systems = [origin for origin in row.origins if origin != ANNOTATORS]
        origins = [*row.origins, *([SYSTEMS] if systems else [])]
        for origin in origins:
            counts.setdefault(origin, Counter())[verdicts[row.item, row.substitute]] += 1
    names = [ANNOTATORS, SYSTEMS, *sorted(set(counts) - {ANNOTATORS, SYSTEMS})]
    return [
        OriginRow(name, {verdict: counts[name][verdict] for verdict in VERDICTS}) for name in names
    ]


def mean_gold(ratings: Iterable[Rating], items: Mapping[str, GoldItem]) -> dict[str, GoldItem]:
    """Return a gold whose weights are mean ratings, 0 kept (judged and refused).

    Args:
        ratings: all judges' ratings.
        items: a gold that knows the items' lexelts; ratings of other items are left out.

    Returns:
        The rated items in ``items``' order; substitutes by falling mean, ties in the order
        of the ratings.
    """
    means: dict[str, dict[str, float]] = {}
    for (item, substitute), values in by_substitute(ratings).items():
        means.setdefault(item, {})[substitute] = fmean(values)
    return {
        item_id: GoldItem(
            item_id, item.lexelt, dict(sorted(means[item_id].items(), key=lambda pair: -pair[1]))
        )
        for item_id, item in items.items()
        if item_id in means
    }


def format_semdis_gold(items: Iterable[GoldItem]) -> str:
    """Return a gold as SemDis writes its second one.

    Two blanks stand after the colons and ``; `` between substitutes; weights are decimal,
    substitutes of weight 0 and items left without any are omitted.

    Raises:
        LexsubError: a substitute with a semicolon, which the format cannot hold.
    """
    lines = lines_of(format_gold(items))
    return "".join(
        f"{head} ::  {answers.replace(';', '; ').rstrip()}\n"
        for head, _, answers in (line.partition(" :: ") for line in lines)
    )
