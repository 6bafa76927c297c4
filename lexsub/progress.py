"""How far long work is: a bar with the time left, on stderr, on a terminal, unless hushed."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console
    from rich.progress import ProgressColumn

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
    """Say whether nothing is to be shown on the way."""
    return bool(os.environ.get(QUIET))


def is_shown() -> bool:
    """Say whether bars are shown: on a terminal, and not hushed."""
    return sys.stderr.isatty() and not is_quiet()


def track(work: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Pass entries on and show how far they are.

    Args:
        work: what is worked through.
        label: what the bar says.
        total: how many entries there are; without it no time left can be told.
    """
    if not is_shown():
        yield from work
        return
    from rich.progress import Progress

    with Progress(*_columns(), console=_console(), transient=True) as bar:
        task = bar.add_task(label, total=total)
        for entry in work:
            yield entry
            bar.advance(task)


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Show that something of unknown length is under way, and for how long it has been."""
    if not is_shown():
        yield
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=_console(), transient=True) as bar:
        bar.add_task(label, total=None)
        yield


def _columns() -> tuple[ProgressColumn, ...]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    return (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )  # fmt: skip


def _console() -> Console:
    from rich.console import Console

    return Console(stderr=True)
