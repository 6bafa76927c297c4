"""The command in a process of its own, forked from one that has imported what commands need.

Importing is most of what a call costs that only says what is wrong; here it is done once for all
such calls of a worker. What a call loads, and when, is a matter for ``python -m lexsub`` itself.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

PATIENCE = 900
"""Seconds after which a process is ended; see tests/conftest.py, which loads more than it needs."""

KNOWN = (
    "lexsub.cli.doctor", "lexsub.cli.run", "lexsub.cli.score", "lexsub.experiments.pipeline.graph",
    "lexsub.experiments.pipeline.runner", "lexsub.experiments.report", "lexsub.parallel",
    "lexsub.wordnet.opening", "scipy.sparse",
)  # fmt: skip


def lexsub(
    *arguments: str, cwd: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Do what ``python -m lexsub`` does in a folder with these variables, and no others."""
    return python_m("lexsub.cli", *arguments, cwd=cwd, environment=environment)


def python_m(
    module: str, *arguments: str, cwd: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Call the main of a module."""
    call = [module.removesuffix(".cli"), *arguments]
    if not hasattr(os, "fork"):
        return subprocess.run(
            [sys.executable, "-m", *call],
            cwd=cwd, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    server = _server()
    with tempfile.TemporaryDirectory() as place:
        streams = [Path(place) / name for name in ("stdout", "stderr")]
        order = (module, call, str(cwd), dict(environment), [str(path) for path in streams])
        server.stdin.write(f"{json.dumps(order)}\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        return subprocess.CompletedProcess(call, status, *(path.read_text() for path in streams))


@cache
def _server() -> Any:
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.forked"], cwd=Path(__file__).resolve().parent.parent,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    atexit.register(server.communicate)  # which ends its input, and so it
    return server


def _become(
    module: str, call: list[str], cwd: str, environment: dict[str, str], streams: list[str]
) -> None:
    """Be what is called, to the end of the process."""
    signal.alarm(PATIENCE)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in enumerate(streams, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    # As the interpreter does when it starts.
    sys.argv = call
    sys.path[:1] = [cwd, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    import_module(module).main()
    sys.exit()


def _serve() -> None:
    """Fork a process for each line of the input, and say how it ended."""
    for name in KNOWN:
        import_module(name)
    gc.collect()
    gc.freeze()  # else each child looks through all of it when it ends, which takes most of its time
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _become(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    _serve()
