"""Where candidates come from and what their scores are made of, for the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from lexsub.datasets import Dataset
from lexsub.experiments.results.scoring import details_of, write_details
from lexsub.items import Item
from lexsub.parallel import in_blocks
from lexsub.parts.base import Ranker
from lexsub.rankings import Candidate, Pools, Ranking, ScoreParts, with_pools
from lexsub.resources import Resources

FILE = "details.jsonl"


def make(
    draft: Path, rankings: Iterable[Ranking], pools: Pools, parts: Iterable[ScoreParts]
) -> None:
    """Write the details of every ranking; see :func:`details_of`."""
    found = zip(rankings, parts, strict=True)
    write_details(
        draft / FILE, (details_of(ranking, pools[ranking.id], values) for ranking, values in found)
    )


def score_parts(
    ranker: Ranker, resources: Resources, data: Dataset, pools: Pools
) -> list[ScoreParts]:
    """Return what the scores of every item's candidates are made of, in item order."""

    def block(entries: Iterable[tuple[Item, Sequence[Candidate]]]) -> list[ScoreParts]:
        scorer = ranker.open(resources, data)
        return [scorer.parts(item, pool) if pool else {} for item, pool in entries]

    return in_blocks(block, with_pools(data.items, pools), resources, "score parts")
