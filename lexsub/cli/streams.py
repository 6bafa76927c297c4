"""Standard output and error, held to what Unix tools promise, and signals that end a call.

What could not be written is never a success: a full disk or a closed output is an error of one
line, told once.  A reader that has gone (``lexsub … | head``) ends the call without a word.

Signals that end a call do it as Ctrl-C does, by an exception that cleans up: drafts are removed by
the blocks that made them, worker processes are ended, and one line says which signal it was.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any, TextIO, cast

from lexsub.errors import LexsubError, os_problem


class OutputError(LexsubError):
    """Standard output takes nothing more."""


class ReaderGoneError(OutputError):
    """Nobody reads standard output any more."""


class _Output(io.FileIO):
    """Standard output; what comes after its error is dropped, so that it is told once."""

    problem: OutputError | None = None

    def write(self, data: Any) -> int:
        # Libraries write an empty text to see whether a stream works.
        if self.problem is not None or not data:
            return len(data)
        try:
            return super().write(data)
        except OSError as error:
            self.problem = _problem(error)
            raise self.problem from error

    def check(self) -> None:
        """Raise what a library may have kept to itself."""
        if self.problem is not None:
            raise self.problem


def _problem(error: OSError) -> OutputError:
    if error.errno == errno.EPIPE:
        return ReaderGoneError("the reader of standard output has gone")
    closed = error.errno == errno.EBADF
    problem = "is closed" if closed else f"cannot be written: {os_problem(error)}"
    return OutputError(f"standard output {problem}")


class _Remarks(io.FileIO):
    """Standard error; a remark that cannot be delivered is no reason to stop."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


@contextmanager
def sound_streams() -> Iterator[Callable[[], None]]:
    """Put our own standard streams in place of Python's, those of a test or notebook excepted.

    Yields a function to be called when everything is printed: it makes sure that it is written.

    Raises:
        OutputError: standard output takes nothing more; raised where something is printed.
    """
    _open_missing()
    before = sys.stdin, sys.stdout, sys.stderr
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    output = _Output(1, "w", closefd=False)
    if sys.stdout is sys.__stdout__:
        if sys.stdout is not None:
            with suppress(OSError):
                sys.stdout.flush()  # what a program has printed before it called us comes first
        sys.stdout = _over(output, sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _over(_Remarks(2, "w", closefd=False), sys.stderr)

    def finish() -> None:
        sys.stdout.flush()
        output.check()

    try:
        yield finish
    finally:
        with suppress(OutputError):
            sys.stdout.flush()
        sys.stdin, sys.stdout, sys.stderr = before


def _over(raw: io.FileIO, stream: TextIO | None) -> TextIO:
    # Python has none for what was closed when it started.
    encoding = stream.encoding if stream is not None else "utf-8"
    # PYTHONUNBUFFERED, and standard error in any case.
    if getattr(stream, "write_through", False):
        return _Text(cast(Any, raw), encoding, ESCAPED, write_through=True)
    by_line = raw.isatty() or isinstance(raw, _Remarks)
    return _Text(io.BufferedWriter(raw), encoding, ESCAPED, line_buffering=by_line)


ESCAPED = "lexsub-escaped"
"""Name of how characters are written that an encoding has not: as in JSON, which may be printed."""


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4)), error.end


codecs.register_error(ESCAPED, _escaped)


class _Text(io.TextIOWrapper):
    """Text to standard output or standard error, in the encoding that was asked for."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Its encoding; "latin-1" in place of ASCII, which click takes for a slip of the system."""
        own = super().encoding
        return "latin-1" if codecs.lookup(own).name == "ascii" else own


def _open_missing() -> None:
    """Give a closed standard stream a file that refuses what the stream is for.

    The next file that is opened would get its number, and what is printed would end up there.
    """
    for number, refusing in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, refusing)


_ENDING = ("SIGINT", "SIGTERM", "SIGHUP")


@dataclass
class Caught:
    """The signal that ended the call, if one did."""

    number: int = signal.SIGINT

    @property
    def status(self) -> int:
        """Exit status, as shells have it."""
        return 128 + self.number

    def __str__(self) -> str:
        if self.number == signal.SIGINT:
            return "interrupted"
        return f"ended by {signal.Signals(self.number).name}"


@contextmanager
def ended_by_signals() -> Iterator[Caught]:
    """Turn TERM and HUP into KeyboardInterrupt, and remember which it was; a second one kills.

    A signal that is ignored (nohup) stays ignored.
    """
    caught, owner = Caught(), os.getpid()

    def end(number: int, _: FrameType | None) -> None:
        for other in before:
            signal.signal(other, signal.SIG_DFL)
        if os.getpid() != owner:  # a worker that was forked
            os.kill(os.getpid(), number)
            return
        caught.number = number
        raise KeyboardInterrupt

    before: dict[int, Any] = {}
    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    for number in numbers:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            try:
                before[number] = signal.signal(number, end)
            except ValueError:  # not in the main thread
                break
    try:
        yield caught
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
