"""What each stage does: opened parts applied to items, in parallel where asked.

Workers get contiguous blocks of items and open the part themselves, so that nothing that
was opened (a database, a memory map) has to travel; results come back in item order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from lexsub import plugins
from lexsub.datasets import Dataset
from lexsub.garbage import seldom_collected
from lexsub.items import Item
from lexsub.progress import Tally, tallied, track
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

E = TypeVar("E")
T = TypeVar("T")

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


def in_blocks(
    work: Callable[[Iterable[E]], list[T]],
    entries: Sequence[E],
    resources: Resources,
    label: str,
) -> list[T]:
    """Apply ``work`` to contiguous blocks of entries, one a worker, and join the results.

    An entry is an item with all that is its own; what ``work`` holds beside travels to every
    worker.  The block borders cannot change a result: work goes entry by entry, and products
    of matrices, whose last bits depend on the number of threads, have one.
    """
    # Parts that a worker finds by name (those of a trained model) may be a plugin's.
    named = plugins.loaded()

    def quietly(block: Iterable[E]) -> list[T]:
        _let_grow()
        for plugin in named:
            plugins.load(plugin)
        with seldom_collected(), threadpool_limits(1, "blas"):
            return work(block)

    if resources.workers == 1 or len(entries) < 2:
        return quietly(track(entries, label, len(entries)))
    from joblib import Parallel, delayed, parallel_config

    size = -(-len(entries) // resources.workers)
    blocks = [entries[start : start + size] for start in range(0, len(entries), size)]
    bar = tallied(f"{label}, {len(blocks)} workers", len(entries))
    with bar as tally, parallel_config(backend=resources.backend, n_jobs=resources.workers):
        results = Parallel()(
            delayed(quietly)(_Counted(block, tally, worker)) for worker, block in enumerate(blocks)
        )
    return [one for result in results for one in result]


def _let_grow() -> None:
    """Let a worker of loky grow.

    Where psutil is installed (Dask brings it), loky takes a worker that has grown by 300 MB for
    a leak and starts another. A mapped model is larger than that, and no leak; a new worker
    imports everything again and has none of the word forms that the old one had looked up.
    """
    loky: Any = sys.modules.get("joblib.externals.loky.process_executor")
    if loky is not None and hasattr(loky, "_MAX_MEMORY_LEAK_SIZE"):
        loky._MAX_MEMORY_LEAK_SIZE = sys.maxsize


@dataclass(frozen=True)
class _Counted(Iterable[E]):
    """A worker's entries; a generator would not travel."""

    entries: Sequence[E]
    tally: Tally
    worker: int

    def __iter__(self) -> Iterator[E]:
        return self.tally.count(self.entries, self.worker)
