"""Work on several workers: order, backends, and what workers may not do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest

from lexsub import parallel
from lexsub.errors import LexsubError, UnknownNameError
from lexsub.parallel import BACKENDS, check_backend, in_blocks, run
from lexsub.resources import Resources
from tests.conftest import ROOT

LOCAL = [name for name in BACKENDS if name != "dask"]


@pytest.mark.parametrize("backend", LOCAL)
@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_jobs(backend: str, workers: int) -> None:
    jobs = (partial(pow, number, 2) for number in range(20))
    assert list(run(jobs, workers, backend)) == [number**2 for number in range(20)]
    unordered = run(
        (partial(abs, -number) for number in range(20)), workers, backend, ordered=False
    )
    assert sorted(unordered) == list(range(20))


@pytest.mark.parametrize("backend", LOCAL)
def test_blocks_are_joined_in_order(backend: str) -> None:
    more = 5  # travels with the function

    def work(entries: Iterable[int]) -> list[int]:
        return [entry + more for entry in entries]

    for entries in ([], [1], list(range(11))):
        resources = Resources(workers=3, backend=backend)
        assert in_blocks(work, entries, resources, "adding") == [entry + 5 for entry in entries]


# joblib says so of work that is abandoned.
@pytest.mark.filterwarnings("ignore:.*tasks have been successfully executed")
@pytest.mark.parametrize("workers", [1, 2])
def test_jobs_are_drawn_as_workers_get_free(workers: int) -> None:
    drawn = []

    def jobs() -> Iterator[partial[int]]:
        for number in range(10_000):
            drawn.append(number)
            yield partial(abs, number)

    found = run(jobs(), workers, "threading")
    assert [next(found) for _ in range(3)] == [0, 1, 2]
    assert len(drawn) < 1000
    found.close()  # type: ignore[attr-defined]


def test_a_cache_that_not_all_machines_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "run", lambda *_: [])  # they wrote into a folder of their own
    resources = Resources(cache=tmp_path, workers=2, backend="dask")
    with pytest.raises(LexsubError, match="one that all machines see"):
        in_blocks(list, [1, 2], resources, "")
    assert not list(tmp_path.iterdir())


def test_every_backend_that_a_config_may_name_is_known() -> None:
    from joblib import parallel as joblibs

    assert set(BACKENDS) == {*joblibs.BACKENDS, "dask"}
    for name in BACKENDS:
        check_backend(name)
    with pytest.raises(UnknownNameError, match="did you mean loky"):
        check_backend("locky")
    with pytest.raises(UnknownNameError, match="unknown joblib backend"):
        next(run([partial(abs, 1)], 2, "nothing"))


SCRIPT = """
from functools import partial
from lexsub.parallel import run
from lexsub.progress import under_way
print(list(run([partial(abs, -1)] * 4, 2, "loky")))
"""


@pytest.mark.parametrize("name", ["random", "numpy", "socket"])
def test_workers_import_nothing_from_the_current_folder(tmp_path: Path, name: str) -> None:
    here = tmp_path / "here"
    here.mkdir()
    (here / f"{name}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    result = subprocess.run(
        [sys.executable, str(script)], cwd=here, capture_output=True, text=True, check=False,
        env=environment | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert (result.returncode, result.stdout) == (0, "[1, 1, 1, 1]\n"), result.stderr
    assert not (tmp_path / "executed").exists()


def test_the_environment_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    for before in (None, "0"):
        if before is None:
            monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
        else:
            monkeypatch.setenv("PYTHONSAFEPATH", before)
        list(run([partial(abs, 1)] * 2, 2, "threading"))
        assert os.environ.get("PYTHONSAFEPATH") == before
