"""How calls end: output that nobody takes, signals, plugins that end the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lexsub.cli import READER_GONE
from lexsub.cli.streams import ended_by_signals
from tests.caches import cache
from tests.conftest import PATIENCE, ROOT, hear_signals

ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT)}

CALLS = {
    "help by click": ["--help"],
    "a table by rich": ["score", "gold", "s.best"],
    "written by items": ["score", "gold", "s.best", "--per-item"],
    "bytes": ["official", "s.best", "gold"],
    "a file": ["convert", "s.best", "-", "--to", "oot"],
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "gold").write_text("bright.a 1 :: clever 3;\nbright.a 2 :: shiny 2;\n")
    (tmp_path / "s.best").write_text("bright.a 1 :: clever\nbright.a 2 :: dull\n")
    return tmp_path


def call(place: Path, redirect: str, arguments: list[str], **more: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        ["bash", "-c", f'"$@" {redirect}', "bash", sys.executable, "-m", "lexsub", *arguments],
        cwd=place, env=ENVIRONMENT | more, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == ""
    return done.returncode, [line for line in done.stderr.splitlines() if "item" not in line]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("name", CALLS)
def test_output_on_a_full_disk(name: str, place: Path) -> None:
    problem = "lexsub: standard output cannot be written: no space left on device"
    for unbuffered in ("", "1"):
        found = call(place, "> /dev/full", CALLS[name], PYTHONUNBUFFERED=unbuffered)
        assert found == (2, [problem])


@pytest.mark.parametrize("name", CALLS)
def test_closed_output(name: str, place: Path) -> None:
    assert call(place, ">&-", CALLS[name]) == (2, ["lexsub: standard output is closed"])


@pytest.mark.parametrize("name", CALLS)
def test_a_reader_that_goes_is_no_news(name: str, place: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(
        [sys.executable, "-m", "lexsub", *CALLS[name]], cwd=place, env=ENVIRONMENT,
        stdout=theirs, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(theirs)
    assert done.returncode == READER_GONE
    assert [line for line in done.stderr.splitlines() if "item" not in line] == []


@pytest.mark.parametrize("redirect", ["2> /dev/full", "2>&-"])
def test_remarks_that_nobody_gets_stop_nothing(redirect: str, place: Path) -> None:
    call = f'"$0" -m lexsub convert s.best x.oot --to oot {redirect}'
    done = subprocess.run(
        ["bash", "-c", call, sys.executable], cwd=place, env=ENVIRONMENT, check=False
    )
    assert done.returncode == 0
    assert (place / "x.oot").read_text() == "bright.a 1 ::: clever\nbright.a 2 ::: dull\n"


def test_closed_streams_are_no_place_for_files(place: Path) -> None:
    """The first file that is opened would else be number 1, and hold what is printed."""
    call = '"$0" -m lexsub convert s.best x.oot --to oot <&- >&- 2>&-'
    done = subprocess.run(
        ["bash", "-c", call, sys.executable], cwd=place, env=ENVIRONMENT, check=False
    )
    assert done.returncode == 0
    assert (place / "x.oot").read_text() == "bright.a 1 ::: clever\nbright.a 2 ::: dull\n"


def test_closed_input_is_told(place: Path) -> None:
    code, lines = call(place, "<&-", ["score", "gold", "-"])
    assert (code, lines) == (2, ["lexsub: -: bad file descriptor"])


WAITING = """
import sys, time
from lexsub.cli import main
from lexsub.storage.files import write_folder
import lexsub.wordnet.opening as opening

def wait(*_):
    with write_folder(opening.Path("out")) as draft:
        (draft / "half").write_text("half")
        print("waiting", flush=True)
        time.sleep(3600)

opening.find_place = wait
main(["wordnet", "info"])
"""


@pytest.mark.parametrize(
    ("number", "status", "line"),
    [(signal.SIGTERM, 143, "ended by SIGTERM"), (signal.SIGHUP, 129, "ended by SIGHUP"),
     (signal.SIGINT, 130, "interrupted")],
)  # fmt: skip
def test_signals_clean_up_and_say_so(
    number: signal.Signals, status: int, line: str, tmp_path: Path
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING], cwd=tmp_path, env=ENVIRONMENT,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=hear_signals,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "waiting\n"
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == status
    assert [text for text in err.splitlines() if text] == [f"lexsub: {line}"]
    assert list(tmp_path.iterdir()) == [], "a draft was left"


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_by_signals():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)


QUITTING = """
import sys
from dataclasses import dataclass
from lexsub.parts.base import RANKERS, Ranker

@RANKERS.register("quitter")
@dataclass(frozen=True)
class Quitter(Ranker):
    needs_gold = False
    def inputs(self, resources):
        return []
    def open(self, resources, data):
        sys.exit(0)
"""

CONFIG = """\
name = "x"
plugins = ["quit.py"]
data = "tutorial/test"
[[systems]]
name = "s"
candidates = { name = "wordnet", frequency = "none" }
ranker = "quitter"
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [("import sys; sys.exit(0)\n", "plugin quit.py cannot be imported: SystemExit: 0"),
     (QUITTING, "a part of your own ended the program (sys.exit(0))")],
    ids=["when imported", "when opened"],
)  # fmt: skip
def test_a_plugin_that_quits_is_no_success(text: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "quit.py").write_text(text)
    (tmp_path / "x.toml").write_text(CONFIG)
    environment = ENVIRONMENT | {"LEXSUB_CACHE": str(cache(tmp_path))}
    done = subprocess.run(
        [sys.executable, "-m", "lexsub", "run", "x.toml", "--no-page", "--quiet"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert expected in done.stderr
    assert len(done.stderr.splitlines()) == 1
