"""Rankings of every item's candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from lexsub.datasets import Dataset, Item
from lexsub.formats.jsonl import read_rankings, write_rankings
from lexsub.parallel import in_blocks
from lexsub.parts.base import Scorer
from lexsub.parts.checked import explained
from lexsub.rankings import Candidate, Pools, Ranking, ScoreParts, rank_all, with_pools
from lexsub.resources import Resources

FILE = "rankings.jsonl"


def write(draft: Path, rankings: Iterable[Ranking]) -> None:
    """Write rankings."""
    write_rankings(draft / FILE, rankings)


def read(folder: Path) -> list[Ranking]:
    """Return what :func:`write` wrote."""
    return read_rankings(folder / FILE)


def order(
    opened: Callable[[], Scorer], resources: Resources, data: Dataset, pools: Pools, explain: bool
) -> tuple[list[Ranking], list[ScoreParts]]:
    """Return the ranking of every item's candidates, in item order, and the parts of their scores.

    Each worker opens a scorer of its own by ``opened``.
    The parts are in the order of the candidates, not of the ranking; none where they are not
    asked for.
    """

    def block(
        entries: Iterable[tuple[Item, Sequence[Candidate]]],
    ) -> list[tuple[Sequence[float], ScoreParts]]:
        scorer = opened()
        # Workers return numbers only: sending whole rankings between processes takes longer.
        return [
            explained(scorer, item, pool) if explain else (scorer.scores(item, pool), {})
            for item, pool in entries
        ]

    entries = with_pools(data.items, pools)
    found = in_blocks(block, entries, resources, "rankings")
    return rank_all(entries, [scores for scores, _ in found]), [parts for _, parts in found]
