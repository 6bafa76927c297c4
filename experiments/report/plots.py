"""Plots as files for papers, the data beside them as CSV.

Colours are those of Okabe and Ito (2008), which people who see few colours tell apart; lines
differ in marker and dash as well, bars in hatching.  The same run gives the same bytes.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np

from experiments.report.breakdown import ceiling_chart, pos_chart
from experiments.report.charts import Chart
from experiments.report.comparing import Matrix, agreement
from experiments.report.curves import coverage_charts
from experiments.report.judged import ITEM_MEASURES, Judged
from lexsub.errors import LexsubError, MissingExtraError, UnknownNameError
from lexsub.files import write_bytes, write_text

Kind = Literal["boundary", "compare", "pos", "ceiling", "agreement"]
KINDS: tuple[Kind, ...] = ("boundary", "compare", "pos", "ceiling", "agreement")
FORMATS = ("svg", "pdf", "png")

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
DASHES = ("-", "--", ":", "-.")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES = ("", "//", "..", "xx", "\\\\", "++", "--", "oo")

SETTINGS = {"svg.hashsalt": "lexsub", "pdf.fonttype": 42, "font.size": 9, "axes.titlesize": 9}
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}


def plot(
    judged: Judged, kind: Kind, folder: Path, form: str, systems: Sequence[str], measure: str
) -> list[Path]:
    """Write the plots of a kind and their data.

    Args:
        judged: the systems, judged item by item.
        kind: what to plot.
        folder: where the files go.
        form: svg, pdf or png.
        systems: for ``compare`` the two systems; none for the first two.
        measure: for ``compare`` the figure of each item.

    Returns:
        The files written: each plot, and behind it its data.

    Raises:
        MissingExtraError: matplotlib is not installed.
        UnknownNameError: no such system.
        LexsubError: the run has nothing to plot.
    """
    try:
        matplotlib = import_module("matplotlib")
        figures = import_module("matplotlib.figure")
    except ImportError:
        raise MissingExtraError("matplotlib", "plot", "lexsub plot") from None
    written = []
    with matplotlib.rc_context(SETTINGS):
        for name, draw, data in _plots(judged, kind, systems, measure):
            figure = figures.Figure(figsize=(5.2, 3.6), layout="constrained")
            draw(figure)
            buffer = io.BytesIO()
            figure.savefig(buffer, format=form, dpi=200, metadata=METADATA[form])
            write_bytes(folder / f"{name}.{form}", buffer.getvalue())
            write_text(folder / f"{name}.csv", data)
            written += [folder / f"{name}.{form}", folder / f"{name}.csv"]
    if not written:
        raise LexsubError(f"{kind}: the run has too few systems whose answers are there")
    return written


def _plots(
    judged: Judged, kind: Kind, systems: Sequence[str], measure: str
) -> Iterator[tuple[str, Callable[[Any], None], str]]:
    """Yield name, drawing function and CSV of each plot."""
    if kind == "compare":
        first, second = _pair(judged, systems)
        yield (
            f"compare-{first}-{second}".replace("/", "-"),
            partial(_scatter, judged, first, second, measure),
            _items(judged, first, second, measure),
        )
    elif kind == "agreement":
        for matrix in agreement(judged):
            yield matrix.key, partial(_heat, matrix), _matrix(matrix)
    else:
        made: list[Chart | None] = []
        if kind == "boundary":
            made += coverage_charts(judged)
        else:
            made.append(pos_chart(judged) if kind == "pos" else ceiling_chart(judged))
        for chart in filter(None, made):
            yield chart.key, partial(_chart, chart), chart.as_csv()


def _chart(chart: Chart, figure: Any) -> None:
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
        axes.plot(
            [x for x, _ in one.points], [y for _, y in one.points], label=one.name, markersize=4,
            color=COLOURS[number % len(COLOURS)], marker=MARKERS[number % len(MARKERS)],
            linestyle=DASHES[number % len(DASHES)], linewidth=1.3,
        )  # fmt: skip
    axes.set_xlabel(chart.x)


def _bars(axes: Any, chart: Chart) -> None:
    width = 0.8 / len(chart.series)
    for number, one in enumerate(chart.series):
        places = [x + (number - (len(chart.series) - 1) / 2) * width for x, _ in one.points]
        axes.bar(
            places, [0.0 if math.isnan(y) else y for _, y in one.points], width, label=one.name,
            color=COLOURS[number % len(COLOURS)], hatch=HATCHES[number % len(HATCHES)],
            edgecolor="white", linewidth=0.5,
        )  # fmt: skip
    many = max(map(len, chart.categories)) * len(chart.categories) > 60
    axes.set_xticks(
        range(len(chart.categories)), chart.categories,
        **({"rotation": 30, "ha": "right"} if many else {}),
    )  # fmt: skip


def _pair(judged: Judged, systems: Sequence[str]) -> tuple[str, str]:
    for name in systems:
        if name not in judged.names:
            raise UnknownNameError("system of the run", name, judged.names)
    chosen = tuple(systems) or judged.names[:2]
    if len(chosen) != 2:
        raise LexsubError(f"{len(chosen)} systems to compare; expected two (--system, twice)")
    return chosen[0], chosen[1]


def _figures(judged: Judged, first: str, second: str, measure: str) -> Any:
    if measure not in ITEM_MEASURES:
        raise UnknownNameError("measure of items", measure, ITEM_MEASURES)
    values = judged.values[measure]
    return np.stack([values[judged.names.index(name)] for name in (first, second)])


def _scatter(judged: Judged, first: str, second: str, measure: str, figure: Any) -> None:
    values = _figures(judged, first, second, measure)
    known = values[:, ~np.isnan(values).any(axis=0)]
    points, counts = np.unique(known.round(3), axis=1, return_counts=True)
    figure.set_size_inches(4.2, 4.2)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle="--")
    sizes = np.maximum(3, 400 * counts / max(counts.max(initial=0), 1))
    axes.scatter(*points, s=sizes, color=COLOURS[0], alpha=0.55, linewidths=0, clip_on=False)
    axes.set_xlabel(f"{measure} of {first}")
    axes.set_ylabel(f"{measure} of {second}")
    axes.set_aspect("equal")
    axes.spines[["top", "right"]].set_visible(False)


def _items(judged: Judged, first: str, second: str, measure: str) -> str:
    values = _figures(judged, first, second, measure)
    rows = [
        [item.id, str(item.lexelt), *(f"{x:.6f}" for x in pair)]
        for item, pair in zip(judged.material.data.items, values.T.tolist(), strict=True)
        if not any(map(math.isnan, pair))
    ]
    return _csv([["id", "target", f"{measure} of {first}", f"{measure} of {second}"], *rows])


def _heat(matrix: Matrix, figure: Any) -> None:
    size = len(matrix.names)
    figure.set_size_inches(1.8 + 0.5 * size, 1.5 + 0.45 * size)
    axes = figure.subplots()
    axes.imshow(matrix.values, cmap="cividis", vmin=0, vmax=100)
    axes.set_xticks(range(size), matrix.names, rotation=45, ha="right")
    axes.set_yticks(range(size), matrix.names)
    axes.set_title(matrix.title)
    for (i, j), value in np.ndenumerate(matrix.values):
        if not math.isnan(value):
            ink = "black" if value > 50 else "white"
            axes.text(j, i, f"{value:.0f}", ha="center", va="center", color=ink)


def _matrix(matrix: Matrix) -> str:
    rows = [
        [name, *("" if math.isnan(x) else f"{x:.4f}" for x in row)]
        for name, row in zip(matrix.names, matrix.values.tolist(), strict=True)
    ]
    return _csv([["system", *matrix.names], *rows])


def _csv(rows: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
