"""``lexsub boundary``: where in a ranking the good answers end, strategy by strategy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from lexsub.cli.common import DATA, SYSTEMS, Here, format_option, print_json
from lexsub.tables import Entry, Number, Table
from lexsub.tables.terminal import show
from lexsub.tables.writers import records_as_tsv

if TYPE_CHECKING:
    from lexsub.experiments.results.boundaries import Curve, RunRankings, StrategyRow


@click.command(short_help="Compare boundary strategies over a run's rankings.")
@click.argument("run", type=Here(file_okay=False))
@SYSTEMS
@click.option(
    "--tune",
    type=click.Choice(["split", "cross-validation"]),
    default="split",
    help="Learn on the run's tuning split, or on its other targets.",
)
@click.option(
    "--folds",
    default=10,
    type=click.IntRange(2),
    help="Parts of the cross-validation; whole targets are dealt out.",
)
@click.option(
    "--penalty",
    default=1.0,
    type=click.FloatRange(0),
    help="Weight k of a wrong answer in precision.",
)
@click.option("--resamples", default=10_000, help="Of intervals and tests.")
@click.option("--seed", default=0, help="Of the deal and the draws.")
@click.option(
    "--plots",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write F by n and precision by recall as SVG and PNG.",
)
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
    from lexsub.experiments.results.boundaries import choose, compare_strategies, curves, read_run
    from lexsub.experiments.results.run_folder import folders_of

    read = read_run(run, folders_of([run], data))
    split = tune == "split" and read.tuning_gold is not None
    without = [name for name in read.rankings if split and name not in read.tuning]
    names = systems or tuple(name for name in read.rankings if name not in without)
    if without and not systems:
        print(
            f"lexsub: left out, having no rankings of the tuning split: {', '.join(without)} "
            "(--tune cross-validation takes all)",
            file=sys.stderr,
        )
    found = curves(read, names, penalty)
    rows = compare_strategies(
        read, names, mode=tune, folds=folds, resamples=resamples, penalty=penalty, seed=seed
    )
    if plots is not None:
        from lexsub.experiments.report.plots import plot_curves

        for path in plot_curves(plots, found, rows):
            print(path, file=sys.stderr)
    if output == "json":
        document = {"curves": [asdict(c) for c in found], "strategies": [asdict(r) for r in rows]}
        print_json(document)
    elif output == "tsv":
        records = [{k: _plain(v) for k, v in asdict(row).items()} for row in rows]
        sys.stdout.write(records_as_tsv(records))
    else:
        choose_by = partial(choose, folds=folds, resamples=resamples, penalty=penalty, seed=seed)
        _tables(read, found, rows, tune, penalty, choose_by)


def _plain(value: object) -> object:
    return f"{value:.6f}" if isinstance(value, float) else value


def _tables(
    read: RunRankings,
    found: list[Curve],
    rows: list[StrategyRow],
    tune: str,
    penalty: float,
    choose: Callable[[RunRankings, str, list[StrategyRow]], tuple[str, str]],
) -> None:
    from lexsub.experiments.results.boundaries import FIXED, as_config, recipes, tuning_line

    lines: list[tuple[Entry, ...]] = []
    for curve in found:
        for label, values in (("P", curve.precision), ("R", curve.recall), ("F", curve.f)):
            last = Number(100 * curve.optimal_f, digits=1) if label == "F" else None
            cells = (Number(100 * value, digits=1) for value in values)
            lines.append((f"{curve.system} {label}", *cells, last))
    columns = ("", *(str(n) for n in range(1, 11)), "optimal")
    shown = [Table(f"Coverage by n, percent, {read.gold.name}", columns, lines)]
    for system in dict.fromkeys(row.system for row in rows):
        own = [row for row in rows if row.system == system]
        best, by = choose(read, system, own)
        lines = [
            (
                row.strategy + (" *" if row.strategy == best else ""),
                Number(row.mean_n, digits=1),
                Number(100 * row.f, digits=1, best=row.strategy == best),
                Number(
                    100 * row.difference,
                    100 * row.difference_low,
                    100 * row.difference_high,
                    2,
                    "difference",
                ),
                Number(row.p, digits=4, kind="p"),
                Number(row.gap_closed, digits=1),
            )
            for row in own
        ]
        columns = ("strategy", "n", "F", "gain [95 %]", "p", "closed %")
        recipe = recipes(system, read.alike(system))[best]
        why = "no strategy is reliably better than" if best == FIXED else "reliably better than"
        notes = (
            f"* the one to take, by {by}: {why} the best fixed n (p < .05 after Holm's "
            "correction).",
            f"In the config of {system}: {as_config(recipe, penalty)}{tuning_line(read)}",
        )
        title = f"{system}: strategies, F in percent, tuned by {tune}"
        shown.append(Table(title, columns, lines, notes))
    show(shown)
