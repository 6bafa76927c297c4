"""Tables on a terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
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
        narrow = False
        if _least(table) > console.width:
            bare = replace(table, rows=[list(map(_bare, row)) for row in table.rows])
            narrow = bare.rows != [list(row) for row in table.rows]
            width = console.width
            for place, block in enumerate(_blocks(bare, width)):
                if place:
                    console.print()
                # A column that is still too wide runs over the edge: figures are not cut off.
                console.width = max(_least(block), width)
                console.print(_grid(block))
            console.width = width
        else:
            console.print(_grid(table))
        notes = [*filter(None, table.notes)]
        if narrow:
            notes.append(f"95 % intervals do not fit into {console.width} columns.")
        for line in "\n".join(map(printable, notes)).splitlines():
            # Not inside a word: signatures are copied whole.
            text = fill(line, console.width, break_long_words=False, break_on_hyphens=False)
            console.print(Text(text, style="dim"), soft_wrap=True)


def _blocks(table: Table, width: int) -> Iterator[Table]:
    """Yield a table in parts that fit, each with the names and some of the columns of figures."""

    def part(places: Sequence[int]) -> Table:
        chosen = [*range(table.names), *places]
        rows = [[row[place] for place in chosen] for row in table.rows]
        return replace(table, columns=[table.columns[place] for place in chosen], rows=rows)

    held: list[int] = []
    for place in range(table.names, len(table.columns)):
        if held and _least(part([*held, place])) > width:
            yield part(held)
            held = []
        held.append(place)
    yield part(held)


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
    """Return True if a column holds words: they are read from the left, figures from the right."""
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
