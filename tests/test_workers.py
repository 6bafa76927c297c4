"""Worker processes end with their parent, and say so when they are ended."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from lexsub.errors import LexsubError
from lexsub.parallel import run
from tests.conftest import PATIENCE, ROOT, hear_signals

WORKING = """
import os, sys, time
from functools import partial
import click
import lexsub.cli.wordnet as command
from lexsub.cli import main
from lexsub.parallel import run

def work(n):
    with open(f"worker-{os.getpid()}", "w"):
        pass
    time.sleep(3600)

def both(resources):
    list(run([partial(work, n) for n in range(4)], 2, sys.argv[1]))

import lexsub.wordnet.opening
lexsub.wordnet.opening.find_place = both
main(["wordnet", "info"])
"""

GONE = re.compile(
    r"\S*resource_tracker\.py:\d+: UserWarning: resource_tracker: There appear to be 1 leaked "
    r"semlock objects to clean up at shutdown: \{'(/loky-[^']+)': 1\}\n  warnings\.warn\(\n"
    r"\S*resource_tracker\.py:\d+: UserWarning: resource_tracker: \1: "
    r"FileNotFoundError\(2, 'No such file or directory'\)\n  warnings\.warn\([^\n]*\n"
)
"""loky's tracker now and then looks for one semaphore that is gone; any that is left fails."""


def alive(pid: int) -> bool:
    """A process that has ended and waits for its parent to look is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc here")
@pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_parent(
    number: signal.Signals, backend: str, tmp_path: Path
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WORKING, backend], cwd=tmp_path, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        preexec_fn=hear_signals,
    )  # fmt: skip
    until = time.monotonic() + PATIENCE
    while len(workers := list(tmp_path.glob("worker-*"))) < 2:
        assert time.monotonic() < until
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    if number is signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL
    else:
        assert process.returncode == 128 + number
        said = "interrupted" if number is signal.SIGINT else f"ended by {number.name}"
        assert [line for line in GONE.sub("", err).splitlines() if line] == [f"lexsub: {said}"]
    pids = [int(path.name.removeprefix("worker-")) for path in workers]
    until = time.monotonic() + PATIENCE
    while any(map(alive, pids)):
        assert time.monotonic() < until, "workers live on"
        time.sleep(0.1)


def fall(n: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_is_one_line() -> None:
    with pytest.raises(LexsubError, match="a worker process was ended from outside"):
        list(run([partial(fall, n) for n in range(2)], 2, "loky"))
