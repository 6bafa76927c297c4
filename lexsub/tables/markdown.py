"""Tables as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexsub.printable import printable
from lexsub.tables.value import Number, Table, text_of

_SIGNS = re.compile(r"([\\`*_\[\]<>|~$&])")


def to_markdown(table: Table) -> str:
    """Return a table as Markdown, columns aligned for reading as plain text."""
    cells = [
        [text_of(cell) if isinstance(cell, Number) else escaped(text_of(cell)) for cell in row]
        for row in table.rows
    ]
    notes = "".join(f"\n{escaped(note)}\n" for note in table.notes if note)
    grid = aligned(list(map(escaped, table.columns)), cells, table.names)
    return f"**{escaped(table.title)}**\n\n{grid}\n{notes}"


def aligned(header: Sequence[str], body: Sequence[Sequence[str]], left: int) -> str:
    """Return the lines of a table of cells that are Markdown already.

    The first ``left`` columns go to the left, the others to the right.  No header is empty:
    some programs do not take a table for one that has such.
    """
    header = [cell or "·" for cell in header]
    widths = [max(2, *(len(line[i]) for line in [header, *body])) for i in range(len(header))]
    rule = ["-" * w if i < left else "-" * (w - 1) + ":" for i, w in enumerate(widths)]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "| " + " | ".join(padded) + " |"

    return "\n".join(line(cells) for cells in [header, rule, *body])


def escaped(text: str) -> str:
    """Return a text so that it stands in a line of Markdown as it is."""
    return _SIGNS.sub(r"\\\1", printable(text))
