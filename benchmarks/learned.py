"""Time of features and ranking for the items of a learned experiment, models cached.

    python benchmarks/learned.py CONFIG [--data DIR] [--workers 2] [--keep 510]

Candidates and models are made or taken from the cache first; then all features and the ranking
are computed anew in a folder of their own, and wall times are printed.  ``--keep`` lets a
shortlist keep another number of candidates than the config says: the model ranks them as well.
The peer is the ranker ``lm`` over the same candidates: what one n-gram query for each costs.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from lexsub.experiments.config.files import named_resources
from lexsub.experiments.config.reading import find_config, read_experiment
from lexsub.experiments.pipeline.makers import rankings
from lexsub.experiments.pipeline.makers.features import describe
from lexsub.experiments.pipeline.runner import _start
from lexsub.experiments.pipeline.store import Store
from lexsub.formats.jsonl import read_candidates
from lexsub.parts.base import RANKERS
from lexsub.parts.build import build_part, describe_part
from lexsub.rankers.learned.matrix import write_values
from lexsub.resources import Resources
from lexsub.storage.user_folders import data_folders


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=int)
    options = parser.parse_args()
    experiment = read_experiment(find_config(options.config)).with_run(options.workers, None)
    resources = Resources(data=data_folders(options.data))
    resources = replace(resources, paths=named_resources(experiment, resources))
    work = _start(experiment, resources, Store(resources.cache, force=False), print)
    system = next(one for one in experiment.systems if one.ranker.ranks_with())
    if options.keep:
        system = replace(system, candidates=replace(system.candidates, keep=options.keep))  # type: ignore[type-var]
    pools = work.candidates(system, work.data)
    read = read_candidates(pools.folder / "candidates.jsonl")
    number = sum(map(len, read.values()))
    print(f"{len(read)} items, {number} candidates, {options.workers} workers")
    families = list(system.ranker.families(work.resources).values())  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        described = describe(families, work.resources, work.data, read)
        tables = {}
        for number, (family, one) in enumerate(zip(families, described, strict=True)):
            print(f"  {describe_part(family)['name']:<18} {one.seconds:6.1f} s a worker")
            place = Path(folder, str(number))
            place.mkdir()
            write_values(place, family, work.data.items, one.values)
            tables[work.data.name, repr(family)] = place
        total = _told("features", begin)
        begin = time.perf_counter()
        rankings.order(system.ranker, replace(work.resources, features=tables), work.data, read)
        total += _told("ranking", begin)
    begin = time.perf_counter()
    rankings.order(build_part(RANKERS, "lm", "peer"), work.resources, work.data, read)
    peer = _told("peer: ranker lm", begin)
    print(f"features and ranking {total:.1f} s; ratio to ranker lm {total / peer:.1f}")


def _told(label: str, begin: float) -> float:
    seconds = time.perf_counter() - begin
    print(f"{label:<20} {seconds:6.1f} s", flush=True)
    return seconds


if __name__ == "__main__":
    main()
