"""Charts as SVG for the page, drawn by pygal and coloured by the page's own style sheet.

Without script, without colours of its own, and the same bytes every time.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import tostring

import numpy as np
import pygal
from markupsafe import Markup
from pygal.etree import etree
from pygal.style import Style

from experiments.report.charts import Chart
from experiments.report.judged import Floats

# pygal looks for plugins of its own at every later import, in a way that Python has given up
# and warns of.
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "pygal"]

# The standard library's trees, whatever else is installed: one serialisation.
etree.to_etree()

GRID = 20
"""Steps of 0.05 along each axis of a scatter plot."""

LARGEST_BUBBLE = 15.0
"""Radius in units of the drawing, at most."""

_COMMON: dict[str, Any] = {
    "js": (), "css": (), "classes": ("chart",), "no_prefix": True, "show_legend": False,
    "disable_xml_declaration": True, "print_labels": True, "margin": 8, "spacing": 6,
    "style": Style(label_font_size=15, major_label_font_size=15, title_font_size=17),
    "dots_size": 3, "max_scale": 8, "pretty_print": False, "no_data_text": "nothing to show",
}  # fmt: skip


def draw(chart: Chart) -> Markup:
    """Return a chart as an ``<svg>`` element."""
    return _bars(chart) if chart.kind == "bars" else _lines(chart)


def _lines(chart: Chart) -> Markup:
    limits = {"range": chart.limits, "xrange": chart.limits} if chart.limits else {}
    plot = pygal.XY(
        **_COMMON, **limits, width=520, height=340, x_title=chart.x, y_title=chart.y,
        value_formatter=_short, x_value_formatter=_short,
    )  # fmt: skip
    for number, one in enumerate(chart.series):
        points: list[dict[str, Any]] = [
            {"value": point} for point in one.points if not math.isnan(point[1])
        ]
        if points:
            # Letters stand at different places, so that those of close lines keep apart.
            points[-1 - number % min(len(points), 5)]["label"] = one.mark
        plot.add(one.name, points)
    if chart.diagonal:
        ends = [x for one in chart.series for x, _ in one.points]
        low, high = min(ends), max(ends)
        plot.add("x = y", [(low, low), (high, high)], show_dots=False)
    return _clean(plot, chart.title)


def _bars(chart: Chart) -> Markup:
    plot = pygal.Bar(
        **_COMMON, width=560, height=300, y_title=chart.y,
        x_labels=list(chart.labels or chart.categories), value_formatter=_short, zero=0,
    )  # fmt: skip
    for one in chart.series:
        plot.add(one.name, [
            None if math.isnan(y) else {"value": y, "label": one.mark} for _, y in one.points
        ])  # fmt: skip
    return _clean(plot, chart.title)


def scatter_grid(x: Floats, y: Floats, title: str) -> Markup:
    """Return a scatter plot of figures between 0 and 1 as a grid of bubbles.

    Every place of the grid has its (maybe invisible) bubble, which bears ``data-cell``, its
    column and row, so that a script can show other data by setting the radii.
    """
    counts = cell_counts(x, y)
    largest = max(int(counts.max(initial=0)), 1)
    plot = pygal.XY(
        **_COMMON, width=480, height=440, stroke=False, range=(0, 1), xrange=(0, 1),
        x_title="first system", y_title="second system", value_formatter=_short,
        x_value_formatter=_short, x_labels=_TICKS, y_labels=_TICKS,
    )  # fmt: skip
    plot.add("equal", [(0, 0), (1, 1)], stroke=True, show_dots=False)
    plot.add("items", [
        {"value": (i / GRID, j / GRID),
         "node": {"r": f"{radius(int(counts[i, j]), largest):.1f}", "data-cell": f"{i},{j}"}}
        for i in range(GRID + 1) for j in range(GRID + 1)
    ])  # fmt: skip
    return _clean(plot, title, values=False)


_TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]


def cell_counts(x: Floats, y: Floats) -> Floats:
    """Count the pairs of figures in each place of the grid, shape (21, 21)."""
    counts = [[0.0] * (GRID + 1) for _ in range(GRID + 1)]
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        if not (math.isnan(a) or math.isnan(b)):
            counts[cell(a)][cell(b)] += 1
    return np.array(counts)


def cell(value: float) -> int:
    """Return the column (or row) of a figure, as the script computes it."""
    return min(GRID, max(0, math.floor(value * GRID + 0.5)))


def radius(count: int, largest: int) -> float:
    """Return the radius whose area shows a count: 0 for none, else at least 1.5."""
    return 0.0 if not count else max(1.5, LARGEST_BUBBLE * math.sqrt(count / largest))


def _short(value: object) -> str:
    if isinstance(value, int | float):
        if value == int(value):
            return str(int(value))
        return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) < 10 else f"{value:.1f}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_short, value))
    return str(value)


def _clean(plot: Any, title: str, *, values: bool = True) -> Markup:
    """Draw, and leave out what is only for pygal's own script: the page does without.

    The value of a point becomes its title (which browsers show), behind the series' name.
    """
    tree = plot.render_tree()
    for series in tree.iter():
        classes = (series.get("class") or "").split()
        if "series" in classes:
            name = plot.raw_series[int(classes[1].removeprefix("serie-"))][1]["title"]
            for node in series.iter("desc"):
                if node.get("class") == "value":
                    node.text = f"{name}, {node.text}"
    for parent in list(tree.iter()):
        for child in list(parent):
            if _is_value(child) and values:
                child.tag = "title"
                del child.attrib["class"]
            elif _is_idle(child, parent):
                parent.remove(child)
    for node in tree.iter():
        for key in _COORDINATES & node.attrib.keys():
            node.set(key, _coordinate(node.get(key)))
        if "class" in node.attrib:
            kept = [name for name in node.get("class").split() if name not in _IDLE]
            node.set("class", " ".join(kept))
    tree.attrib.pop("id", None)
    tree.set("role", "img")
    tree.set("aria-label", title)
    return Markup(tostring(tree, encoding="unicode"))


_COORDINATES = {"cx", "cy", "x", "y", "width", "height"}
_IDLE = ("reactive", "tooltip-trigger")


def _is_value(node: Any) -> bool:
    return bool(node.tag == "desc" and node.get("class") == "value")


def _is_idle(node: Any, parent: Any) -> bool:
    if not isinstance(node.tag, str) or node.tag in ("defs", "style", "script", "desc"):
        return True
    if "tooltip-overlay" in (node.get("class") or ""):
        return True
    return node.tag == "title" and (node.text == "Pygal" or parent.get("class") == "guides")


def _coordinate(text: str) -> str:
    try:
        return f"{float(text):.1f}".removesuffix(".0")
    except ValueError:
        return text
