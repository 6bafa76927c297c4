"""The command in a process of its own, forked from one that has imported what commands need.

Importing is most of what a call costs that does little; here it is done once for all such calls
of a worker. What a call loads, and when, is a matter for ``python -m lexsub`` itself.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

PATIENCE = 900
"""Seconds after which a process is ended; see tests/conftest.py, which loads more than it needs."""

KNOWN = (
    "duckdb", "lexsub.candidates.distributional.build", "lexsub.cli.doctor", "lexsub.cli.run",
    "lexsub.cli.score", "lexsub.experiments.pipeline.graph", "lexsub.experiments.pipeline.runner",
    "lexsub.experiments.report", "lexsub.experiments.suggestions.suggesting", "lexsub.parallel",
    "lexsub.rankers.learned.training", "lexsub.wordnet.opening", "lightgbm", "numba",
    "scipy.sparse", "sklearn.linear_model",
)  # fmt: skip
"""What commands import, libraries too, where they are installed."""

STREAMS = ("stdout", "stderr")


@dataclass(frozen=True)
class Started:
    """A call that runs beside this process.

    Attributes:
        call: its arguments, the program's name first.
        place: the folder of what it writes, a file a stream.
        pid: of the process that does it.
        ended: says whether it has ended.
        status: waits for its end, and says how it ended; asked once.
    """

    call: list[str]
    place: tempfile.TemporaryDirectory[str]
    pid: int
    ended: Callable[[], bool]
    status: Callable[[], int]

    def told(self, stream: str = "stderr") -> str:
        """Return what has been written so far."""
        return Path(self.place.name, stream).read_text()

    def wait(self) -> subprocess.CompletedProcess[str]:
        """Return its status and all that it has written."""
        with self.place:
            status = self.status()
            return subprocess.CompletedProcess(
                self.call, status, self.told("stdout"), self.told("stderr")
            )


def lexsub(
    *arguments: str, cwd: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Do what ``python -m lexsub`` does in a folder with these variables, and no others."""
    return python_m("lexsub.cli", *arguments, cwd=cwd, environment=environment)


def python_m(
    module: str, *arguments: str, cwd: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Call the main of a module."""
    return started(module, *arguments, cwd=cwd, environment=environment).wait()


def started(module: str, *arguments: str, cwd: Path, environment: Mapping[str, str]) -> Started:
    """Call the main of a module, and do not wait for it."""
    call = [module.removesuffix(".cli"), *arguments]
    place = tempfile.TemporaryDirectory()
    streams = [Path(place.name, name) for name in STREAMS]
    for path in streams:
        path.touch()
    if not hasattr(os, "fork"):
        with streams[0].open("w") as out, streams[1].open("w") as err:
            process = subprocess.Popen(
                [sys.executable, "-m", *call],
                cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            )  # fmt: skip
        return Started(call, place, process.pid, lambda: process.poll() is not None, process.wait)
    server = _server()
    os.mkfifo(Path(place.name, "end"))
    end = os.open(Path(place.name, "end"), os.O_RDONLY | os.O_NONBLOCK)
    order = (module, call, str(cwd), dict(environment), place.name)
    server.stdin.write(f"{json.dumps(order)}\n")
    server.stdin.flush()
    pid = int(server.stdout.readline())
    os.set_blocking(end, True)

    def status() -> int:
        with os.fdopen(end) as told:
            return int(told.read())

    return Started(call, place, pid, lambda: bool(select.select([end], [], [], 0)[0]), status)


@cache
def _server() -> Any:
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.forked"], cwd=Path(__file__).resolve().parent.parent,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    atexit.register(server.communicate)  # which ends its input, and so it
    return server


def _become(
    module: str, call: list[str], cwd: str, environment: dict[str, str], place: str
) -> None:
    """Be what is called, to the end of the process."""
    signal.alarm(PATIENCE)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in enumerate(STREAMS, start=1):
        os.dup2(os.open(Path(place, name), os.O_WRONLY), number)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    # As the interpreter does when it starts.
    sys.argv = call
    sys.path[:1] = [cwd, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    import_module(module).main()
    sys.exit()


def _keep(module: str, call: list[str], cwd: str, environment: dict[str, str], place: str) -> int:
    """Fork a process that is what is called, and tell how it ended; it is in nobody's way."""
    end = os.open(Path(place, "end"), os.O_WRONLY)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if not child:
        os.close(end)
        _become(module, call, cwd, environment, place)
    print(child, flush=True)
    os.write(end, f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}".encode())
    return 0


def _serve() -> None:
    """Fork a process for each line of the input."""
    gc.disable()  # hardly anything of what is imported is garbage
    for name in KNOWN:
        with suppress(ImportError):
            import_module(name)
    gc.collect()
    gc.enable()
    gc.freeze()  # else each child looks through all of it when it ends: most of its time
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever keeps a call tells how it ended
    for line in sys.stdin:
        if not os.fork():
            os._exit(_keep(*json.loads(line)))


if __name__ == "__main__":
    _serve()
