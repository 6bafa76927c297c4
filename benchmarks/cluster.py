"""A thesaurus counted on a Dask cluster: time, memory a worker, bytes moved and on disk.

    python benchmarks/cluster.py [--millions 57 1000] [--workers 4] [--memory 1.5] [--alone]
                                 [--folder DIR] [--table lin --word-tokens 2000]

The text is made where it is read: each worker draws its piece of a million words by a seed of its
own (Zipf-Mandelbrot over a million forms, sentences of log-normal length with a median of 18
words), and nothing of it is stored but the tokens' numbers, which counting keeps anyway until the
pairs are counted.  It runs on a local cluster of WORKERS processes of one thread and MEMORY
gigabytes each; with ``--alone`` in one process without a cluster as well, the bytes of both
compared.  With ``--table``, all words of so many tokens are compared with all others, too.  How
far it is, how fast and how much disk it takes is printed every half minute.  What is unfinished
stays in DIR, so that a run that was stopped goes on, and so do the figures; a run that leaves less
than 4 GB of the disk free stops itself.
"""

from __future__ import annotations

import _thread
import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lexsub.candidates.distributional import build, runs  # noqa: E402
from lexsub.corpus import CorpusReport  # noqa: E402
from lexsub.digests import FILE  # noqa: E402
from lexsub.resources import Resources  # noqa: E402

FORMS, PIECE = 1_000_000, 1_000_000
SHIFT, EXPONENT = 2.7, 1.05
LEAST_FREE = 4e9


