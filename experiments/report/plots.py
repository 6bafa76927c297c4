"""The plots of a run as files for papers, the data beside them as CSV."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lexsub.errors import LexsubError, UnknownNameError
from lexsub.experiments.report.breakdown import ceiling_chart, pos_chart
from lexsub.experiments.report.charts import Series
from lexsub.experiments.report.comparing import Matrix, agreement
from lexsub.experiments.report.curves import by_cut, coverage_charts
from lexsub.experiments.report.judged import ITEM_MEASURES, Judged
from lexsub.experiments.report.papers import COLOURS, write_chart, write_figure
from lexsub.experiments.results.boundaries import Curve, Row, chosen_strategy
from lexsub.storage.files import write_text
from lexsub.tables.writers import lines

Kind = Literal["boundary", "compare", "pos", "ceiling", "agreement"]


class NothingToPlotError(LexsubError):
    """A run does not have what plots of a kind show."""


KINDS: tuple[Kind, ...] = ("boundary", "compare", "pos", "ceiling", "agreement")


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
        NothingToPlotError: the run does not have what these plots show.
        LexsubError: not two systems to compare.
    """
    written = []
    for name, write, data in _plots(judged, kind, systems, measure):
        write_text(folder / f"{name}.csv", data)
        written += [write(folder / f"{name}.{form}"), folder / f"{name}.csv"]
    if not written:
        what = "candidates are known" if kind == "ceiling" else "answers are there"
        raise NothingToPlotError(f"{kind}: the run has too few systems whose {what}")
    return written


def plot_curves(folder: Path, curves: Sequence[Curve], rows: Sequence[Row]) -> list[Path]:
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
    charts = by_cut(found, by_n, pr)
    return [
        write_chart(folder / f"{chart.key}.{form}", chart)
        for chart in charts
        for form in ("svg", "png")
    ]


def _plots(
    judged: Judged, kind: Kind, systems: Sequence[str], measure: str
) -> Iterator[tuple[str, Callable[[Path], Path], str]]:
    """Yield name, writing function and CSV of each plot."""
    if kind == "compare":
        first, second = _pair(judged, systems)
        draw = partial(_scatter, judged, first, second, measure)
        name = f"compare-{first}-{second}".replace("/", "-")
        yield name, partial(write_figure, draw=draw), _items(judged, first, second, measure)
    elif kind == "agreement":
        for matrix in agreement(judged):
            yield matrix.key, partial(write_figure, draw=partial(_heat, matrix)), _matrix(matrix)
    else:
        made = {"pos": pos_chart, "ceiling": ceiling_chart}
        charts = coverage_charts(judged) if kind == "boundary" else [made[kind](judged)]
        for chart in filter(None, charts):
            yield chart.key, partial(write_chart, chart=chart), chart.as_csv()


def _pair(judged: Judged, systems: Sequence[str]) -> tuple[str, str]:
    for name in systems:
        if name not in judged.names:
            raise UnknownNameError("system of the run", name, judged.names)
    if not systems and len(judged.names) < 2:
        raise NothingToPlotError("compare: the run has one system alone")
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
    return lines([["id", "target", f"{measure} of {first}", f"{measure} of {second}"], *rows])


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
    return lines([["system", *matrix.names], *rows])
