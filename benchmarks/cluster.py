"""A thesaurus counted on a Dask cluster: time, memory a worker, bytes moved and on disk.

    python benchmarks/cluster.py [--millions 57 1000] [--workers 4] [--memory 1.5] [--alone]
                                 [--folder DIR] [--table lin --word-tokens 2000]

The text is made where it is read (made_text.py), and nothing of it is stored but the tokens'
numbers, which counting keeps anyway until the pairs are counted.  It runs on a local cluster of
WORKERS processes of one thread and MEMORY gigabytes each, of which jobs may use two fifths; with
``--alone`` in one process without a cluster as well, the bytes of both compared.  With
``--table``, all words of so many tokens are compared with all others, too.  How far it is, how
fast and how much disk it takes is printed every half minute.  What is unfinished stays in DIR, so
that a run that was stopped goes on, and so do the figures; a run that leaves less than 4 GB of
the disk free stops itself.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from made_text import Made
from watching import Watch, bytes_on_disk

from lexsub.candidates.distributional import build, sorted_counts
from lexsub.resources import Resources
from lexsub.storage.digests import FILE


def _moved() -> int:
    """Return the bytes that went over this machine's loopback interface, whoever sent them."""
    return int(psutil.net_io_counters(pernic=True)["lo"].bytes_sent)


@contextmanager
def timed_stages(watch: Watch, stages: dict[str, list[float]]) -> Iterator[None]:
    """Note seconds, processor seconds and greatest memory of a worker of every kind of job."""
    whole = sorted_counts.Jobs.run

    def noted(self: Any, jobs: Iterable[Any], label: str = "") -> Any:
        if not label:  # few jobs, all of one function
            jobs = list(jobs)
            label = ", ".join(sorted({job.func.__name__ for job in jobs}))
        start, used, watch.lately = time.perf_counter(), watch.processor, 0
        try:
            return whole(self, jobs, label)
        finally:
            watch.sample()
            seconds, processor, memory = stages[label]
            took = time.perf_counter() - start
            stages[label] = [
                seconds + took, processor + watch.processor - used, max(memory, watch.lately)
            ]  # fmt: skip
            print(f"  {label}: {took:.0f} s", flush=True)

    sorted_counts.Jobs.run = noted  # type: ignore[method-assign]
    try:
        yield
    finally:
        sorted_counts.Jobs.run = whole  # type: ignore[method-assign]


def count(
    millions: int, folder: Path, backend: str, settings: dict[str, Any], client: Any = None
) -> dict[str, Any]:
    """Build a thesaurus of so many million words; return what it took, earlier calls included."""
    note = folder / f"made-{millions}-{backend}.json"
    found: dict[str, Any] = json.loads(note.read_text()) if note.exists() else {}
    if "digest" in found:
        return found
    recipe = folder / f"made-{millions}.txt"
    if not recipe.exists():  # its time of change is part of the name of unfinished work
        recipe.write_text(f"{millions} million words, seed 7\n")
    build.pieces = lambda _: [Made(number) for number in range(millions)]  # type: ignore[attr-defined]
    made = folder / f"thesaurus-{millions}-{backend}"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    builder = build.ThesaurusBuilder(
        text=(str(recipe),), form_tokens=10, contexts=20_000, **settings
    )
    stages: dict[str, list[float]] = defaultdict(lambda: [0.0] * 3, found.get("stages", {}))
    watch, start, lo = Watch(folder, client is None), time.perf_counter(), _moved()
    sent = _sent(client)
    resources = Resources(cache=folder / f"cache-{backend}", workers=1, backend=backend)
    try:
        with timed_stages(watch, stages):
            builder.build(resources, made)
        watch.disk = max(watch.disk, bytes_on_disk(folder))
        found["digest"] = hashlib.sha256((made / FILE).read_bytes()).hexdigest()[:16]
        found["thesaurus"] = bytes_on_disk(made)
        spaces = json.loads((made / "header.json").read_text())["spaces"]
        found["pairs"] = sum(space["nonzeros"] for space in spaces.values())
        found["words"] = sum(space["words"] for space in spaces.values())
    except KeyboardInterrupt:
        if watch.full:
            raise SystemExit(
                "stopped: less than 4 GB of the disk are free; kept to go on"
            ) from None
        raise
    finally:
        watch.stop()
        now = {
            "seconds": time.perf_counter() - start, "processor": watch.processor,
            "loopback": _moved() - lo, "written": watch.written,
            "between": _between(sent, _sent(client)),
        }  # fmt: skip
        for name, more in now.items():
            known = found.get(name, 0)
            found[name] = None if known is None or more is None else known + more
        most = {"memory": watch.memory, "own": watch.own, "disk": watch.disk}
        found |= {name: max(found.get(name, 0), more) for name, more in most.items()}
        found |= {"stages": dict(stages), "calls": found.get("calls", 0) + 1}
        note.write_text(json.dumps(found))
    shutil.rmtree(made)
    return found