@lru_cache(maxsize=1)
def _names() -> list[str]:
    """Return the forms, the most frequent first; frequent ones are short, as words are."""
    letters = "etaoinshrdlucmfwypvbgk"
    names = [""]
    for start in range(FORMS):
        names.append(names[start // len(letters)] + letters[start % len(letters)])
    return names[1:]


@dataclass(frozen=True)
class Made:
    """A piece of made text: a million words, the same for the same number."""

    number: int

    def lines(self, report: CorpusReport) -> Iterator[str]:
        names = _names()
        draw = np.random.default_rng([7, self.number])
        # The share of rank r is that of the density (x + SHIFT) ** -EXPONENT between r and r + 1.
        low, high = ((x + SHIFT) ** (1 - EXPONENT) for x in (1, FORMS + 1))
        x = (low + draw.random(PIECE) * (high - low)) ** (1 / (1 - EXPONENT)) - SHIFT
        words = [names[one] for one in (x.astype(np.int64) - 1).clip(0, FORMS - 1).tolist()]
        lengths = np.rint(draw.lognormal(np.log(18), 0.55, PIECE // 10)).clip(1, 120).astype(int)
        at = 0
        for length in lengths.tolist():
            if at >= PIECE:
                break
            report.lines += 1
            yield " ".join(words[at : at + length])
            at += length


class Watch:
    """Samples this process, those it has started, and the folder; stops all when the disk fills.

    Attributes:
        memory: greatest resident memory of any worker, of this process where there is none; bytes.
        own: that of this process, in which client and scheduler are.
        disk: greatest size of the folder.
        processor: seconds of processor time of all processes so far.
        full: whether the disk was nearly full.
    """

    def __init__(self, folder: Path, alone: bool) -> None:
        self.folder, self.full, self._alone = folder, False, alone
        self.memory = self.own = self.disk = 0
        self._used: dict[int, float] = {}
        self._written: dict[int, int] = {}
        self._began = time.perf_counter()
        self._stop = threading.Event()
        self.sample()
        self._before, self._written_before = sum(self._used.values()), sum(self._written.values())
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def processor(self) -> float:
        return sum(self._used.values()) - self._before

    @property
    def written(self) -> int:
        return sum(self._written.values()) - self._written_before

    def sample(self) -> None:
        me = psutil.Process()
        children = me.children(recursive=True)
        for one in (me, *children):
            with suppress(psutil.Error):
                times, resident = one.cpu_times(), one.memory_info().rss
                self._used[one.pid] = times.user + times.system
                self._written[one.pid] = one.io_counters().write_bytes
                if one is me:
                    self.own = max(self.own, resident)
                if (one is me) == self._alone:
                    self.memory = max(self.memory, resident)

    def _run(self) -> None:
        turn = 0
        while not self._stop.wait(0.25):
            self.sample()
            turn += 1
            if turn % 20 == 0:
                self.disk = max(self.disk, _bytes(self.folder))
                free = shutil.disk_usage(self.folder).free
                if free < LEAST_FREE and not self.full:
                    self.full = True
                    _thread.interrupt_main()
            if turn % 120 == 0:
                took = time.perf_counter() - self._began
                files = {
                    what: sum(1 for _ in self.folder.glob(f"cache*/thesaurus/*/{place}"))
                    for what, place in (
                        ("pieces read", "forms/*.json"), ("runs", "runs/*.parquet"),
                        ("parts merged", "merged/*.contexts.parquet"),
                    )
                }  # fmt: skip
                said = ", ".join(f"{number} {what}" for what, number in files.items())
                print(
                    f"  {took:.0f} s, {self.processor:.0f} s of processor: {said}; greatest "
                    f"worker {self.memory / 1e6:.0f} MB; on disk {_bytes(self.folder) / 1e9:.2f}, "
                    f"free {free / 1e9:.1f} GB; load {os.getloadavg()[0]:.1f}",
                    flush=True,
                )

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()
        self.sample()


def _bytes(folder: Path) -> int:
    total = 0
    seen = set()
    for path in folder.rglob("*"):
        with suppress(OSError):
            status = path.stat()
            if status.st_ino not in seen:  # a finished file has two names for a moment
                seen.add(status.st_ino)
                total += status.st_blocks * 512
    return total


def _moved() -> int:
    """Return the bytes that went over this machine's loopback interface, whoever sent them."""
    return int(psutil.net_io_counters(pernic=True)["lo"].bytes_sent)


@contextmanager
def timed_stages(watch: Watch, stages: dict[str, list[float]]) -> Iterator[None]:
    """Note seconds and processor seconds of every kind of job."""
    whole = runs.Jobs.run

    def noted(self: Any, jobs: Iterable[Any], label: str = "", total: int | None = None) -> Any:
        start, used = time.perf_counter(), watch.processor
        try:
            return whole(self, jobs, label, total)
        finally:
            watch.sample()
            seconds, processor = stages[label or "in one job"]
            took = time.perf_counter() - start
            stages[label or "in one job"] = [
                seconds + took, processor + watch.processor - used
            ]  # fmt: skip
            print(f"  {label or 'one job'}: {took:.0f} s", flush=True)

    runs.Jobs.run = noted  # type: ignore[method-assign]
    try:
        yield
    finally:
        runs.Jobs.run = whole  # type: ignore[method-assign]


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
    stages: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0], found.get("stages", {}))
    watch, start, lo = Watch(folder, client is None), time.perf_counter(), _moved()
    between = _between(client)
    resources = Resources(cache=folder / f"cache-{backend}", workers=1, backend=backend)
    try:
        with timed_stages(watch, stages):
            builder.build(resources, made)
        watch.disk = max(watch.disk, _bytes(folder))
        found["digest"] = hashlib.sha256((made / FILE).read_bytes()).hexdigest()[:16]
        found["thesaurus"] = _bytes(made)
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
            "loopback": _moved() - lo, "between": _between(client) - between,
            "written": watch.written,
        }  # fmt: skip
        found |= {name: found.get(name, 0) + more for name, more in now.items()}
        most = {"memory": watch.memory, "own": watch.own, "disk": watch.disk}
        found |= {name: max(found.get(name, 0), more) for name, more in most.items()}
        found |= {"stages": dict(stages), "calls": found.get("calls", 0) + 1}
        note.write_text(json.dumps(found))
    shutil.rmtree(made)
    return found


def _between(client: Any) -> int:
    """Return the bytes of results that workers have sent, one to another or home."""

    def told(dask_worker: Any) -> int:
        return int(dask_worker.transfer_outgoing_bytes_total)

    try:
        return sum(client.run(told).values()) if client else 0
    except Exception:  # the cluster may be what has failed
        return 0


def told(millions: int, backend: str, found: dict[str, Any]) -> None:
    """Print what a build took."""
    print(
        f"{millions} million words, {backend}: {found['seconds']:.0f} s "
        f"in {found['calls']} call(s), {found['processor']:.0f} s of processor time, "
        f"{millions / found['seconds']:.2f} million words a second; greatest resident memory of a "
        f"worker {found['memory'] / 1e6:.0f} MB, of client and scheduler {found['own'] / 1e6:.0f}; "
        f"results sent {found['between'] / 1e6:.2f} MB, all of the loopback interface "
        f"{found['loopback'] / 1e6:.1f} MB; written {found['written'] / 1e9:.1f} GB; on disk at "
        f"most {found['disk'] / 1e9:.2f} GB; thesaurus {found['thesaurus'] / 1e6:.0f} MB, "
        f"{found['words']:,} words, {found['pairs']:,} pairs, digest {found['digest']}; "
        f"load {os.getloadavg()[0]:.1f}"
    )
    for label, (seconds, processor) in found["stages"].items():
        print(f"    {label}: {seconds:.0f} s, {processor:.0f} s of processor time")
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
