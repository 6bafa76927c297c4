"""Charts as data, drawn for the page (``svg``) or for a paper (``papers``)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lexsub.tables.writers import lines

COLOURS = 12
"""Different colours; what is more differs in its dashes."""

DASHES = ((), (7, 3), (2, 2.5), (9, 3, 2, 3))
"""Lengths of dashes and gaps."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line, or the bars of one colour.

    Attributes:
        name: what it shows.
        mark: the letter that stands at the line where colour would not do; "" for none.
        points: (x, y) of a line; for bars x is the number of the category.  A y of NaN is
            left out.
        like: number of the series before it whose colour it shares; None for a colour of its own.
        kind: a line; points without one; an outline around the bars of the series it is like.
    """

    name: str
    mark: str
    points: tuple[tuple[float, float], ...]
    like: int | None = None
    kind: Literal["full", "points", "outline"] = "full"

    @property
    def known(self) -> list[tuple[float, float]]:
        """The points that have a value."""
        return [(x, y) for x, y in self.points if not math.isnan(y)]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart.

    Attributes:
        key: names its file and its place on the page.
        title: what it shows.
        x: the quantity along the horizontal axis.
        y: the quantity along the vertical axis; of bars, their length.
        series: the lines or bars.
        kind: ``lines``, or ``bars`` (a group of bars for each category).
        categories: names of the groups of bars.
        diagonal: whether the line x = y is drawn.
        note: a sentence on how to read it.
    """

    key: str
    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    kind: Literal["lines", "bars"] = "lines"
    categories: tuple[str, ...] = ()
    diagonal: bool = False
    note: str = ""

    def style(self, number: int) -> tuple[int, int]:
        """Return colour and dash of a series: no two of the first 48 have both in common."""
        like = self.series[number].like
        number = number if like is None else like
        return number % COLOURS, (number + number // COLOURS) % len(DASHES)

    def together(self) -> list[str]:
        """Return the names of lines that cannot be told apart, those of one line joined."""
        alike: dict[tuple[tuple[float, float], ...], list[str]] = {}
        for one in self.series if self.kind == "lines" else ():
            points = tuple((round(x, 4), round(y, 4)) for x, y in one.known)
            if points:
                name = f"{one.mark} {one.name}" if one.mark.isupper() else one.name
                alike.setdefault(points, []).append(name)
        return [", ".join(names) for names in alike.values() if len(names) > 1]

    def header(self) -> list[str]:
        """Return the headers of its data as a table."""
        return ["", self.x, self.y] if self.kind == "lines" else ["", *self.categories]

    def rows(self) -> list[list[str | float]]:
        """Return its data as a table: a row a point, or a row a colour of bars."""
        if self.kind == "lines":
            return [[one.name, x, y] for one in self.series for x, y in one.points]
        return [[one.name, *(y for _, y in one.points)] for one in self.series]

    def as_csv(self) -> str:
        """Return its data as CSV, one line a point; figures with six decimals."""
        body: Sequence[Sequence[str | float]] = self.rows()
        if self.kind == "bars":
            body = [[s.name, self.categories[int(x)], y] for s in self.series for x, y in s.points]
        header = ["series", self.x if self.kind == "lines" else self.x or "group", self.y]
        return lines([header, *([_plain(cell) for cell in line] for line in body)])


def _plain(cell: str | float) -> str:
    if isinstance(cell, str):
        return cell
    return "" if math.isnan(cell) else f"{cell:.6f}".rstrip("0").rstrip(".")
