"""``lexsub serve`` as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import requests

from tests.conftest import PATIENCE, ROOT, hear_signals


@dataclass(frozen=True)
class Server:
    """A running server."""

    url: str
    process: subprocess.Popen[str]

    def ask(self, question: Any, **headers: str) -> requests.Response:
        return requests.post(f"{self.url}suggest", json=question, headers=headers, timeout=PATIENCE)

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])


def started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "lexsub", "serve", *arguments],
        cwd=ROOT, env=os.environ | environment, text=True, preexec_fn=hear_signals,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@contextmanager
def served(*arguments: str, **environment: str) -> Iterator[Server]:
    process = started("--port", "0", *arguments, **environment)
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url, process.communicate()[1]
        yield Server(url, process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
