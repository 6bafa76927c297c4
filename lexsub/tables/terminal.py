"""Tables on a terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from io import StringIO
from textwrap import fill
from typing import TYPE_CHECKING

from lexsub.printable import printable
from lexsub.tables.value import Entry, Number, Table, text_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Grid

# More than any table of ours needs.
_WIDEST = 10_000


def show(tables: Iterable[Table], width: int | None = None) -> None:
    """Print tables on standard output, a blank line between them.

    Nothing in them is taken for markup or obeyed as an escape sequence.

    Args:
        tables: the tables.
        width: columns at most where it is a file or a pipe, None for as many as are needed.  On
            a terminal its own width counts.
    """
    from rich.console import Console

    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console.width = width or _WIDEST
    _print(tables, console)


def to_text(table: Table, width: int = _WIDEST) -> str:
    """Return what :func:`show` prints, without colours."""
    from rich.console import Console

    out = StringIO()
    _print([table], Console(file=out, highlight=False, width=width, color_system=None))
    return out.getvalue()


def _print(tables: Iterable[Table], console: Console) -> None:
    from rich.text import Text

    for number, table in enumerate(tables):
        if number:
            console.print()
        if table.title:
            console.print(Text(printable(table.title), style="bold"), soft_wrap=True)
        grid, narrow = _grid(table), False
        if _least(table) > console.width:
            bare = replace(table, rows=[list(map(_bare, row)) for row in table.rows])
            grid, narrow = _grid(bare), bare.rows != [list(row) for row in table.rows]
            # What is still too wide runs over the edge: figures cut off would be no figures.
            width, console.width = console.width, max(_least(bare), console.width)
            console.print(grid)
            console.width = width
        else:
            console.print(grid)
        notes = [*filter(None, table.notes)]
        if narrow:
            notes.append(f"95 % intervals do not fit into {console.width} columns.")
        for line in "\n".join(map(printable, notes)).splitlines():
            # Not inside a word: signatures are copied whole.
            text = fill(line, console.width, break_long_words=False, break_on_hyphens=False)
            console.print(Text(text, style="dim"), soft_wrap=True)


def _least(table: Table) -> int:
    """Return the width that a table needs: columns of words can be folded, figures cannot."""
    from rich.cells import cell_len

    width = -2
    for place, column in enumerate(table.columns):
        texts = [printable(column), *(_text(row[place]) for row in table.rows)]
        parts = texts if _is_numeric(table, place) else " ".join(texts).split()
        width += max(map(cell_len, parts), default=0) + 2
    return width


def _is_numeric(table: Table, place: int) -> bool:
    return any(isinstance(row[place], Number | int) for row in table.rows)


def _is_wordy(table: Table, place: int) -> bool:
    """Say whether a column holds words: they are read from the left, figures from the right."""
    return not _is_numeric(table, place) and any(
        re.search(r"[^\W\d_]{2}", _text(row[place])) for row in table.rows
    )


def _grid(table: Table) -> Grid:
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), collapse_padding=True)
    grid.header_style, grid.show_header = "bold", any(table.columns)
    for place, column in enumerate(table.columns):
        grid.add_column(
            Text(printable(column)),
            justify="left" if place < table.names or _is_wordy(table, place) else "right",
            no_wrap=_is_numeric(table, place),
            overflow="fold",
        )
    for row in table.rows:
        grid.add_row(*(Text(_text(cell), "bold" if _is_best(cell) else "") for cell in row))
    return grid


def _text(entry: Entry) -> str:
    marks = entry.marks if isinstance(entry, Number) else ""
    return f"{text_of(entry)} {marks}".rstrip()


def _is_best(entry: Entry) -> bool:
    return isinstance(entry, Number) and entry.best


def _bare(entry: Entry) -> Entry:
    return replace(entry, low=None, high=None) if isinstance(entry, Number) else entry
