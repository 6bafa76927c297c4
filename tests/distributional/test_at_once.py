"""Several processes that build the same thing at once: real ones, on a text of a few lines."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from lexsub.errors import FileProblemError
from lexsub.storage.files import write_folder
from lexsub.storage.locks import locked
from tests import forked
from tests.caches import cache

TEXT = "".join(
    f"the {colour} {thing} {verb} the {other}\n"
    for colour in ("red", "blue", "old")
    for thing in ("car", "bike", "boat")
    for verb in ("passed", "met", "hit")
    for other in ("wall", "tree", "house")
)
SMALL = ("--form-tokens", "1", "--word-tokens", "2")
CONFIG = """\
name = "two"
data = "tutorial/test"
[models.near]
kind = "thesaurus"
text = ["text.txt"]
form_tokens = 1
word_tokens = 2
tables = ["cosine"]
[[systems]]
name = "near"
candidates = { name = "distributional", thesaurus = "near", measure = "cosine" }
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    pytest.importorskip("duckdb")
    import_module("tests.warm")
    (tmp_path / "text.txt").write_text(TEXT)
    (tmp_path / "c.toml").write_text(CONFIG)
    return tmp_path


def at_once(place: Path, *calls: list[str]) -> list[tuple[int, str]]:
    """Return status and stderr of commands started together."""
    environment = {**os.environ, "LEXSUB_CACHE": str(cache(place))}
    started = [
        forked.started("lexsub.cli", *call, cwd=place, environment=environment) for call in calls
    ]
    return [(done.returncode, done.stderr) for done in [one.wait() for one in started]]


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "stage.json"
    }


def test_builds_of_one_thesaurus_all_succeed(place: Path) -> None:
    outs = [place / f"out{number}" for number in range(3)]
    calls = [
        ["thesaurus", "build", "--text", "text.txt", "-o", str(out), *SMALL, "--measure", "cosine"]
        for out in outs
    ]
    for status, errors in at_once(place, *calls):
        assert (status, "Traceback" in errors) == (0, False), errors
    made = [files(out) for out in outs]
    assert made[0] == made[1] == made[2]
    assert {"digests.json", "tables/cosine/digests.json"} <= made[0].keys()
    # Tables of it, too.
    table = ["thesaurus", "table", str(outs[0]), "-m", "l1"]
    for status, errors in at_once(place, table, table):
        assert (status, "Traceback" in errors) == (0, False), errors
    assert "tables/l1/digests.json" in files(outs[0])
    assert not list(place.rglob("*.lock"))


def test_runs_that_want_the_same_model_both_succeed(place: Path) -> None:
    calls = [["run", "c.toml", "--out", f"run{number}", "--no-page"] for number in range(2)]
    for status, errors in at_once(place, *calls):
        assert (status, "Traceback" in errors) == (0, False), errors
    one, two = (files(place / f"run{number}") for number in range(2))
    assert {n: b for n, b in one.items() if n != "manifest.json"} == {
        n: b for n, b in two.items() if n != "manifest.json"
    }


def test_who_waits_says_so_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "thing"
    code = (
        "import sys; from pathlib import Path; from lexsub.storage.locks import locked\n"
        f"with locked(Path({str(place)!r}), 'building it') as waited:\n"
        "    print(waited, flush=True); sys.stdin.readline()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "False\n"

    records: list[str] = []

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            # Now that it has been said, let the other one go.
            records.append(record.getMessage())
            other.communicate("\n")

    told = Told()
    monkeypatch.setattr(logging.getLogger("lexsub.storage.locks"), "handlers", [told])
    with locked(place, "building it") as waited:
        assert waited
    assert records == [f"lexsub: another process is building it at {place}: waiting for it"]
    with locked(place, "building it") as waited:
        assert not waited


def test_who_comes_last_to_a_folder_is_told_that_it_was_made_meanwhile(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def build() -> None:
        with write_folder(out) as draft:
            (draft / "file").write_text("mine")
            out.mkdir()
            (out / "file").write_text("theirs")

    with pytest.raises(FileProblemError, match="out: was made by another process meanwhile"):
        build()
    assert files(tmp_path) == {"out/file": b"theirs"}
