"""``lexsub boundary``: where in a ranking the good answers end, strategy by strategy."""

from __future__ import annotations

import csv
import sys
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from lexsub.cli.common import DATA, format_option, print_json

if TYPE_CHECKING:
    from experiments.results.boundaries import Curve, Row


@click.command(short_help="Compare boundary strategies over a run's rankings.")
@click.argument("run", type=click.Path(path_type=Path, file_okay=False))
@click.option("--system", "systems", multiple=True, metavar="NAME",
              help="A system of the run, several times if need be.  [default: all]")  # fmt: skip
@click.option("--tune", type=click.Choice(["split", "cross-validation"]), default="split",
              show_default=True,
              help="Learn on the run's tuning split, or on its other targets.")  # fmt: skip
@click.option("--folds", default=10, show_default=True, type=click.IntRange(2),
              help="Parts of the cross-validation; whole targets are dealt out.")  # fmt: skip
@click.option("--penalty", default=1.0, show_default=True, type=click.FloatRange(0),
              help="Weight k of a wrong answer in precision.")  # fmt: skip
@click.option("--resamples", default=10_000, show_default=True, help="Of intervals and tests.")
@click.option("--seed", default=0, show_default=True, help="Of the deal and the draws.")
@click.option("--plots", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Write F by n and precision by recall as SVG and PNG.")  # fmt: skip
@format_option("table", "tsv", "json")
@DATA
def command(
    run: Path,
    systems: tuple[str, ...],
    tune: Literal["split", "cross-validation"],
    folds: int,
    penalty: float,
    resamples: int,
    seed: int,
    plots: Path | None,
    output: str,
    data: Path | None,
) -> None:
    """Compare boundary strategies on every system of RUN, the folder of a finished run.

    Shows coverage P, R and F by n, the F of an oracle cut, and for each strategy its F with
    interval, a paired test against the best fixed n chosen on the same tuning data, and how
    much of the way from there to the oracle cut it goes.  TSV and JSON have P, R and the
    interval of F as well.
    """
    from experiments.results.boundaries import compare_strategies, curves, read_run
    from lexsub.resources import data_folders

    read = read_run(run, data_folders(data))
    names = systems or tuple(read.rankings)
    found = curves(read, names, penalty)
    rows = compare_strategies(
        read, names, mode=tune, folds=folds, resamples=resamples, penalty=penalty, seed=seed
    )
    if plots is not None:
        from experiments.report.curve_plots import plot_curves

        for path in plot_curves(plots, found, rows, read.gold.name):
            print(path, file=sys.stderr)
    if output == "json":
        document = {"curves": [asdict(c) for c in found], "strategies": [asdict(r) for r in rows]}
        print_json(document)
    elif output == "tsv":
        writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
        writer.writerow([field.name for field in fields(rows[0])])
        writer.writerows([_plain(value) for value in asdict(row).values()] for row in rows)
    else:
        _tables(found, rows, read.gold.name, tune)


def _plain(value: object) -> object:
    return f"{value:.6f}" if isinstance(value, float) else value


def _tables(found: list[Curve], rows: list[Row], data: str, tune: str) -> None:
    from lexsub.cli.tables import show, table

    shown = []
    by_n = table(f"Coverage by n, {data}", "", *(str(n) for n in range(1, 11)), "optimal")
    for curve in found:
        for label, values in (("P", curve.precision), ("R", curve.recall), ("F", curve.f)):
            last = f"{curve.optimal_f:.3f}" if label == "F" else ""
            by_n.add_row(f"{curve.system} {label}", *(f"{v:.3f}" for v in values), last)
    shown.append(by_n)
    columns = ("n", "F", "gain", "95 %", "p", "closed %")
    for system in dict.fromkeys(row.system for row in rows):
        one = table(f"{system}: strategies, tuned by {tune}", "", *columns)
        for column in one.columns:
            column.no_wrap = True
        one.pad_edge, one.collapse_padding = False, True
        for row in rows:
            if row.system == system:
                one.add_row(*_cells(row))
        shown.append(one)
    show(shown)


def _cells(row: Row) -> list[str]:
    return [
        row.strategy, f"{row.mean_n:.1f}", f"{row.f:.4f}", f"{row.difference:+.4f}",
        _range(row.difference_low, row.difference_high), f"{row.p:.4f}",
        f"{row.gap_closed:.1f}",
    ]  # fmt: skip


def _range(low: float, high: float) -> str:
    # Without the zero before the point the table fits into eighty columns.
    return f"{low:+.3f} {high:+.3f}".replace("0.", ".")
