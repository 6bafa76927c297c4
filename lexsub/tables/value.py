"""A table as a value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from lexsub.printable import printable

UNDEFINED = "–"


@dataclass(frozen=True, slots=True)
class Number:
    """A figure in the unit in which it is printed.

    Attributes:
        value: the figure; NaN where it is undefined.
        low: lower bound of its interval, None without one.
        high: upper bound.
        digits: decimals; bounds have one fewer.
        kind: a difference has a sign, a p value that rounds to 0 prints as <.
        best: whether it is the best of its column.
        marks: letters of the systems it is significantly better than.
        beside: another figure that stands before it, as precision before recall; left out
            where the two print alike.
    """

    value: float
    low: float | None = None
    high: float | None = None
    digits: int = 2
    kind: Literal["figure", "difference", "p"] = "figure"
    best: bool = False
    marks: str = ""
    beside: float | None = None

    @property
    def text(self) -> str:
        """The figure without its interval."""
        own = self._shown(self.value)
        other = own if self.beside is None else self._shown(self.beside)
        return own if own == other else f"{other} / {own}"

    def _shown(self, value: float) -> str:
        if math.isnan(value):
            return UNDEFINED
        if self.kind == "p" and round(value, self.digits) == 0:
            return f"<{10**-self.digits:.{self.digits}f}"
        return f"{value:{self._sign}.{self.digits}f}"

    @property
    def interval(self) -> str:
        """The interval in brackets, "" without one."""
        if self.low is None or self.high is None:
            return ""
        digits = max(self.digits - 1, 0)
        return f"[{self.low:{self._sign}.{digits}f}, {self.high:{self._sign}.{digits}f}]"

    @property
    def _sign(self) -> str:
        return "+" if self.kind == "difference" else ""

    def __str__(self) -> str:
        return f"{self.text} {self.interval}".rstrip()


Entry = str | int | Number | None
"""What stands in a cell; None for nothing."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        title: what it shows, in a line.
        columns: the headers.
        rows: the cells, as many as there are headers.
        notes: what must be read with it.
        names: so many columns on the left are names, the others are figures.
        name: file name without ending, where it is written to files.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Entry]]
    notes: Sequence[str] = ()
    names: int = 1
    name: str = ""

    def texts(self) -> list[list[str]]:
        """Return the cells as text in which no control character is left."""
        return [list(map(text_of, row)) for row in self.rows]

    def best(self, rows: Iterable[int]) -> Table:
        """Return the table with the greatest figure of each column among some rows marked."""
        chosen = set(rows)
        greatest = []
        for column in zip(*self.rows, strict=True):
            cells = [cell for place, cell in enumerate(column) if place in chosen]
            figures = (cell.value for cell in cells if isinstance(cell, Number))
            greatest.append(max((x for x in figures if not math.isnan(x)), default=math.nan))
        marked = [
            tuple(map(_marked, row, greatest)) if place in chosen else tuple(row)
            for place, row in enumerate(self.rows)
        ]
        return replace(self, rows=tuple(marked))

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON values; undefined figures are null."""
        return {
            "name": self.name,
            "title": self.title,
            "columns": list(self.columns),
            "rows": [list(map(_plain, row)) for row in self.rows],
            "notes": list(self.notes),
            "names": self.names,
        }

    @classmethod
    def of_json(cls, document: Mapping[str, Any]) -> Table:
        """Return what :meth:`as_json` gave.

        Raises:
            KeyError, TypeError, ValueError: it is something else.
        """
        columns = [str(column) for column in document["columns"]]
        rows = [tuple(map(_entry, row)) for row in document["rows"]]
        if any(len(row) != len(columns) for row in rows):
            raise ValueError("a row has not as many cells as there are columns")
        return cls(
            str(document["title"]),
            columns,
            rows,
            tuple(map(str, document["notes"])),
            int(document["names"]),
            str(document["name"]),
        )


def text_of(entry: Entry) -> str:
    """Return a cell as printed."""
    return "" if entry is None else printable(str(entry))


def _marked(cell: Entry, most: float) -> Entry:
    return replace(cell, best=True) if isinstance(cell, Number) and cell.value == most else cell


def _plain(entry: Entry) -> Any:
    if not isinstance(entry, Number):
        return entry
    given = {one.name: (getattr(entry, one.name), one.default) for one in fields(entry)}
    stated = {key: value for key, (value, usual) in given.items() if value != usual}
    return stated | ({"value": None} if math.isnan(entry.value) else {})


def _entry(entry: Any) -> Entry:
    if isinstance(entry, Mapping):
        value = entry["value"]
        return Number(**{**entry, "value": math.nan if value is None else float(value)})
    if entry is None or isinstance(entry, str | int):
        return entry
    raise TypeError(f"{entry!r} is no cell of a table")


def letter(number: int) -> str:
    """Return A, B, … Z, AA, AB … for 0, 1, …: what stands for a system where room is short."""
    before, last = divmod(number, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + last)
