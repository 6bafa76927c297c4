"""Result tables: ours beside the published row, their difference, and the ceiling.

Figures are percentages with two decimals; a published precision and recall stand as
printed in the paper.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.files import write_text


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure in percent, with its 95 % interval where there is one."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row: whose figures they are, of what kind, and its cells.

    The kind is ours, published, difference (ours minus published) or ceiling.
    """

    label: str
    kind: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """One table of one task.

    Attributes:
        name: file name without ending.
        title: what it shows.
        columns: headers of the figures.
        rows: the rows in order.
        notes: lines below it.
        digits: decimals of each column; empty for two in all.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    digits: tuple[int, ...] = ()

    def texts(self, row: Row) -> list[str]:
        """Return a row's cells as printed."""
        digits = self.digits or (2,) * len(row.cells)
        return [_text(cell, row.kind, d) for cell, d in zip(row.cells, digits, strict=True)]


def difference(ours: Row, published: Row) -> Row:
    """Return ours minus published, cell by cell."""
    cells = tuple(
        None if mine is None or theirs is None else Cell(mine.value - theirs.value)
        for mine, theirs in zip(ours.cells, published.cells, strict=True)
    )
    return Row(ours.label, "difference", cells)


def as_markdown(table: ResultTable) -> str:
    """Return a table as Markdown, columns aligned for reading as plain text."""
    header = ["system", "", *table.columns]
    body = [[row.label, row.kind, *table.texts(row)] for row in table.rows]
    notes = "".join(f"\n{note}\n" for note in table.notes)
    return f"**{table.title}**\n\n{aligned(header, body, 2)}\n{notes}"


def aligned(header: Sequence[str], body: Sequence[Sequence[str]], left: int) -> str:
    """Return a Markdown table, its first ``left`` columns to the left and the others to the right.

    Columns are padded for reading as plain text.
    """
    widths = [max(len(line[i]) for line in [header, *body]) for i in range(len(header))]
    rule = ["-" * w if i < left else "-" * (w - 1) + ":" for i, w in enumerate(widths)]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "| " + " | ".join(padded) + " |"

    return "\n".join(line(cells) for cells in [header, rule, *body])


def as_latex(table: ResultTable) -> str:
    """Return a table as a LaTeX ``tabular`` with booktabs rules."""
    spec = "ll" + "r" * len(table.columns)
    lines = [
        f"% {table.title}",
        f"\\begin{{tabular}}{{{spec}}}",
        "\\toprule",
        " & ".join(["System", "", *map(_escape, table.columns)]) + " \\\\",
        "\\midrule",
    ]
    for row in table.rows:
        cells = [text.replace("-", "$-$") for text in table.texts(row)]
        lines.append(" & ".join([_escape(row.label), row.kind, *cells]) + " \\\\")
    lines += ["\\bottomrule", "\\end{tabular}"]
    return "\n".join([*lines, *(f"% {note}" for note in table.notes)]) + "\n"


def as_csv(table: ResultTable) -> str:
    """Return a table as CSV: one line a row, interval bounds in columns of their own."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    bounds = any(cell and cell.low is not None for row in table.rows for cell in row.cells)
    header = ["system", "kind"]
    for column in table.columns:
        header += [column, f"{column} low", f"{column} high"] if bounds else [column]
    writer.writerow(header)
    for row in table.rows:
        line = [row.label, row.kind]
        for cell in row.cells:
            values = (None, None, None) if cell is None else (cell.value, cell.low, cell.high)
            line += ["" if v is None else f"{v:.4f}" for v in values[: 3 if bounds else 1]]
        writer.writerow(line)
    return out.getvalue()


def write_table(folder: Path, table: ResultTable) -> None:
    """Write a table as Markdown, LaTeX and CSV.

    Raises:
        FileProblemError: the disk refuses.
    """
    forms: Mapping[str, str] = {
        "md": as_markdown(table),
        "tex": as_latex(table),
        "csv": as_csv(table),
    }
    for ending, text in forms.items():
        write_text(folder / f"{table.name}.{ending}", text)


def _text(cell: Cell | None, kind: str, digits: int) -> str:
    if cell is None:
        return ""
    value = f"{cell.value:{'+' if kind == 'difference' else ''}.{digits}f}"
    if cell.low is None or cell.high is None:
        return value
    return f"{value} [{cell.low:.1f}, {cell.high:.1f}]"


def _escape(text: str) -> str:
    for character in "&%$#_{}":
        text = text.replace(character, f"\\{character}")
    return text
