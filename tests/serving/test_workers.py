"""Workers that are slow, die or fail: the question is told, the next one is answered."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, cast

import pytest

from lexsub.errors import LexsubError
from lexsub.experiments.serving.workers import (
    Asked,
    BusyError,
    FailedError,
    TimeUpError,
    Worker,
    Workers,
)
from lexsub.marked_sentences import parse_marked
from tests.conftest import PATIENCE
from tests.serving.odd import SECRET, open_nothing, open_odd


def asked(line: str) -> Asked:
    return Asked(parse_marked(line), 3, False)


@contextmanager
def crew(count: int = 1, seconds: float = PATIENCE, queue: int = 10) -> Iterator[Workers]:
    workers = Workers(open_odd, count, seconds=seconds, queue=queue)
    assert workers.open().name == "odd"
    try:
        yield workers
    finally:
        workers.close()


def run(workers: Workers, work: Callable[[], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        return await work()

    # Elsewhere: playwright keeps a loop running where the tests are.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, main()).result()


@pytest.mark.parametrize(
    ("line", "kind", "said"),
    [
        ("please *die*", FailedError, "ended from outside"),
        ("please *refuse*", LexsubError, "a file of the model is damaged"),
        ("please *fail*", FailedError, "ValueError in tests.serving.odd.suggest, line"),
    ],
)
def test_a_failure_is_one_questions_own(line: str, kind: type[Exception], said: str) -> None:
    with crew() as workers:

        async def work() -> Any:
            with pytest.raises(kind, match=said) as caught:
                await workers.ask(asked(line))
            assert SECRET not in str(caught.value)
            return json.loads(await workers.ask(asked("a *large* dog")))

        assert run(workers, work)["target"] == "large"


def test_time_is_bounded_and_the_worker_replaced() -> None:
    with crew(seconds=2) as workers:

        async def work() -> Any:
            with pytest.raises(TimeUpError, match="no answer within 2 s"):
                await workers.ask(asked("please *sleep*"))
            workers.seconds = PATIENCE  # a new process may take its time to open
            return json.loads(await workers.ask(asked("a *large* dog")))

        assert run(workers, work)["target"] == "large"


def test_the_queue_is_bounded() -> None:
    with crew(seconds=3, queue=2) as workers:

        async def work() -> list[Any]:
            lines = ["please *sleep*"] + ["a *large* dog"] * 4
            questions = []
            for line in lines:
                questions.append(asyncio.ensure_future(workers.ask(asked(line))))
                await asyncio.sleep(0)  # one after the other, as they come
            return await asyncio.gather(*questions, return_exceptions=True)

        slow, *others = run(workers, work)
        assert isinstance(slow, TimeUpError)
        # Two wait as long as they may, the others are sent away at once.
        kinds = [type(one) for one in others]
        assert kinds == [BusyError] * 4
        assert ["wait already" in str(one) for one in others] == [False, False, True, True]


def test_who_has_gone_waits_no_longer() -> None:
    """The question leaves the queue, and nobody's turn comes later for it."""
    from lexsub.experiments.serving.app import make_app
    from lexsub.experiments.serving.workers import Opened

    class Busy:
        count, waiting, left = 1, 0, False

        async def ask(self, asked: Asked) -> bytes:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.left = True
                raise
            return b"{}"

    busy = Busy()
    app = make_app(cast(Workers, busy), Opened("odd", "en", True), frozenset(), frozenset())
    messages = [{"type": "http.request", "body": b'{"sentence": "a *large* dog"}'},
                {"type": "http.disconnect"}]  # fmt: skip
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    async def work() -> None:
        scope = {"type": "http", "method": "POST", "path": "/suggest", "query_string": b"",
                 "headers": [(b"content-type", b"application/json")]}  # fmt: skip
        await app(scope, receive, send)
        await asyncio.sleep(0)

    run(cast(Workers, busy), work)
    assert (busy.left, sent[0]["status"]) == (True, 400)


def test_a_score_that_json_has_no_word_for_is_null() -> None:
    with crew() as workers:
        found = json.loads(run(workers, lambda: workers.ask(asked("the *endless* road"))))
    assert found["suggestions"][0]["score"] is None


def test_what_cannot_be_opened_is_an_error() -> None:
    workers = Workers(open_nothing, 2, seconds=60, queue=1)
    with pytest.raises(LexsubError, match="no such model"):
        workers.open()


def test_a_pipe_is_closed_by_one_thread_at_a_time() -> None:
    class Pipe:
        inside = 0
        most = 0

        def close(self) -> None:
            self.inside += 1
            self.most = max(self.most, self.inside)
            time.sleep(0.02)
            self.inside -= 1

    worker, pipe = Worker(open_nothing), Pipe()
    worker._pipe = pipe  # type: ignore[assignment]
    threads = [threading.Thread(target=worker.close) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert pipe.most == 1
