"""What shows as a table in notebooks, and becomes data frames of pandas and polars."""

from __future__ import annotations

import html
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lexsub.errors import needing
from lexsub.printable import printable
from lexsub.tables.terminal import to_text
from lexsub.tables.value import Table
from lexsub.tables.writers import to_markdown

if TYPE_CHECKING:
    import pandas
    import polars

SHOWN = 50
"""Rows a notebook shows; the frames have all."""


def to_html(table: Table) -> str:
    """Return a table as HTML; whatever text comes from data is escaped."""
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in table.columns)
    body = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row">{_text(cell)}</th>' if place == 0 else f"<td>{_text(cell)}</td>"
            for place, cell in enumerate(row)
        )
        + "</tr>"
        for row in table.texts()
    )
    notes = "".join(f"<p>{_text(note)}</p>" for note in table.notes if note)
    return (
        f"<table><caption>{_text(table.title)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{notes}"
    )


def _text(text: str) -> str:
    return html.escape(printable(text))


class Tabular:
    """What can be looked at as a table.

    A subclass gives ``records`` (plain rows, for frames) and ``view`` (for people).  Whatever
    text comes from data is escaped.
    """

    __slots__ = ()

    def records(self) -> list[dict[str, Any]]:
        """Return plain rows, all with the same keys."""
        raise NotImplementedError

    def view(self) -> Table:
        """Return the table that a notebook shows."""
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas frame.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        with needing("pandas", "frames", "to_pandas"):
            import pandas
        return pandas.DataFrame(self.records())

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a polars frame.

        Raises:
            MissingExtraError: polars is not installed.
        """
        with needing("polars", "frames", "to_polars"):
            import polars
        return polars.DataFrame(self.records(), infer_schema_length=None)

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
