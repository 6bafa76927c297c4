"""Charts as data, drawn for the page (``svg``) or for a paper (``plots``)."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Series:
    """One line, or the bars of one colour.

    Attributes:
        name: what it shows.
        mark: the letter that stands at the line where colour would not do; "" for none.
        points: (x, y) of a line; for bars x is the number of the category.  A y of NaN is
            left out.
    """

    name: str
    mark: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart.

    Attributes:
        key: names its file and its place on the page.
        title: what it shows.
        x: the quantity along the horizontal axis.
        y: the quantity along the vertical axis.
        series: the lines or bars.
        kind: ``lines``, or ``bars`` (a group of bars for each category).
        categories: names of the groups of bars.
        labels: what stands below them where the names have no room; empty for the names.
        diagonal: whether the line x = y is drawn.
        note: a sentence on how to read it.
        limits: (lowest, highest) of both axes where they are fixed.
    """

    key: str
    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    kind: Literal["lines", "bars"] = "lines"
    categories: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    diagonal: bool = False
    note: str = ""
    limits: tuple[float, float] | None = None

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
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        if self.kind == "lines":
            writer.writerow(["series", self.x, self.y])
            lines: Sequence[Sequence[str | float]] = self.rows()
        else:
            writer.writerow(["series", self.x or "group", self.y])
            lines = [
                [one.name, self.categories[int(x)], y] for one in self.series for x, y in one.points
            ]
        for line in lines:
            writer.writerow([_plain(cell) for cell in line])
        return out.getvalue()


def _plain(cell: str | float) -> str:
    if isinstance(cell, str):
        return cell
    return "" if math.isnan(cell) else f"{cell:.6f}".rstrip("0").rstrip(".")
