"""The command: where it listens, how it ends, what it says and what it does not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

import pytest
import requests
import uvicorn

from lexsub.experiments.serving import serve
from tests import forked
from tests.conftest import PATIENCE, ROOT
from tests.pages import blocks_of
from tests.serving.odd import SECRET, open_odd
from tests.serving.servers import Server, served, started


def processes(*which: str) -> list[str]:
    """Ids of processes, as ps selects them."""
    done = subprocess.run(["ps", "-o", "pid=", *which], capture_output=True, text=True, check=False)
    return done.stdout.split()


def assert_ended(children: list[str]) -> None:
    for _ in range(10 * PATIENCE):
        if not processes("-p", ",".join(children)):
            return
        time.sleep(0.1)
    raise AssertionError("processes are left")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_in_good_order_and_has_logged_nothing(number: signal.Signals) -> None:
    with served("--config", "suggest", "--workers", "2") as server:
        children = processes("--ppid", str(server.process.pid))
        assert len(children) >= 2
        assert server.ask({"sentence": "a very *private* word"}).status_code == 200
        assert server.ask({"sentence": "private"}).status_code == 422
        server.process.send_signal(number)
        out, err = server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 0
        assert (out, err) == ("", "suggest, system wordnet; Ctrl-C ends it\n")
        assert_ended(children)
    # The port is free again at once.
    with served("--config", "suggest", "--port", str(server.port), "--workers", "1") as again:
        assert again.port == server.port


def test_workers_end_with_a_server_that_was_killed() -> None:
    with served("--config", "suggest", "--workers", "1") as server:
        children = processes("--ppid", str(server.process.pid))
        server.process.kill()
        assert_ended(children)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--config", "nothing"], "nothing"),
        (["--system", "nothing", "--config", "suggest"], "unknown system of the config"),
        (["--host", "no.such.host.invalid"], "--host no.such.host.invalid: "),
        (["--host", "203.0.113.7"], "203.0.113.7:0: "),
        (["--origin", "example.org"], "expected one as http://localhost:3000"),
        (["--port", "65536"], "--port"),
        (["--workers", "0"], "--workers"),
        (["--timeout", "0"], "--timeout"),
    ],
)
def test_a_mistake_is_one_line(arguments: list[str], said: str) -> None:
    done = forked.lexsub("serve", "--port", "0", *arguments, cwd=ROOT, environment=os.environ)
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_its_extra_one_line_says_so() -> None:
    code = (
        "import sys; sys.modules['fastapi'] = sys.modules['uvicorn'] = None; "
        "sys.argv = ['lexsub', 'serve']; from lexsub.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'lexsub-toolkit[serve]'" in done.stderr


def test_a_port_that_is_taken_is_one_line(server: Server) -> None:
    process = started("--port", str(server.port))
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert err.startswith(f"lexsub: 127.0.0.1:{server.port}: address already in use; choose")
    assert len(err.splitlines()) == 1


def test_sites_that_are_named_may_ask() -> None:
    site = "http://localhost:3000"
    with served("--config", "suggest", "--workers", "1", "--origin", site + "/") as server:
        answer = server.ask({"sentence": "a *bright* boy"}, Origin=site)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == site
        asks = {"Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "content-type"}  # fmt: skip
        before = requests.options(
            f"{server.url}suggest", headers={"Origin": site} | asks, timeout=PATIENCE
        )
        assert before.status_code == 200
        assert before.headers["access-control-allow-origin"] == site
        assert "content-type" in before.headers["access-control-allow-headers"].lower()
        other = server.ask({"sentence": "a *bright* boy"}, Origin="http://localhost:3001")
        assert other.status_code == 403
        assert "access-control-allow-origin" not in other.headers


def test_slow_and_failing_answers_have_their_statuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a program sees it: 504 for one that takes too long, 500 for one that fails."""
    servers: list[uvicorn.Server] = []
    addresses: Queue[str] = Queue()
    made = uvicorn.Server.__init__

    def remember(self: uvicorn.Server, config: uvicorn.Config) -> None:
        made(self, config)
        servers.append(self)

    monkeypatch.setattr(uvicorn.Server, "__init__", remember)
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(
            serve, open_odd, host="127.0.0.1", port=0, workers=2, seconds=8, queue=5,
            ready=lambda address, local, opened: addresses.put(address),
        )  # fmt: skip
        url = addresses.get(timeout=PATIENCE)
        found = []
        for word in ("fail", "sleep", "large"):
            answer = requests.post(
                f"{url}suggest", json={"sentence": f"a *{word}*"}, timeout=PATIENCE
            )
            found.append((answer.status_code, answer.json().get("error", "")))
        servers[0].should_exit = True
        running.result()
    assert [status for status, _ in found] == [500, 504, 200]
    assert SECRET not in found[0][1]


def test_the_commands_of_the_documentation_work(tmp_path: Path) -> None:
    command = tmp_path / "lexsub"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m lexsub "$@"\n')
    command.chmod(0o755)
    (block,) = (
        block.text for block in blocks_of((ROOT / "docs/how-to/serve.md").read_text())
        if "curl" in block.text
    )  # fmt: skip
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-e", "-c", block], cwd=tmp_path, env=os.environ | environment, timeout=PATIENCE,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (best,) = json.loads(done.stdout)["suggestions"]
    assert best["sentence"] == "The wine was too hard to drink."
