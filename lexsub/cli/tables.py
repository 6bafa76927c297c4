"""Tables for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

# More than any table of ours needs.
_WIDEST = 10_000


def table(title: str, *columns: str) -> Table:
    """Return an empty table, the first column to the left, the others (figures) to the right."""
    from rich import box
    from rich.table import Table

    empty = Table(title=title, box=box.SIMPLE)
    for number, column in enumerate(columns):
        empty.add_column(column, justify="left" if number == 0 else "right")
    return empty


def show(tables: Iterable[Table]) -> None:
    """Print tables on standard output, each title on a line of its own above its table.

    (Inside the table a title would be wrapped to the table's width.)  In a file or a pipe a table
    is as wide as it needs to be; a terminal's width wraps it.
    """
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for entry in tables:
        title, entry.title = entry.title, None
        console.print(Text(str(title), style="bold"), soft_wrap=True)
        if not console.is_terminal:
            console.width = max(console.width, Console(width=_WIDEST).measure(entry).maximum)
        console.print(entry)
