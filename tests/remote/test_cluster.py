"""Language models, features and whole runs on a Dask cluster: the same bytes, and its faults."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lexsub.errors import LexsubError
from lexsub.experiments.config.reading import make_experiment
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.parallel import connected, in_blocks, run
from lexsub.rankers.lm.training import LanguageModelBuilder
from lexsub.resources import Resources
from tests.caches import cache
from tests.clusters import apart, started
from tests.conftest import PATIENCE
from tests.distributional.test_thesaurus import everything
from tests.remote.servers import BUCKET, s3

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")

TEXT = "".join(
    f"the {a} {b} {c} the {d} .\n"
    for a in ("old", "new", "bright") for b in ("cup", "mug", "boy", "pot")
    for c in ("stands on", "falls from", "is under") for d in ("table", "shelf", "floor")
)  # fmt: skip


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with started() as local:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", local.scheduler_address)
        yield local


def trained(tmp_path: Path, corpus: str, **settled: Any) -> dict[str, bytes]:
    folder = tmp_path / f"made-{len(list(tmp_path.iterdir()))}"
    folder.mkdir()
    builder = LanguageModelBuilder((corpus,), order=3, engine="embedded", binary=False)
    builder.build(Resources(cache=tmp_path / "cache", **settled), folder)
    return everything(folder)


def test_a_language_model_of_a_text_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "text.txt").write_text(TEXT)
    alone = trained(tmp_path, str(tmp_path / "text.txt"))
    with s3(monkeypatch) as store, started() as local:  # workers know the store by its variables
        store.pipe_file(f"{BUCKET}/text.txt", TEXT.encode())
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", local.scheduler_address)
        assert trained(tmp_path, f"s3://{BUCKET}/text.txt", backend="dask") == alone


EXPERIMENT = {
    "name": "small",
    "data": "tutorial/test",
    "models": {
        "lm": {"kind": "lm", "corpus": ["text.txt"], "order": 2, "engine": "embedded",
               "binary": False},
        "trees": {"kind": "learned", "data": ["tutorial/trial"], "folds": 2,
                  "features": ["form", "wordnet", {"name": "lm", "model": "lm"}],
                  "learner": {"name": "lambdarank", "trees": 3, "leaf": 2}},
    },
    "systems": [
        {"name": "lm", "candidates": {"name": "wordnet", "frequency": "semcor"},
         "ranker": {"name": "lm", "model": "lm"}},
        {"name": "learned", "candidates": {"name": "wordnet", "frequency": "semcor"},
         "ranker": {"name": "learned", "model": "trees"}},
    ],
}  # fmt: skip


def ran(tmp_path: Path, name: str, **settled: object) -> dict[str, bytes]:
    resources = Resources(cache=cache(tmp_path, f"cache-{name}"))
    folder = tmp_path / "runs" / name
    (tmp_path / "text.txt").write_text(TEXT)
    run_experiment(make_experiment(EXPERIMENT | settled, tmp_path), folder, resources)
    found = everything(folder)
    return {one: found[one] for one in found if one not in ("manifest.json", "config.toml")}


def test_a_whole_run(tmp_path: Path, cluster: Any) -> None:
    alone = ran(tmp_path, "alone")
    assert ran(tmp_path, "loky", workers=2) == alone
    assert ran(tmp_path, "dask", backend="dask", workers=2) == alone


def _sent(client: Any) -> int:
    """Return the bytes that workers have sent to others, or home."""
    return sum(client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total).values())


def test_results_do_not_go_through_the_scheduler(tmp_path: Path, cluster: Any) -> None:
    from distributed import Client

    def work(entries: Iterable[bytes]) -> list[bytes]:
        return [entry * 2 for entry in entries]

    resources = Resources(cache=tmp_path / "cache", workers=2, backend="dask")
    with Client(cluster) as client:  # type: ignore[no-untyped-call]
        list(run([partial(bytes, 1_000_000)], 1, "dask"))
        through = _sent(client)
        assert through > 1_000_000  # a result that is returned does
        given = [bytes([number]) * 1_000_000 for number in range(4)]
        assert in_blocks(work, given, resources, "") == work(given)
        assert _sent(client) - through < 10_000
    assert not list(resources.cache.iterdir())


def test_a_cluster_that_ends_is_one_error_and_the_work_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "text.txt").write_text(TEXT)
    alone = trained(tmp_path, str(tmp_path / "text.txt"))
    from lexsub.rankers.lm import distributed as training

    whole = training.Training._all

    def ending(self: Any, job: Any, *given: Any) -> Any:
        if job.__name__ == "merge":
            local.close()
            patch.setattr("lexsub.parallel.PATIENCE", 1)
        return whole(self, job, *given)

    with started() as local, monkeypatch.context() as patch:
        patch.setenv("DASK_SCHEDULER_ADDRESS", local.scheduler_address)
        patch.setattr(training.Training, "_all", ending)
        with pytest.raises(LexsubError, match=r"no dask scheduler answers|cluster is gone"):
            trained(tmp_path, str(tmp_path / "text.txt"), backend="dask")
    (work,) = (tmp_path / "cache" / "lm").glob("[!.]*")
    assert list(work.glob("number.done*"))
    assert not list(work.glob("merge.done*"))
    with started() as local:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", local.scheduler_address)
        before = {path.name: path.stat().st_mtime_ns for path in work.glob("ids*")}
        assert before
        assert trained(tmp_path, str(tmp_path / "text.txt"), backend="dask") == alone


def _slow(number: int) -> int:
    time.sleep(0.5)
    return number


def test_a_scheduler_that_is_killed_in_the_middle_of_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with apart(tmp_path, __name__) as (group, address):
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", address)
        found = run((partial(_slow, number) for number in range(40)), 1, "dask")
        assert next(found) == 0
        os.killpg(group, signal.SIGKILL)
        began = time.monotonic()
        with pytest.raises(LexsubError, match="the Dask cluster is gone"):
            list(found)
        assert time.monotonic() - began < PATIENCE


def test_a_cluster_of_one_worker_works_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with started(1) as local:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", local.scheduler_address)
        assert set(run([os.getpid] * 3, 1, "dask")) == {local.workers[0].pid}


def _end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_job_that_ends_every_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    import dask

    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), started() as local:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", local.scheduler_address)
        with pytest.raises(LexsubError, match="ended the Dask worker that did it") as found:
            list(run([_end], 1, "dask"))
        assert "\n" not in str(found.value)


def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    from joblib._dask import DaskDistributedBackend

    # It waits a second for workers that may come, in place of ten.
    monkeypatch.setattr(DaskDistributedBackend.__init__, "__defaults__", (None,) * 4 + (1,))
    with started(0) as local:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", local.scheduler_address)
        with pytest.raises(LexsubError, match="the Dask cluster has no worker; start one"):
            list(run([os.getpid], 1, "dask"))


def test_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "tcp://127.0.0.1:9")
    monkeypatch.setattr("lexsub.parallel.PATIENCE", 1)
    with pytest.raises(LexsubError, match=r"no dask scheduler answers at tcp://127.0.0.1:9"):
        list(run([json.loads], 1, "dask"))


def test_what_answers_is_no_scheduler_and_the_next_call_asks_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It takes the connection and says nothing; Dask by itself waits without end."""
    with socket.create_server(("127.0.0.1", 0)) as silent, monkeypatch.context() as patch:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        patch.setenv("DASK_SCHEDULER_ADDRESS", address)
        patch.setattr("lexsub.parallel.PATIENCE", 1)
        with pytest.raises(LexsubError, match=f"no dask scheduler answers at {address}"):
            list(run([os.getpid], 1, "dask"))
    with started(1) as local:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", local.scheduler_address)
        assert set(run([os.getpid] * 3, 1, "dask")) == {local.workers[0].pid}


def test_a_scheduler_that_is_held_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with apart(tmp_path, __name__) as (group, address):
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", address)
        with connected("dask"):
            os.killpg(group, signal.SIGSTOP)
            os.waitpid(group, os.WUNTRACED)  # on a busy machine it answers a while longer
            monkeypatch.setattr("lexsub.parallel.PATIENCE", 1)
            with pytest.raises(LexsubError, match="the Dask scheduler answers nothing any more"):
                list(run([os.getpid], 1, "dask"))
