"""A run's folder is one run's, and drafts of killed processes are swept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lexsub.cli import main
from lexsub.errors import LexsubError
from lexsub.experiments.config.reading import make_experiment
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.experiments.results.run_folder import MARK, remove_stale
from lexsub.resources import Resources
from lexsub.storage.files import sweep, write_text
from tests.caches import cache
from tests.conftest import ROOT

SOURCE = {"name": "wordnet", "frequency": "none"}
TABLE = {"name": "x", "data": "tutorial/test", "tuning": "tutorial/trial"}


def systems(*names: str, **more: object) -> dict[str, object]:
    return {**TABLE, "systems": [{"name": n, "candidates": SOURCE, **more} for n in names]}


def run(folder: Path, table: dict[str, object]) -> None:
    resources = Resources(cache=cache(folder.parent))
    run_experiment(make_experiment(table, folder), folder, resources, page=None)


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in names(folder)}


def test_files_of_an_earlier_run_go_and_others_stay(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run(folder, systems("old", "kept"))
    (folder / "notes.txt").write_text("mine")
    before = names(folder)
    assert {"old.best", "rankings/old.tuning.jsonl", "kept.oot"} <= before
    run(folder, systems("kept", "new"))
    assert not {name for name in names(folder) if "old" in name}
    assert names(folder) == {name.replace("old", "new") for name in before}


def test_a_run_that_fails_leaves_the_earlier_one(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run(folder, systems("a"))
    before = contents(folder)
    table = systems("a", "b")
    table["systems"][1]["ranker"] = {"name": "lm", "model": "nowhere"}  # type: ignore[index]
    with pytest.raises(LexsubError):
        run(folder, table)
    assert contents(folder) == before


def test_a_run_stopped_between_two_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a kill does it: no block that cleans up is run."""
    folder = tmp_path / "run"
    run(folder, systems("a", "b"))
    program = (
        "import os, sys; import lexsub.storage.files as files; from pathlib import Path\n"
        "import tests.test_renewal as here, lexsub.experiments.pipeline.runner as runner\n"
        "def stopped(*_): os.kill(os.getpid(), 9)\n"
        "runner.printed.write_tables = stopped\n"
        "here.run(Path('run'), here.systems('b', 'c'))"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert (folder / "c.best").exists()
    monkeypatch.chdir(tmp_path)
    for call in ("report run", "explain run 101", "plot run", "boundary run"):
        with pytest.raises(SystemExit) as stop:
            main(call.split())
        assert stop.value.code == 2
        err = capsys.readouterr().err
        assert f"run: this run is not finished (it holds {MARK})" in err
        assert len(err.splitlines()) == 1
    # Nothing is left of the killed run, nor of the one before it.
    run(folder, systems("d"))
    run(tmp_path / "fresh", systems("d"))
    assert names(folder) == names(tmp_path / "fresh")


MISSING = {
    "language model": ({"ranker": {"name": "lm", "model": "nowhere"}}, "nowhere"),
    "thesaurus": ({"candidates": {"name": "distributional", "thesaurus": "nowhere"}}, "nowhere"),
    "thesaurus file": (
        {"candidates": {"name": "thesaurus-file", "file": "no.tsv", "format": "tsv"}}, "no.tsv"
    ),
    "vectors": ({"candidates": {"name": "vectors", "vectors": "nowhere"}}, "nowhere"),
    "encoder": ({"ranker": {"name": "sentence-encoder", "model": "./nowhere"}}, "nowhere"),
    "frequency list": ({"candidates": {"name": "wordnet", "frequency": "bnc-lemmas"}}, "bnc"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISSING)
def test_what_is_not_there_is_told_before_any_work(name: str, tmp_path: Path) -> None:
    changes, problem = MISSING[name]
    table = systems("a", "b")
    table["systems"][1].update(changes)  # type: ignore[index]
    resources = Resources(data=(tmp_path,), cache=tmp_path / "cache")
    lines: list[str] = []
    with pytest.raises(LexsubError, match=problem):
        run_experiment(
            make_experiment(table, tmp_path), tmp_path / "run", resources, report=lines.append
        )
    assert lines == [], "work was done before"
    assert not (tmp_path / "run").exists()


def test_a_name_too_long_is_told_before_any_work(tmp_path: Path) -> None:
    lines: list[str] = []
    with pytest.raises(LexsubError, match="file name too long"):
        run_experiment(
            make_experiment(systems("a"), tmp_path), tmp_path / ("x" * 300),
            Resources(cache=tmp_path / "cache"), report=lines.append,
        )  # fmt: skip
    assert lines == []


def test_nothing_outside_the_folder_is_removed(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "outside").write_text("kept")
    (tmp_path / "run" / "link").symlink_to(tmp_path)
    remove_stale(tmp_path / "run", ["../outside", str(tmp_path / "outside"), "link/outside", ""])
    assert (tmp_path / "outside").read_text() == "kept"


KILLED = """
import os, sys
from pathlib import Path
from lexsub.storage.files import atomic_write, write_folder
with write_folder(Path("folder")) as draft:
    (draft / "half").write_text("half")
    with atomic_write(Path("file")) as file:
        file.write(b"half")
        file.flush()
        os.kill(os.getpid(), 9)
"""


def test_drafts_of_the_dead_are_swept_and_those_of_the_living_kept(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", KILLED], cwd=tmp_path, env=environment, check=False)
    left = names(tmp_path)
    assert len(left) == 2
    assert all(".part" in name for name in left)
    mine = tmp_path / next(iter(path.name for path in tmp_path.iterdir())).replace(
        f".{_process(tmp_path)}.", f".{os.getpid()}."
    )
    mine.write_text("alive")
    other = tmp_path / ".file.00000000.1.abc.part"
    other.write_text("another machine's")
    (tmp_path / ".hidden.part").write_text("somebody's own")
    write_text(tmp_path / "next", "whole")
    assert names(tmp_path) == {"next", mine.name, other.name, ".hidden.part"}


def _process(folder: Path) -> str:
    return next(folder.iterdir()).name.split(".")[-3]


def test_sweeping_tells_machines_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two machines may have one name: what one of them has begun, the other leaves alone."""
    from lexsub.storage import files

    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    draft = tmp_path / f".x.{files._machine()}.{dead.pid}.abc.part"
    draft.write_text("")
    with monkeypatch.context() as other:
        other.setattr(files, "_machine", lambda: "0123abcd")
        sweep(tmp_path)
    assert draft.exists()
    sweep(tmp_path)
    assert not draft.exists()
