"""Ranking by a language model against KenLM asked for the same strings, in the same run.

    python benchmarks/lm_ranking.py MODEL [--data semeval2007/test] [--candidates 50]

Fills the slots of every item with its WordNet candidates and makes rankings of them, as the
stage of a run does; then asks KenLM for the very same windows in a bare loop.  Prints windows a
second of both, and their ratio (aim: at least 0.5), and the time of all items (aim: under half a
second).  Times are those of the one processor used, so that other work on the machine does not
count.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from lexsub.data.catalogue import load
from lexsub.datasets import Item
from lexsub.parts.base import SOURCES
from lexsub.rankers.lm.ranker import LmRanker, fill_slot
from lexsub.rankings import Candidate, Ranking, rank_all
from lexsub.resources import Resources
from lexsub.storage.memory import seldom_collected
from lexsub.storage.user_folders import data_folders

REPEATS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--data", default="semeval2007/test")
    parser.add_argument("--frequency", default="none")
    parser.add_argument("--candidates", type=int, help="Fill pools up, or cut them, to so many.")
    options = parser.parse_args()
    resources = Resources()
    data = load(options.data, data_folders())
    source = SOURCES["wordnet"](frequency=options.frequency).open(resources)
    pools = [source.candidates(item) for item in data.items]
    if options.candidates:
        pools = evened(data.items, pools, options.candidates)
    scorer = LmRanker(str(options.model)).open(resources, data)
    pairs = list(zip(data.items, pools, strict=True))

    def ranking() -> list[Ranking]:
        with seldom_collected():
            return rank_all(pairs, [scorer.scores(item, pool) for item, pool in pairs])

    model = scorer.model
    slots = [fill_slot(item, pool, model.header) for item, pool in pairs]
    windows = [(text, slot.bos, slot.eos) for slot in slots for text in slot.texts]
    score = model._model.score  # type: ignore[attr-defined]

    def raw() -> None:
        for text, bos, eos in windows:
            score(text, bos, eos)

    def scoring() -> None:
        for item, pool in pairs:
            scorer.scores(item, pool)

    scores, whole, bare = best(scoring, ranking, raw)
    count = len(windows)
    print(f"{len(data.items)} items, {count:,} windows, best of {REPEATS}")
    print(f"KenLM, bare loop:          {count / bare:>12,.0f} windows/s {bare:7.3f} s")
    print(f"lexsub, filling, scoring:  {count / scores:>12,.0f} windows/s {scores:7.3f} s")
    print(f"lexsub, and ordering:      {count / whole:>12,.0f} windows/s {whole:7.3f} s")
    print(f"scoring / KenLM: {bare / scores:.2f}; with ordering: {bare / whole:.2f}")


def evened(items: Sequence[Item], pools: list[list[Candidate]], size: int) -> list[list[Candidate]]:
    """Return pools of one size, filled up with other candidates of the part of speech."""
    of_pos: dict[str, dict[str, Candidate]] = {}
    for item, pool in zip(items, pools, strict=True):
        of_pos.setdefault(item.pos, {}).update((c.substitute, c) for c in pool)
    return [
        list({c.substitute: c for c in [*pool, *of_pos[item.pos].values()]}.values())[:size]
        for item, pool in zip(items, pools, strict=True)
    ]


def best(*works: Callable[[], object]) -> list[float]:
    """Return the least processor time of each, asked in turn, so that all meet the same machine."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(REPEATS):
        for work, spent in zip(works, times, strict=True):
            start = time.process_time()
            work()
            spent.append(time.process_time() - start)
    return [min(spent) for spent in times]


if __name__ == "__main__":
    main()
