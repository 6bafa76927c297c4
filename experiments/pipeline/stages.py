"""What each stage does: opened parts applied to items, in parallel where asked.

Workers get contiguous blocks of items and open the part themselves, so that nothing that
was opened (a database, a memory map) has to travel; results come back in item order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lexsub.datasets import Dataset
from lexsub.items import Item
from lexsub.parallel import in_blocks
from lexsub.protocols import (
    Boundary,
    BoundaryContext,
    CandidateSource,
    Explaining,
    MultiwordSource,
    Ranker,
    Scorer,
)
from lexsub.rankings import Candidate, Ranking, rank_all
from lexsub.resources import Resources
from lexsub.submissions import Answer

Pools = Mapping[str, Sequence[Candidate]]
"""Candidates by item id."""

ScoreParts = Mapping[str, Sequence[float]]
"""What scores are made of: by name, a number for each candidate."""


def generate(
    part: CandidateSource, resources: Resources, data: Dataset
) -> list[tuple[str, Sequence[Candidate]]]:
    """Return (item id, candidates) for every item, in item order."""

    def block(items: Iterable[Item]) -> list[tuple[str, Sequence[Candidate]]]:
        source = part.open(resources)
        return [(item.id, source.candidates(item)) for item in items]

    return in_blocks(block, data.items, resources, "candidates")


def order(part: Ranker, resources: Resources, data: Dataset, pools: Pools) -> list[Ranking]:
    """Return the ranking of every item's candidates, in item order."""

    def block(entries: Iterable[tuple[Item, Sequence[Candidate]]]) -> list[Sequence[float]]:
        scorer = part.open(resources, data)
        # Numbers alone travel back: rankings would take longer on the way than in the making.
        return [scorer.scores(item, pool) for item, pool in entries]

    entries = with_pools(data, pools)
    return rank_all(entries, in_blocks(block, entries, resources, "rankings"))


def order_explained(
    part: Ranker, resources: Resources, data: Dataset, pools: Pools
) -> tuple[list[Ranking], list[ScoreParts]]:
    """Return the ranking of every item's candidates, and the parts of their scores.

    The parts are in the order of the candidates, not of the ranking.
    """

    def block(
        entries: Iterable[tuple[Item, Sequence[Candidate]]],
    ) -> list[tuple[Sequence[float], ScoreParts]]:
        scorer = part.open(resources, data)
        return [explained(scorer, item, pool) for item, pool in entries]

    entries = with_pools(data, pools)
    found = in_blocks(block, entries, resources, "rankings")
    return rank_all(entries, [scores for scores, _ in found]), [parts for _, parts in found]


def explained(
    scorer: Scorer, item: Item, pool: Sequence[Candidate]
) -> tuple[Sequence[float], ScoreParts]:
    """Return scores and parts, by one piece of work where the scorer can."""
    if not pool:
        return scorer.scores(item, pool), {}
    if isinstance(scorer, Explaining):
        return scorer.explained(item, pool)
    return scorer.scores(item, pool), scorer.parts(item, pool)


def with_pools(data: Dataset, pools: Pools) -> list[tuple[Item, Sequence[Candidate]]]:
    """Set each item beside its candidates."""
    return [(item, pools[item.id]) for item in data.items]


def cut(part: Boundary, context: BoundaryContext, rankings: Sequence[Ranking]) -> list[Answer]:
    """Return the answers that a boundary leaves of each ranking; items with none are left out."""
    cutter = part.fit(context)
    answers = (
        Answer(ranking.lexelt, ranking.id, ranking.top(cutter.cut(ranking))) for ranking in rankings
    )
    return [answer for answer in answers if answer.substitutes]


def detect(part: MultiwordSource, resources: Resources, data: Dataset) -> list[Answer]:
    """Return the multiword of every item that has one."""
    detector = part.open(resources)
    found = ((item, detector.multiword(item)) for item in data.items)
    return [
        Answer(str(item.lexelt), item.id, (multiword,)) for item, multiword in found if multiword
    ]
