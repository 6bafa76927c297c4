"""Charts as files for papers, drawn by matplotlib: curves, bars, matrices, and each item.

Colours are those of Okabe and Ito (2008), which people who see few colours tell apart; lines
differ in marker and dash as well, bars in hatching.  The same chart gives the same bytes.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lexsub.errors import LexsubError, UnknownNameError, needing
from lexsub.experiments.report.breakdown import ceiling_chart, pos_chart
from lexsub.experiments.report.charts import DASHES, Chart, Series
from lexsub.experiments.report.curves import by_cut, coverage_charts
from lexsub.experiments.report.item_scores import (
    ITEM_MEASURES,
    AgreementMatrix,
    ItemScores,
    agreement,
)
from lexsub.experiments.results.boundaries import Curve, StrategyRow, chosen_strategy
from lexsub.storage.files import write_bytes, write_text
from lexsub.tables.writers import lines

_COLOURS = (
    "#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 "
    "#000000 #999999 #332288 #882255 #999933 #B400FF"
)
COLOURS = _COLOURS.split()
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
            [x for x, _ in one.points],
            [y for _, y in one.points],
            label=one.name,
            color=COLOURS[colour],
            marker="*" if points else MARKERS[colour],
            markersize=10 if points else 4,
            linewidth=1.3,
            linestyle="" if points else (0, tuple(x / 1.5 for x in DASHES[dash])) if dash else "-",
        )
    axes.set_xlabel(chart.x)


def _bars(axes: Any, chart: Chart) -> None:
    lanes = sum(one.kind != "outline" for one in chart.series)
    width, lane = 0.8 / lanes, -1
    for number, one in enumerate(chart.series):
        outline = one.kind == "outline"
        lane += not outline
        colour, hatch = chart.style(number)
        empty = {"fill": False, "edgecolor": COLOURS[colour], "linestyle": "--"}
        full = {"color": COLOURS[colour], "hatch": HATCHES[hatch], "edgecolor": "white"}
        axes.bar(
            [x + (lane - (lanes - 1) / 2) * width for x, _ in one.points],
            [0.0 if math.isnan(y) else y for _, y in one.points],
            width,
            label=one.name,
            linewidth=0.8,
            **(empty if outline else full),
        )
    many = max(map(len, chart.categories)) * len(chart.categories) > 60
    turned = {"rotation": 30, "ha": "right"} if many else {}
    axes.set_xticks(range(len(chart.categories)), chart.categories, **turned)


Kind = Literal["boundary", "compare", "pos", "ceiling", "agreement"]


class NothingToPlotError(LexsubError):
    """A run does not have what plots of a kind show."""


def plot(
    item_scores: ItemScores,
    kind: Kind,
    folder: Path,
    form: str,
    systems: Sequence[str],
    measure: str,
) -> list[Path]:
    """Write the plots of a kind and their data.

    Args:
        item_scores: the systems, judged item by item.
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
        NothingToPlotError: the run does not have what these plots show.
        LexsubError: not two systems to compare.
    """
    written = []
    for name, write, data in _plots(item_scores, kind, systems, measure):
        write_text(folder / f"{name}.csv", data)
        written += [write(folder / f"{name}.{form}"), folder / f"{name}.csv"]
    if not written:
        what = "candidates are known" if kind == "ceiling" else "answers are there"
        raise NothingToPlotError(f"{kind}: the run has too few systems whose {what}")
    return written


def plot_curves(folder: Path, curves: Sequence[Curve], rows: Sequence[StrategyRow]) -> list[Path]:
    """Write F against n and precision against recall, each as SVG and PNG.

    The best strategy of each system that gains something stands as a point in both.

    Raises:
        MissingExtraError: matplotlib is not installed.
        FileProblemError: the disk refuses.
    """
    found = [(curve.system, "", curve.f, curve.recall, curve.precision) for curve in curves]
    by_n: list[Series] = []
    pr: list[Series] = []
    for number, curve in enumerate(curves):
        best = chosen_strategy([row for row in rows if row.system == curve.system])
        if best is not None and best.difference > 0:
            name = f"{curve.system}: {best.strategy}"
            by_n.append(Series(name, "", ((best.mean_n, best.f),), number, "points"))
            pr.append(Series(name, "", ((best.recall, best.precision),), number, "points"))
    charts, forms = by_cut(found, by_n, pr), ("svg", "png")
    return [write_chart(folder / f"{one.key}.{form}", one) for one in charts for form in forms]


def _plots(
    item_scores: ItemScores, kind: Kind, systems: Sequence[str], measure: str
) -> Iterator[tuple[str, Callable[[Path], Path], str]]:
    """Yield name, writing function and CSV of each plot."""
    if kind == "compare":
        first, second = _pair(item_scores, systems)
        draw = partial(_scatter, item_scores, first, second, measure)
        name = f"compare-{first}-{second}".replace("/", "-")
        yield name, partial(write_figure, draw=draw), _items(item_scores, first, second, measure)
    elif kind == "agreement":
        for matrix in agreement(item_scores):
            yield matrix.key, partial(write_figure, draw=partial(_heat, matrix)), _matrix(matrix)
    else:
        made = {"pos": pos_chart, "ceiling": ceiling_chart}
        charts = coverage_charts(item_scores) if kind == "boundary" else [made[kind](item_scores)]
        for chart in filter(None, charts):
            yield chart.key, partial(write_chart, chart=chart), chart.as_csv()


def _pair(item_scores: ItemScores, systems: Sequence[str]) -> tuple[str, str]:
    for name in systems:
        if name not in item_scores.names:
            raise UnknownNameError("system of the run", name, item_scores.names)
    if not systems and len(item_scores.names) < 2:
        raise NothingToPlotError("compare: the run has one system alone")
    chosen = tuple(systems) or item_scores.names[:2]
    if len(chosen) != 2:
        raise LexsubError(f"{len(chosen)} systems to compare; expected two (--system, twice)")
    return chosen[0], chosen[1]


def _figures(item_scores: ItemScores, first: str, second: str, measure: str) -> Any:
    if measure not in ITEM_MEASURES:
        raise UnknownNameError("measure of items", measure, ITEM_MEASURES)
    values = item_scores.values[measure]
    return np.stack([values[item_scores.names.index(name)] for name in (first, second)])


def _scatter(item_scores: ItemScores, first: str, second: str, measure: str, figure: Any) -> None:
    values = _figures(item_scores, first, second, measure)
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


def _items(item_scores: ItemScores, first: str, second: str, measure: str) -> str:
    values = _figures(item_scores, first, second, measure)
    rows = [
        [item.id, str(item.lexelt), *(f"{x:.6f}" for x in pair)]
        for item, pair in zip(item_scores.reported.data.items, values.T.tolist(), strict=True)
        if not any(map(math.isnan, pair))
    ]
    return lines([["id", "target", f"{measure} of {first}", f"{measure} of {second}"], *rows])


def _heat(matrix: AgreementMatrix, figure: Any) -> None:
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


def _matrix(matrix: AgreementMatrix) -> str:
    rows = [
        [name, *("" if math.isnan(x) else f"{x:.4f}" for x in row)]
        for name, row in zip(matrix.names, matrix.values.tolist(), strict=True)
    ]
    return lines([["system", *matrix.names], *rows])
