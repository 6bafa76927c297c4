"""Results as tables: in notebooks, and as data frames of pandas and polars."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsub.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas
    import polars

SHOWN = 50
"""Rows a notebook shows; the frames have all."""


@dataclass(frozen=True, slots=True)
class View:
    """A table for people.

    Attributes:
        title: what it is, in a line.
        columns: the headers; the first column is a name, the others are figures or words.
        rows: the cells, as text.
        note: what must be read with it.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


class Tabular:
    """What can be looked at as a table.

    A subclass gives ``records`` (plain rows, for frames) and ``view`` (for people).  Whatever
    text comes from data is escaped.
    """

    __slots__ = ()

    def records(self) -> list[dict[str, Any]]:
        """Return plain rows, all with the same keys."""
        raise NotImplementedError

    def view(self) -> View:
        """Return the table that a notebook shows."""
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas frame.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            import pandas
        except ImportError as error:
            raise MissingExtraError("pandas", "frames", "to_pandas") from error
        return pandas.DataFrame(self._flat())

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a polars frame.

        Raises:
            MissingExtraError: polars is not installed.
        """
        try:
            import polars
        except ImportError as error:
            raise MissingExtraError("polars", "frames", "to_polars") from error
        return polars.DataFrame(self._flat(), infer_schema_length=None)

    def _flat(self) -> list[dict[str, Any]]:
        return self.records()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.view().title}>"

    def _repr_html_(self) -> str:
        view = self.view()
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in view.columns)
        body = "".join(f"<tr>{_cells(row)}</tr>" for row in view.rows[:SHOWN])
        note = f"<p>{html.escape(_note(view))}</p>" if _note(view) else ""
        return (
            f"<table><caption>{html.escape(view.title)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>{note}"
        )

    def _repr_markdown_(self) -> str:
        view = self.view()
        rule = [":--", *["--:"] * (len(view.columns) - 1)]
        rows = [view.columns, rule, *view.rows[:SHOWN]]
        lines = ["| " + " | ".join(map(_markdown, row)) + " |" for row in rows]
        lines[1] = "| " + " | ".join(rule) + " |"
        note = _note(view)
        return "\n".join([f"**{_markdown(view.title)}**", "", *lines,
                          *(["", _markdown(note)] if note else [])])  # fmt: skip


def _cells(row: Iterable[str]) -> str:
    first, *others = map(html.escape, row)
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in others)


def _note(view: View) -> str:
    more = len(view.rows) - SHOWN
    left = f"{more} more rows; to_pandas() has all." if more > 0 else ""
    return " ".join(filter(None, (left, view.note)))


def _markdown(text: str) -> str:
    for sign in "\\`*_{}[]<>()#+!|~$":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\r", " ").replace("\n", " ")
