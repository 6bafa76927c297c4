"""Signals that end a call: each does it as Ctrl-C does, by an exception that cleans up.

Drafts are removed by the blocks that made them, worker processes are ended, and one line says
which signal it was.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

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

    def end(number: int, frame: FrameType | None) -> None:
        del frame
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