def _sent(client: Any) -> dict[str, int] | None:
    """Return the bytes of results that each worker has sent; None where none can be asked."""

    def read(dask_worker: Any) -> int:
        return int(dask_worker.transfer_outgoing_bytes_total)

    try:
        return dict(client.run(read)) if client else {}
    except Exception as error:  # the cluster may be what has failed
        print(f"  the workers' counters could not be read: {error!r}", flush=True)
        return None


def _between(before: dict[str, int] | None, after: dict[str, int] | None) -> int | None:
    """Return the bytes sent meanwhile; None where that is not known."""
    if before is None or after is None or before.keys() != after.keys():
        return None  # a worker that was started anew counts anew
    return sum(after.values()) - sum(before.values())


def told(millions: int, backend: str, found: dict[str, Any]) -> None:
    """Print what a build took."""
    between = "(not known: a counter could not be read)"
    if found["between"] is not None:
        between = f"{found['between'] / 1e6:.2f} MB"
    print(
        f"{millions} million words, {backend}: {found['seconds']:.0f} s "
        f"in {found['calls']} call(s), {found['processor']:.0f} s of processor time, "
        f"{millions / found['seconds']:.2f} million words a second; greatest resident memory of a "
        f"worker {found['memory'] / 1e6:.0f} MB, of client and scheduler {found['own'] / 1e6:.0f}; "
        f"results sent {between}, all of the loopback interface "
        f"{found['loopback'] / 1e6:.1f} MB; written {found['written'] / 1e9:.1f} GB; on disk at "
        f"most {found['disk'] / 1e9:.2f} GB; thesaurus {found['thesaurus'] / 1e6:.0f} MB, "
        f"{found['words']:,} words, {found['pairs']:,} pairs, digest {found['digest']}; "
        f"load {os.getloadavg()[0]:.1f}"
    )
    for label, (seconds, processor, memory) in found["stages"].items():
        print(
            f"    {label}: {seconds:.0f} s, {processor:.0f} s of processor time, "
            f"a worker {memory / 1e6:.0f} MB"
        )
    sys.stdout.flush()


def main() -> None:
    """Count on the cluster, and alone where asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--millions", type=int, nargs="+", default=[57])
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--memory", type=float, default=1.5)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--table")
    parser.add_argument("--word-tokens", type=int, default=10)
    options = parser.parse_args()
    import distributed

    folder = options.folder or Path(tempfile.mkdtemp())
    spill = folder / "spill"
    spill.mkdir(parents=True, exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(spill)  # the workers' too; it is watched
    settings = {"memory": int(options.memory * 400), "word_tokens": options.word_tokens,
                "tables": (options.table,) if options.table else ()}  # fmt: skip
    digests = {}
    with distributed.LocalCluster(
        n_workers=options.workers, threads_per_worker=1, processes=True,
        memory_limit=f"{options.memory}GB", dashboard_address=None, local_directory=str(spill),
    ) as local, distributed.Client(local) as client:  # fmt: skip
        os.environ["DASK_SCHEDULER_ADDRESS"] = local.scheduler_address
        for millions in options.millions:
            workers = set(client.run(os.getpid).values())
            found = count(millions, folder, "dask", settings, client)
            told(millions, "dask", found)
            digests[millions] = found["digest"]
            lost = len(workers - set(client.run(os.getpid).values()))
            print(f"    workers that ended and were started again: {lost}", flush=True)
    if options.alone:
        for millions in options.millions:
            found = count(millions, folder, "sequential", settings)
            told(millions, "sequential", found)
            print(f"    the same bytes: {found['digest'] == digests[millions]}", flush=True)


if __name__ == "__main__":
    main()
