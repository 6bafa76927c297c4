"""Charts as data, and drawn as SVG for the page; ``plots`` draws them for papers.

The SVG is coloured by the page's own style sheet: without script and without colours of its own,
the same bytes every time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from markupsafe import Markup, escape

from lexsub.experiments.report.item_scores import Floats
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


GRID = 20
"""Steps of 0.05 along each axis of a scatter plot."""

LARGEST_BUBBLE = 15.0
"""Radius in units of the drawing, at most."""

LETTER = 15.0
"""Least distance between two letters at the ends of lines."""

LONGEST_NAME = 44
"""Characters of a name beside its bars; of a longer one the beginning."""

BAR, GAP = 13.0, 10.0
"""Thickness of a bar, and space between two groups."""


def draw(chart: Chart) -> Markup:
    """Return a chart as an ``<svg>`` element."""
    return _bars(chart) if chart.kind == "bars" else _lines(chart)


def dashes(chart: Chart, number: int) -> str:
    """Return the dashes of a series as SVG has them, "" for none."""
    return " ".join(f"{one:g}" for one in DASHES[chart.style(number)[1]])


@dataclass(frozen=True, slots=True)
class _Axis:
    """Places on the drawing of values between two ticks, from ``start`` to ``end``."""

    ticks: tuple[float, ...]
    start: float
    end: float

    @classmethod
    def of(cls, values: Iterable[float], start: float, end: float, most: int = 7) -> _Axis:
        known = list(values) or [0.0, 1.0]
        low, high = min(known), max(known)
        if low == high:
            low, high = low - 0.5, high + 0.5
        power = 10.0 ** math.floor(math.log10((high - low) / most))
        steps = (power, 2 * power, 5 * power, 10 * power)
        step = next(step for step in steps if (high - low) / step <= most)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        return cls(tuple(n * step for n in range(first, last + 1)), start, end)

    def at(self, value: float) -> float:
        share = (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])
        return self.start + share * (self.end - self.start)


def _lines(chart: Chart) -> Markup:
    width, height = 520, 340
    points = [point for one in chart.series for point in one.known]
    x = _Axis.of((a for a, _ in points), 62, width - 34)
    y = _Axis.of((b for _, b in points), height - 46, 14)
    parts = [_frame(chart, x, y, height)]
    if chart.diagonal:
        ends = [max(x.ticks[0], y.ticks[0]), min(x.ticks[-1], y.ticks[-1])]
        parts.append(_path([(x.at(end), y.at(end)) for end in ends], "diagonal"))
    for number, one in enumerate(chart.series):
        places = [(x.at(a), y.at(b)) for a, b in one.known]
        titles = [f"{one.name}, {_short(a)}, {_short(b)}" for a, b in one.known]
        dots = [
            _tag("circle", _tag("title", title), cx=p, cy=q, r=3, class_="dot")
            for title, (p, q) in zip(titles, places, strict=True)
        ]
        if one.kind != "points":
            dots.insert(0, _path(places, "line", stroke_dasharray=dashes(chart, number)))
        parts.append(_group(chart, number, dots))
    return _svg(chart.title, width, height, [*parts, *_letters(chart, x, y)])


def _letters(chart: Chart, x: _Axis, y: _Axis) -> list[Markup]:
    """Letters at the right, each joined to the end of its line, none over another."""
    ends = sorted(
        (y.at(one.known[-1][1]), x.at(one.known[-1][0]), number)
        for number, one in enumerate(chart.series)
        if one.mark and one.known
    )
    step = min(LETTER, (y.start - y.end) / max(len(ends) - 1, 1))
    places = [end[0] for end in ends]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + step)
    limit = y.start
    for i in reversed(range(len(places))):
        places[i] = limit = min(places[i], limit)
        limit -= step
    column, letters = x.end + 20, []
    for place, (end, right, number) in zip(places, ends, strict=True):
        leader = _path([(right + 4, end), (column - 8, place)], "leader")
        mark = chart.series[number].mark
        text = _tag("text", mark, x=column, y=place + 5, class_="label")
        letters.append(_group(chart, number, [leader, text]))
    return letters


def _bars(chart: Chart) -> Markup:
    """Bars from left to right, so that there is room for every name."""
    left = 20 + 7.3 * min(LONGEST_NAME, max(map(len, chart.categories), default=0))
    width = round(max(560, left + 330))
    lanes = [one for one in chart.series if one.kind != "outline"]
    group = BAR * len(lanes) + GAP
    height = round(group * len(chart.categories) + 46)
    marked = any(one.mark for one in lanes)
    values = [value for one in chart.series for _, value in one.known]
    x = _Axis.of([0, *values], left + (20 if marked else 6), width - 82)
    y = _Axis((0, len(chart.categories)), 6, height - 40)
    parts = [_frame(chart, x, None, height, chart.y)]
    for place, name in enumerate(chart.categories):
        middle = y.at(place) + group / 2
        shown = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        text = [name] if shown == name else [shown, _tag("title", name)]
        parts.append(_tag("text", *text, x=left, y=middle, class_="name"))
    lane = -1
    for number, one in enumerate(chart.series):
        lane += one.kind != "outline"
        inside = dict(chart.series[one.like].known) if one.like is not None else {}
        framed = any(other.like == number for other in chart.series)
        bars: list[Markup] = []
        for category, value in one.known:
            top = y.at(category) + GAP / 2 + BAR * lane
            told = f"{value:.1f}"
            about = f"{one.name}, {chart.categories[int(category)]}, {told}"
            if category in inside:
                told = f"{inside[category]:.1f} of {told}"
            bars += _bar(one, x, top, value, about, "" if framed else told)
        parts.append(_group(chart, number, bars))
    return _svg(chart.title, width, height, parts)


def _bar(
    one: Series, x: _Axis, top: float, value: float, about: str, told: str
) -> Iterator[Markup]:
    start, end = sorted((x.at(0), x.at(value)))
    place = {"x": start, "y": top + 1, "width": end - start, "height": BAR - 2}
    kind = "outline" if one.kind == "outline" else "bar"
    yield _tag("rect", _tag("title", about), **place, class_=kind)
    if told:
        yield _tag("text", told, x=end + 4, y=top + BAR - 3, class_="value")
    if one.mark:
        yield _tag("text", one.mark, x=start - 4, y=top + BAR - 3, class_="mark")


def scatter_grid(x: Floats, y: Floats, title: str) -> Markup:
    """Return a scatter plot of figures between 0 and 1 as a grid of bubbles.

    Every place of the grid has its (maybe invisible) bubble, which bears ``data-cell``, its
    column and row, so that a script can show other data by setting the radii.
    """
    counts = cell_counts(x, y)
    largest = max(int(counts.max(initial=0)), 1)
    chart = Chart("scatter", title, "first system", "second system", ())
    ticks = tuple(tick / 5 for tick in range(6))
    across, up = _Axis(ticks, 66, 456), _Axis(ticks, 390, 18)
    bubbles = []
    for (i, j), number in np.ndenumerate(counts):
        place = {"cx": across.at(i / GRID), "cy": up.at(j / GRID)}
        size = f"{radius(int(number), largest):.1f}"
        bubbles.append(_tag("circle", **place, class_="dot", data_cell=f"{i},{j}", r=size))
    diagonal = _path([(across.at(end), up.at(end)) for end in (0, 1)], "diagonal")
    frame = _frame(chart, across, up, 440)
    return _svg(title, 480, 440, [frame, diagonal, _tag("g", *bubbles)])


def cell_counts(x: Floats, y: Floats) -> Floats:
    """Count the pairs of figures in each place of the grid, shape (21, 21), as the script does."""
    counts = np.zeros((GRID + 1, GRID + 1))
    known = np.stack([x, y])[:, ~np.isnan(x + y)]
    places = np.clip(np.floor(known * GRID + 0.5), 0, GRID).astype(int)
    np.add.at(counts, tuple(places), 1)
    return counts


def radius(count: int, largest: int) -> float:
    """Return the radius whose area shows a count: 0 for none, else at least 1.5."""
    return 0.0 if not count else max(1.5, LARGEST_BUBBLE * math.sqrt(count / largest))


def interval_bar(value: float, low: float, high: float, most: float) -> Markup:
    """Return a figure with its interval as a line of 100 by 10, where ``most`` is at the right."""
    axis = _Axis((0.0, most), 2, 98)
    parts = [
        _path([(axis.at(low), 5), (axis.at(high), 5)], "span"),
        _tag("circle", cx=axis.at(value), cy=5, r=3),
    ]
    return _tag("svg", *parts, class_="error", viewBox="0 0 100 10", aria_hidden="true")


def _frame(chart: Chart, x: _Axis, y: _Axis | None, height: int, label: str = "") -> Markup:
    """Axes with ticks and what they show; of bars only the lower one."""
    top, bottom = (6.0, height - 40.0) if y is None else (y.end, y.start)
    parts = []
    for tick in x.ticks:
        place = x.at(tick)
        parts += [
            _path([(place, top), (place, bottom)], "guide" if y is None else "tick"),
            _tag("text", _short(tick), x=place, y=bottom + 16, class_="middle"),
        ]
    for tick in y.ticks if y else ():
        place = y.at(tick) if y else 0
        parts += [
            _path([(x.start, place), (x.end, place)], "guide"),
            _tag("text", _short(tick), x=x.start - 8, y=place + 4, class_="end"),
        ]
    across = (x.start + x.end) / 2
    parts.append(_tag("text", label or chart.x, x=across, y=height - 6, class_="title"))
    if y:
        middle = (y.start + y.end) / 2
        parts.append(
            _tag("text", chart.y, class_="title", transform=f"translate(14 {middle:g}) rotate(-90)")
        )
    return _tag("g", *parts, class_="axes")


def _svg(title: str, width: int, height: int, parts: Sequence[Markup]) -> Markup:
    box, space = f"0 0 {width} {height}", "http://www.w3.org/2000/svg"
    about = {"xmlns": space, "class_": "chart", "viewBox": box, "role": "img", "aria_label": title}
    return _tag("svg", *parts, **about)


def _group(chart: Chart, number: int, parts: Iterable[Markup]) -> Markup:
    mark = chart.series[number].mark
    own = f" s-{mark}" if mark.isupper() else ""
    return _tag("g", *parts, class_=f"series c{chart.style(number)[0]}{own}")


def _path(points: Sequence[tuple[float, float]], kind: str, **attributes: str) -> Markup:
    steps = "L".join(f"{_place(x)} {_place(y)}" for x, y in points)
    return _tag("path", class_=kind, d=f"M{steps}", **attributes) if points else Markup()


def _tag(name: str, *content: str, **attributes: str | float) -> Markup:
    """Return an element; a figure among its attributes has one decimal, "" is left out."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="'
        f'{escape(value) if isinstance(value, str) else _place(value)}"'
        for key, value in attributes.items()
        if value != ""
    )
    return Markup(f"<{name}{told}>{Markup('').join(content)}</{name}>")


def _place(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _short(value: float) -> str:
    if value == round(value, 9) and round(value) == round(value, 9):
        return str(round(value))
    return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) < 10 else f"{value:.1f}"
