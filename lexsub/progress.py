"""How far long work is: a bar with the time left, on stderr, on a terminal, unless hushed."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from lexsub.printable import printable

if TYPE_CHECKING:
    from rich import progress as columns

T = TypeVar("T")

QUIET = "LEXSUB_QUIET"
"""The variable that hushes; ``--quiet`` sets it, so that worker processes know it, too."""


def set_quiet(quiet: bool) -> None:
    """Hush all bars from now on, or let them show again."""
    if quiet:
        os.environ[QUIET] = "1"
    else:
        os.environ.pop(QUIET, None)


def is_quiet() -> bool:
    """Return True if nothing is to be shown on the way."""
    return bool(os.environ.get(QUIET))


def is_shown() -> bool:
    """Return True if bars are shown: on a terminal, and not hushed."""
    return sys.stderr.isatty() and not is_quiet()


def remark(line: str) -> None:
    """Say something on the way, where bars are shown."""
    if is_shown():
        print(f"lexsub: {line}", file=sys.stderr)


def track(work: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Pass entries on and show how far they are.

    Args:
        work: what is worked through.
        label: what the bar says.
        total: how many entries there are; without it no time left can be told.
    """
    with measured(label, lambda: total) as advance:
        for entry in work:
            yield entry
            advance(1)


@contextmanager
def under_way(label: str) -> Iterator[Callable[[str], None]]:
    """Show that something is under way, and for how long it has been.

    The last line that is told of it stands in place of the one before.
    """
    if not is_shown():
        yield lambda _: None
        return
    with _task(label, None):
        assert _display is not None
        shown, task = _display, _display.task_ids[-1]
        yield lambda line: shown.update(task, description=printable(line))


@contextmanager
def measured(label: str, total: Callable[[], float | None]) -> Iterator[Callable[[float], None]]:
    """Show how far work is that says so itself: what is given out takes what was done since.

    Args:
        label: what the bar says.
        total: tells how much there is (None where unknown); asked only where a bar is shown.
    """
    if not is_shown():
        yield lambda _: None
        return
    with _task(label, total()) as advance:
        yield advance


@dataclass(frozen=True)
class Tally:
    """Lets worker processes say how far they are, through files that the parent looks at.

    Attributes:
        folder: one file a worker; empty where nobody looks.
    """

    folder: str

    def count(self, work: Iterable[T], worker: int) -> Iterator[T]:
        """Pass entries on, and leave their number behind now and then."""
        if not self.folder:
            yield from work
            return
        done, told = 0, 0.0
        for entry in work:
            yield entry
            done += 1
            if (now := time.monotonic()) - told > LOOK:
                self._tell(worker, done)
                told = now
        self._tell(worker, done)

    def _tell(self, worker: int, done: int) -> None:
        # A worker on another machine of a cluster may not have the folder; nothing is lost
        # but the bar.
        with suppress(OSError):
            Path(self.folder, str(worker)).write_text(str(done))

    def done(self) -> int:
        """Return how many entries the workers have told of."""
        total = 0
        for path in Path(self.folder).iterdir():
            # Empty while it is being written anew: counted at the next look.
            with suppress(OSError, ValueError):
                total += int(path.read_text())
        return total


LOOK = 0.3
"""Seconds between two looks at how far workers are."""


@contextmanager
def tallied(label: str, total: int) -> Iterator[Tally]:
    """Show how far worker processes are that count what they do with the tally given."""
    if not is_shown():
        yield Tally("")
        return
    with tempfile.TemporaryDirectory(prefix="lexsub-") as folder, _task(label, total) as advance:
        tally, over = Tally(folder), threading.Event()

        def look() -> None:
            shown = 0
            while not over.wait(LOOK):
                done = tally.done()
                advance(max(done - shown, 0))
                shown = max(done, shown)

        watcher = threading.Thread(target=look, daemon=True)
        watcher.start()
        try:
            yield tally
        finally:
            over.set()
            watcher.join()


_display: columns.Progress | None = None
"""What is on the terminal now: work within work gets a line of its own below."""


@contextmanager
def _task(label: str, total: float | None) -> Iterator[Callable[[float], None]]:
    global _display
    from rich import progress as columns
    from rich.console import Console

    with ExitStack() as stack:
        if outermost := _display is None:
            bar = columns.Progress(
                columns.TextColumn("{task.description}", markup=False),
                columns.BarColumn(),
                columns.MofNCompleteColumn(),
                columns.TimeElapsedColumn(),
                columns.TextColumn("left"),
                columns.TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            _display = stack.enter_context(bar)
        assert _display is not None
        shown, task = _display, _display.add_task(printable(label), total=total)
        try:
            yield lambda number: shown.advance(task, number)
        finally:
            if outermost:
                _display = None
            else:
                shown.remove_task(task)
