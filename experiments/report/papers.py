"""Charts as files for papers, drawn by matplotlib.

Colours are those of Okabe and Ito (2008), which people who see few colours tell apart; lines
differ in marker and dash as well, bars in hatching.  The same chart gives the same bytes.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from lexsub.errors import needing
from lexsub.experiments.report.charts import DASHES, Chart
from lexsub.storage.files import write_bytes

FORMATS = ("svg", "pdf", "png")

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999",
           "#332288", "#882255", "#999933", "#B400FF")  # fmt: skip
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "d", "<", ">", "p", "h")
HATCHES = ("", "//", "..", "xx")

_SETTINGS = {"svg.hashsalt": "lexsub", "pdf.fonttype": 42, "font.size": 9, "axes.titlesize": 9}
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}


def write_chart(path: Path, chart: Chart) -> Path:
    """Write a chart; the ending says the format.

    Raises:
        MissingExtraError: matplotlib is not installed.
        FileProblemError: the disk refuses.
    """
    return write_figure(path, partial(_draw, chart))


def write_figure(path: Path, draw: Callable[[Any], None]) -> Path:
    """Write what a function draws on a matplotlib figure; see :func:`write_chart`."""
    with needing("matplotlib", "plot", "plotting"):
        matplotlib = import_module("matplotlib")
        figures = import_module("matplotlib.figure")
    form = path.suffix.removeprefix(".")
    with matplotlib.rc_context(_SETTINGS):
        figure = figures.Figure(figsize=(5.2, 3.6), layout="constrained")
        draw(figure)
        buffer = io.BytesIO()
        figure.savefig(buffer, format=form, dpi=200, metadata=_METADATA[form])
    write_bytes(path, buffer.getvalue())
    return path


def _draw(chart: Chart, figure: Any) -> None:
    axes = figure.subplots()
    (_bars if chart.kind == "bars" else _lines)(axes, chart)
    axes.set_ylabel(chart.y)
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    longest = max(len(one.name) for one in chart.series)
    columns = max(1, min(4, len(chart.series), 60 // (longest + 6)))
    figure.legend(loc="outside lower center", ncols=columns, frameon=False)


def _lines(axes: Any, chart: Chart) -> None:
    for number, one in enumerate(chart.series):
        colour, dash = chart.style(number)
        points = one.kind == "points"
        axes.plot(
            [x for x, _ in one.points], [y for _, y in one.points], label=one.name,
            color=COLOURS[colour], marker="*" if points else MARKERS[colour],
            markersize=10 if points else 4, linewidth=1.3,
            linestyle="" if points else (0, tuple(x / 1.5 for x in DASHES[dash])) if dash else "-",
        )  # fmt: skip
    axes.set_xlabel(chart.x)


def _bars(axes: Any, chart: Chart) -> None:
    lanes = sum(one.kind != "outline" for one in chart.series)
    width, lane = 0.8 / lanes, -1
    for number, one in enumerate(chart.series):
        outline = one.kind == "outline"
        lane += not outline
        colour, hatch = chart.style(number)
        axes.bar(
            [x + (lane - (lanes - 1) / 2) * width for x, _ in one.points],
            [0.0 if math.isnan(y) else y for _, y in one.points],
            width, label=one.name, linewidth=0.8,
            **({"fill": False, "edgecolor": COLOURS[colour], "linestyle": "--"} if outline else
               {"color": COLOURS[colour], "hatch": HATCHES[hatch], "edgecolor": "white"}),
        )  # fmt: skip
    many = max(map(len, chart.categories)) * len(chart.categories) > 60
    axes.set_xticks(
        range(len(chart.categories)), chart.categories,
        **({"rotation": 30, "ha": "right"} if many else {}),
    )  # fmt: skip
