"""A thesaurus on real (local) Dask clusters: the same bytes, whatever happens to workers and disk.

What happens is done by the jobs themselves, which a test packs in: then it happens in the middle
of a stage on any machine, however fast it is.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lexsub import parallel
from lexsub.candidates.distributional import build as module
from lexsub.candidates.distributional import sorted_counts, windows
from lexsub.candidates.distributional.build import ThesaurusBuilder
from lexsub.corpus.reader import pieces
from lexsub.errors import ConfigError, FileProblemError, LexsubError
from lexsub.resources import Resources
from tests.clusters import apart, started
from tests.distributional.test_thesaurus import everything
from tests.remote.servers import BUCKET, s3

pytestmark = pytest.mark.filterwarnings("ignore")

TEXT = "".join(f"the {a} {b} {c} the {d}\n" for a in ("old", "new", "red")
               for b in ("cup", "mug", "pot") for c in ("stands", "falls")
               for d in ("table", "shelf", "floor"))  # fmt: skip
STAGES = ["_read", "_merge_forms", "_count", "_merge", "write_space", "_add_up", "_prepare",
          "_compute", "_assemble"]  # fmt: skip
"""What the jobs of a build call, one stage behind the other."""


@pytest.fixture(autouse=True)
def _small_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "BLOCK", 150)
    monkeypatch.setattr(windows, "BYTES_A_TOKEN", 30_000_000)
    monkeypatch.setattr(sorted_counts, "PART", 300)
    monkeypatch.setattr(module, "pieces", partial(pieces, size=300))


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    pytest.importorskip("distributed")
    with started() as local:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", local.scheduler_address)
        yield local


def build(tmp_path: Path, text: str = "", **settled: Any) -> dict[str, bytes]:
    source = tmp_path / "text.txt"
    if not source.exists():  # its time of change is part of the name of unfinished work
        source.write_text(TEXT)
    folder = tmp_path / f"made-{len(list(tmp_path.iterdir()))}"
    folder.mkdir()
    builder = ThesaurusBuilder(
        text=(text or str(source),), form_tokens=1, word_tokens=1, tables=("lin",)
    )
    builder.build(Resources(cache=tmp_path / "cache", **settled), folder)
    return everything(folder)


KNOWN = (__name__, "tests.warm")
"""What workers of a cluster apart import in one go."""

Act = Callable[[Any], Any]
"""What to do in place of a job, in its worker."""


@contextmanager
def packed(monkeypatch: pytest.MonkeyPatch, act: Act) -> Iterator[list[str]]:
    """Pack all jobs; give out what they call."""
    whole, seen = sorted_counts.Jobs.run, []

    def run(self: Any, jobs: Iterable[Any], label: str = "") -> Any:
        given = list(jobs)
        seen.extend(job.func.__name__ for job in given)
        return whole(self, [partial(act, job) for job in given], label)

    with monkeypatch.context() as patch:
        patch.setattr(sorted_counts.Jobs, "run", run)
        yield seen


def _first(notes: Path, job: Any) -> bool:
    """Return True if nobody has asked for this stage before; the answer outlives its worker."""
    try:
        (notes / job.func.__name__).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _end(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _dying(notes: Path, moment: str, job: Any) -> Any:
    """Do a job; the first one of a stage ends its worker."""
    if not _first(notes, job):
        return job()
    if moment == "draft written":
        Path.replace = _end  # type: ignore[assignment, method-assign]
    job()
    return _end()


@pytest.mark.parametrize("moment", ["draft written", "done"])
def test_a_worker_killed_in_every_stage(
    tmp_path: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    alone = build(tmp_path)
    (notes := tmp_path / "notes").mkdir()
    before = {worker.pid for worker in cluster.workers.values()}
    with packed(monkeypatch, partial(_dying, notes, moment)) as seen:
        assert build(tmp_path, backend="dask") == alone
    assert list(dict.fromkeys(seen)) == STAGES
    assert min(seen.count(stage) for stage in ("_read", "_count", "_merge")) > 2
    assert {path.name for path in notes.iterdir()} == set(STAGES)
    assert not before & {worker.pid for worker in cluster.workers.values()}
    assert not list((tmp_path / "cache" / "thesaurus").glob("[!.]*"))


def _refused(notes: Path, job: Any) -> Any:
    """Do a job; until one of its stage has failed, the system lets no file grow beyond 60 bytes."""
    note = notes / job.func.__name__
    least, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    if not note.exists():
        resource.setrlimit(resource.RLIMIT_FSIZE, (60, most))
    try:
        return job()
    except Exception:
        note.touch()
        raise
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (least, most))


def test_a_full_disk_in_every_stage(
    tmp_path: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = build(tmp_path)
    (notes := tmp_path / "notes").mkdir()
    for stage in STAGES:
        with (
            packed(monkeypatch, partial(_refused, notes)),
            pytest.raises(
                FileProblemError, match=r"cannot be written|could not be merged"
            ) as found,
        ):
            build(tmp_path, backend="dask")
        assert "\n" not in str(found.value)
        assert (notes / stage).exists()
    with packed(monkeypatch, partial(_refused, notes)) as seen:
        assert build(tmp_path, backend="dask") == alone
    assert set(seen) == {"_assemble"}


def _ending_all(notes: Path, group: int, job: Any) -> Any:
    """Do a job; then the first one to count pairs ends the whole cluster."""
    found = job()
    if job.func.__name__ == "_count" and _first(notes, job):
        os.killpg(group, signal.SIGKILL)
    return found


def test_a_scheduler_killed_while_pairs_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    alone = build(tmp_path)
    (notes := tmp_path / "notes").mkdir()
    with (
        apart(tmp_path, __name__, "tests.warm") as (group, address),
        monkeypatch.context() as patch,
    ):
        patch.setenv("DASK_SCHEDULER_ADDRESS", address)
        with (
            packed(patch, partial(_ending_all, notes, group)) as seen,
            pytest.raises(LexsubError, match="the Dask cluster is gone") as found,
        ):
            build(tmp_path, backend="dask")
    assert "\n" not in str(found.value)
    made = len(list((tmp_path / "cache" / "thesaurus").glob("*/runs/0*.parquet")))
    assert 0 < made < seen.count("_count")
    with started() as local, packed(monkeypatch, _as_it_is) as again:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", local.scheduler_address)
        assert build(tmp_path, backend="dask") == alone
    assert "_read" not in again
    assert again.count("_count") == seen.count("_count") - made


def _as_it_is(job: Any) -> Any:
    return job()


def test_a_text_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = build(tmp_path)
    text = f"s3://{BUCKET}/text.txt"
    parallel.end_workers()  # new ones know the store by its variables
    with s3(monkeypatch) as store, started() as local:
        store.pipe_file(f"{BUCKET}/text.txt", TEXT.encode())
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", local.scheduler_address)
        for backend, workers in (("loky", 1), ("loky", 2), ("dask", 1)):
            with packed(monkeypatch, _as_it_is) as seen:
                assert build(tmp_path, text, backend=backend, workers=workers) == alone
            assert seen.count("_read") > 2
    parallel.end_workers()


def test_merging_spills_to_the_workers_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound lies below the data: without a disk to spill to it is an error."""
    (work := tmp_path / "runs").mkdir()
    draw = np.random.default_rng(1)
    for number in range(2):
        keys = draw.integers(0, 3_000_000, 1_000_000)
        sorted_counts.write_run(work / f"{number}.parquet", [(keys, 1)])
    part = sorted_counts.WordRange("n", 0, 3000)

    def merged(name: str, memory: int) -> dict[str, bytes]:
        folder = tmp_path / name
        sorted_counts.merge_runs(
            work, [part], 1000, 1, folder, sorted_counts.Jobs(1, "loky", memory)
        )
        return everything(folder)

    whole = merged("whole", 1500)
    assert merged("spilled", SMALL) == whole
    inside = sorted_counts.engine

    @contextmanager
    def full(memory: int) -> Iterator[Any]:
        with inside(memory) as connection:
            connection.execute("SET max_temp_directory_size = '0MB'")
            yield connection

    monkeypatch.setattr(sorted_counts, "engine", full)
    with pytest.raises(FileProblemError, match=f"could not be merged within {SMALL} MB") as found:
        merged("full", SMALL)
    assert "\n" not in str(found.value)
    assert not list((tmp_path / "full").iterdir())


SMALL = 30


def test_no_cluster_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    with pytest.raises(ConfigError, match="set DASK_SCHEDULER_ADDRESS"):
        build(tmp_path, backend="dask")
