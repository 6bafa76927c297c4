"""Tables for programs, papers and notebooks: CSV and TSV, LaTeX, Markdown, HTML, data frames."""

from __future__ import annotations

import csv
import html
import io
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lexsub.errors import needing
from lexsub.printable import printable
from lexsub.tables.terminal import to_text
from lexsub.tables.value import UNDEFINED, Entry, Number, Table, text_of

if TYPE_CHECKING:
    import pandas
    import polars


def lines(rows: Iterable[Iterable[object]], delimiter: str = ",") -> str:
    """Return rows as lines; None is an empty cell."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def records_as_tsv(records: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> str:
    """Return records as TSV under their keys, or some of them; undefined values are empty."""
    chosen = columns or tuple(records[0])
    body = ([_defined(record[column]) for column in chosen] for record in records)
    return lines([chosen, *body], "\t")


def to_csv(table: Table) -> str:
    """Return a table as CSV: figures with four decimals, bounds in columns of their own."""
    numbers = [one for row in table.rows for one in row if isinstance(one, Number)]
    width = 3 if any(number.low is not None for number in numbers) else 1
    header = list(table.columns[: table.names])
    for column in table.columns[table.names :]:
        header += [column, f"{column} low", f"{column} high"][:width]
    body = []
    for row in table.rows:
        line: list[object] = list(row[: table.names])
        for cell in row[table.names :]:
            line += _cells(cell)[:width]
        body.append(line)
    return lines([header, *body])


def _cells(entry: Entry) -> tuple[object, ...]:
    if not isinstance(entry, Number):
        return entry, None, None
    values = (entry.value, entry.low, entry.high)
    return tuple(None if value is None or value != value else f"{value:.4f}" for value in values)


def _defined(value: object) -> object:
    return None if value != value else value


_LATEX_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    UNDEFINED: "--",
} | {sign: f"\\{sign}" for sign in "&%$#_{}"}
_LATEX_SIGN = re.compile("[" + re.escape("".join(_LATEX_SIGNS)) + "]")


def to_latex(table: Table) -> str:
    """Return a table as a ``tabular`` with booktabs rules, title and notes as comments.

    The best figures are bold; the letters of the systems a figure is significantly better than
    stand above it.
    """
    figures = len(table.columns) - table.names
    lines = [
        latex_comment(table.title),
        r"\begin{tabular}{" + "l" * table.names + "r" * figures + "}",
        r"\toprule",
        _row(map(latex_escaped, table.columns)),
        r"\midrule",
        *(_row(map(_cell, row)) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join([*lines, *map(latex_comment, filter(None, table.notes))]) + "\n"


def latex_comment(text: str) -> str:
    """Return a text as a comment; its line ends do not end the comment."""
    return f"% {printable(text)}"


def latex_escaped(text: str) -> str:
    """Return a text so that LaTeX prints it as it is."""
    return _LATEX_SIGN.sub(lambda sign: _LATEX_SIGNS[sign[0]], printable(text))


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(entry: Entry) -> str:
    if not isinstance(entry, Number):
        return latex_escaped(text_of(entry))
    value, interval = (
        latex_escaped(text).replace("-", "$-$") if text != UNDEFINED else "--"
        for text in (entry.text, entry.interval)
    )
    if entry.best:
        value = rf"\textbf{{{value}}}"
    if entry.marks:
        value += rf"$^{{\mathrm{{{entry.marks.replace(' ', '')}}}}}$"
    return f"{value} {interval}".rstrip()


_MARKDOWN_SIGNS = re.compile(r"([\\`*_\[\]<>|~$&])")


def to_markdown(table: Table) -> str:
    """Return a table as Markdown, columns aligned for reading as plain text."""
    cells = [
        [
            text_of(cell) if isinstance(cell, Number) else markdown_escaped(text_of(cell))
            for cell in row
        ]
        for row in table.rows
    ]
    notes = "".join(f"\n{markdown_escaped(note)}\n" for note in table.notes if note)
    grid = aligned(list(map(markdown_escaped, table.columns)), cells, table.names)
    return f"**{markdown_escaped(table.title)}**\n\n{grid}\n{notes}"


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


def markdown_escaped(text: str) -> str:
    """Return a text so that it stands in a line of Markdown as it is."""
    return _MARKDOWN_SIGNS.sub(r"\\\1", printable(text))


SHOWN = 50
"""Rows a notebook shows; the frames have all."""


def to_html(table: Table) -> str:
    """Return a table as HTML; text from data is escaped."""
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in table.columns)
    body = ""
    for name, *row in table.texts():
        cells = "".join(f"<td>{_text(cell)}</td>" for cell in row)
        body += f'<tr><th scope="row">{_text(name)}</th>{cells}</tr>'
    notes = "".join(f"<p>{_text(note)}</p>" for note in table.notes if note)
    return (
        f"<table><caption>{_text(table.title)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{notes}"
    )


def _text(text: str) -> str:
    return html.escape(printable(text))


class Tabular(ABC):
    """What can be looked at as a table.

    A subclass gives ``records`` (plain rows, for frames) and ``view`` (for people).  Whatever
    text comes from data is escaped.
    """

    __slots__ = ()

    @abstractmethod
    def records(self) -> list[dict[str, Any]]:
        """Return plain rows, all with the same keys."""

    @abstractmethod
    def view(self) -> Table:
        """Return the table that a notebook shows."""

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas frame.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        with needing("pandas", "frames", "to_pandas"):
            import pandas
        return pandas.DataFrame(self._cells())

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a polars frame.

        Raises:
            MissingExtraError: polars is not installed.
        """
        with needing("polars", "frames", "to_polars"):
            import polars
        return polars.DataFrame(self._cells(), infer_schema_length=None)

    def _cells(self) -> list[dict[str, Any]]:
        """Return the rows with one value a cell: of what is counted by reason, the sum."""
        return [
            {key: sum(v.values()) if isinstance(v, Mapping) else v for key, v in row.items()}
            for row in self.records()
        ]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {printable(self.view().title)}>"

    def __str__(self) -> str:
        return to_text(self._short()).rstrip("\n")

    def _repr_html_(self) -> str:
        return to_html(self._short())

    def _repr_markdown_(self) -> str:
        return to_markdown(self._short())

    def _short(self) -> Table:
        table = self.view()
        more = len(table.rows) - SHOWN
        if more <= 0:
            return table
        left = f"{more} more rows; to_pandas() has all."
        return replace(table, rows=table.rows[:SHOWN], notes=(left, *table.notes))
