"""Processes that answer: each has a suggester of its own and one question at a time.

Nothing of a suggester is shared, so none of its libraries need be safe to use from two threads;
and a process can be ended, whatever it is doing, when a question has taken its time.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from traceback import walk_tb
from typing import Any

from lexsub.errors import LexsubError
from lexsub.experiments.serving.messages import Answer, TextAnswer
from lexsub.experiments.suggestions.suggesting import Suggester
from lexsub.marked_sentences import Marked
from lexsub.parts import plugins
from lexsub.storage.memory import seldom_collected

Opener = Callable[[], Suggester]
"""Opens the system; it travels to the workers."""


class BusyError(LexsubError):
    """Too many questions at once; the next moment may do."""


class TimeUpError(LexsubError):
    """A question took longer than it may."""


class FailedError(LexsubError):
    """A fault of the program, or of a part of the user's own; says where, and quotes no text."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it travels to a worker: about a marked word, or a text."""

    marked: Marked | str
    n: int | None
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """What a worker opened.

    Attributes:
        name: of the model, or of the config and its system.
        language: code of its language.
        inflected: whether substitutes come in the form of the target.
    """

    name: str
    language: str
    inflected: bool


class Worker:
    """One process, and the pipe to it."""

    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._lock = threading.Lock()
        self._done = False
        self._process: Any = None
        self._pipe: Connection | None = None

    @property
    def alive(self) -> bool:
        """Whether there is a process that can be asked."""
        return self._process is not None and self._process.is_alive()

    def open(self) -> Opened:
        """Start the process and wait until it has opened the system.

        Raises:
            LexsubError: it cannot be opened.
        """
        self.close()
        # Not forked: threads and locks of this process have no place in the new one.
        context = multiprocessing.get_context("spawn")
        with self._lock:
            if self._done:
                raise FailedError("the server is ending")
            self._pipe, end = context.Pipe()
            process = context.Process(
                target=_work, args=(end, self._opener, plugins.known()), daemon=True
            )
            process.start()
            self._process = process
        end.close()
        found = self._received()
        assert isinstance(found, Opened)
        return found

    def ask(self, asked: Asked, seconds: float) -> bytes:
        """Return the answer to a question, as JSON.

        Raises:
            TimeUpError: there was none in time; the process is ended.
            LexsubError: there is none.
        """
        if not self.alive:
            self.open()
        assert self._pipe is not None
        try:
            self._pipe.send(asked)
            if not self._pipe.poll(seconds):
                self.close()
                raise TimeUpError(f"there was no answer within {seconds:g} s")
        except OSError:
            self._ended()
        found = self._received()
        assert isinstance(found, bytes)
        return found

    def close(self, *, done: bool = False) -> None:
        """End the process; when all is done, for good."""
        with self._lock:
            self._done |= done
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()
        # Closed last: a thread that waits at the pipe wakes up when it ends.
        if self._pipe is not None:
            # By one thread at a time: two at once would both close what the system opened.
            with self._lock:
                self._pipe.close()

    def _received(self) -> Opened | bytes:
        assert self._pipe is not None
        try:
            found: Opened | bytes | LexsubError = self._pipe.recv()
        except (EOFError, OSError):
            self._ended()
        if isinstance(found, LexsubError):
            raise found
        return found

    def _ended(self) -> Any:
        self.close()
        raise FailedError(
            "the process that looked for an answer was ended from outside (by the system, perhaps, "
            "for want of memory); another takes its place"
        ) from None


class Workers:
    """Some workers, and a queue of bounded length before them."""

    def __init__(self, opener: Opener, count: int, *, seconds: float, queue: int) -> None:
        """Take what to open and how many times; nothing is started yet.

        Args:
            opener: opens the system; pickled.
            count: processes.
            seconds: how long a question may wait for a worker, and then for its answer.
            queue: how many questions may wait.
        """
        self.count, self.seconds, self.queue, self.waiting = count, seconds, queue, 0
        self._workers = [Worker(opener) for _ in range(count)]
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._threads = ThreadPoolExecutor(count)

    def open(self) -> Opened:
        """Start all processes and wait for them.

        Raises:
            LexsubError: the system cannot be opened.
        """
        try:
            found = list(self._threads.map(Worker.open, self._workers))
        except BaseException:
            self.close()
            raise
        for worker in self._workers:
            self._idle.put_nowait(worker)
        return found[0]

    async def ask(self, asked: Asked) -> bytes:
        """Return the answer to a question, as JSON; questions are answered as they come.

        Raises:
            BusyError: too many wait already, or it waited too long.
            TimeUpError: there was no answer in time.
            LexsubError: there is none.
        """
        if self._idle.empty() and self.waiting >= self.queue:
            raise BusyError(f"{self.waiting} questions wait already; ask again in a moment")
        self.waiting += 1
        try:
            async with asyncio.timeout(self.seconds):
                worker = await self._idle.get()
        except TimeoutError:
            raise BusyError(f"no worker was free within {self.seconds:g} s; ask again") from None
        finally:
            self.waiting -= 1
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._threads, worker.ask, asked, self.seconds)
        # A worker is free when it has answered, even if the client has hung up.
        work.add_done_callback(partial(self._free, worker))
        return await asyncio.shield(work)

    def close(self) -> None:
        """End all processes."""
        for worker in self._workers:
            worker.close(done=True)
        self._threads.shutdown(cancel_futures=True)

    def _free(self, worker: Worker, work: asyncio.Future[Any]) -> None:
        if not work.cancelled():
            work.exception()  # marks it as seen, so that asyncio does not log it
        if worker.alive:
            self._idle.put_nowait(worker)
            return
        # A new worker starts at once, so that no question waits until it has opened.
        opened = asyncio.get_running_loop().run_in_executor(self._threads, worker.open)
        opened.add_done_callback(partial(self._reopened, worker))

    def _reopened(self, worker: Worker, opened: asyncio.Future[Any]) -> None:
        if not opened.cancelled():
            opened.exception()
        # Where it could not be opened, the next question tries again and says why not.
        self._idle.put_nowait(worker)


def _work(pipe: Connection, opener: Opener, known: plugins.Known) -> None:
    """Answer one question after the other until the pipe ends; with the parent, it does."""
    # Ctrl-C and a closed terminal reach all processes; what is to be done the parent says.
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    with seldom_collected():
        try:
            plugins.know(known)
            suggester = opener()
        except LexsubError as error:
            pipe.send(error)
            return
        from threadpoolctl import threadpool_limits

        pipe.send(Opened(suggester.name, suggester.language.code, suggester.inflected))
        with threadpool_limits(1):  # the workers are what fills the cores
            while True:
                try:
                    pipe.send(_answered(suggester, pipe.recv()))
                except (EOFError, OSError):
                    return


def _answered(suggester: Suggester, asked: Asked) -> bytes | LexsubError:
    try:
        if isinstance(asked.marked, str):
            text = suggester.text(asked.marked, n=asked.n)
            return TextAnswer.of(suggester, text).model_dump_json().encode()
        found = suggester.suggest(asked.marked, asked.n, explain=asked.explain)
        return Answer.of(suggester, found).model_dump_json().encode()
    except LexsubError as error:
        return error
    except Exception as error:
        return FailedError(f"this question could not be answered: {_place(error)}")


def _place(error: Exception) -> str:
    """Return the kind of an error and where it was raised; its message may quote a text."""
    *_, (frame, line) = walk_tb(error.__traceback__)
    module = frame.f_globals.get("__name__", "?")
    return f"{type(error).__name__} in {module}.{frame.f_code.co_name}, line {line}"
