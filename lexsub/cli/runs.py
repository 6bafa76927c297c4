"""``lexsub report``, ``explain``, ``plot`` and ``boundary``: what finished runs show."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

import click

from lexsub.cli import common as cli
from lexsub.errors import LexsubError
from lexsub.printable import printable, spelled
from lexsub.resources import Resources
from lexsub.storage.addresses import size
from lexsub.tables import Entry, Number, Table
from lexsub.tables.terminal import show
from lexsub.tables.writers import records_as_tsv

if TYPE_CHECKING:
    from lexsub.experiments.results import boundaries


@click.command(short_help="Show what runs did: scores, curves, comparisons, every item.")
@click.argument("runs", metavar="RUN|FILE...", nargs=-1, required=True, type=cli.HERE)
@cli.option(
    "--gold GOLD",
    "Of FILEs: a data set as semeval2007/test, or a gold's file.  [default: the data of the RUNs]",
)
@cli.option(
    "--normalisation [clean|official|lemma]",
    "Of FILEs: how answers are compared with the gold.  [default: as the data set "
    "has it, or the RUNs]",
)
@cli.out_option(
    "File to write.  [default: RUN/report.html; report.html for several, or FILEs]", "FILE"
)
@cli.DATA
@cli.JSON
def report(
    runs: tuple[Path, ...],
    gold: str | None,
    normalisation: str | None,
    out: Path | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Write the report of one or more finished runs on the same data as one HTML file.

    It holds everything it shows and opens from disk: what was run, score tables with intervals
    and tests, ceilings, curves, comparisons of any two systems, breakdowns, and a browser of all
    items.  (lexsub run writes that of its own run by itself.)

    In place of runs, or beside them, files of any program's answers (whatever 'lexsub score'
    takes): files of one system that differ in their last ending go together.
    """
    from lexsub.experiments.report import write_report
    from lexsub.experiments.results.run_folder import folders_of

    folders = [path for path in runs if path.is_dir()]
    files = [path for path in runs if not path.is_dir()]
    path = out or (runs[0] / "report.html" if runs == tuple(folders[:1]) else Path("report.html"))
    resources = Resources(data=folders_of(folders, data))
    with TemporaryDirectory(prefix="lexsub-report-") as temporary:
        if files:
            place = Path(temporary) / "answers"
            _run_answers(files, gold, normalisation, folders[:1], place, resources)
            folders.append(place)
        write_report(folders, path, resources.data)
    cli.tell({"report": spelled(path), "bytes": size(path)}, spelled(path), as_json)


def _run_answers(
    files: Sequence[Path],
    gold: str | None,
    normalisation: str | None,
    beside: Sequence[Path],
    place: Path,
    resources: Resources,
) -> None:
    """Score files of answers as a run whose systems they are.

    Raises:
        LexsubError: no gold is named, or a file is not as expected.
    """
    from lexsub.experiments.config.reading import make_experiment
    from lexsub.experiments.pipeline.runner import run_experiment
    from lexsub.experiments.report import write_report
    from lexsub.experiments.results.run_folder import finished_experiment, finished_scores

    if gold is None and not beside:
        raise LexsubError(
            f"{files[0]} is no folder of a run; for files of answers name what they answer: "
            "--gold semeval2007/test, or a gold's file"
        )
    systems = _named(files)
    table: dict[str, Any] = {
        "name": "answers",
        "title": " and ".join(systems) if len(systems) < 4 else f"{len(systems)} systems",
        "data": gold or finished_experiment(beside[0]).table.data,
        "systems": [{"name": name, "answers": paths} for name, paths in systems.items()],
    }
    policy = normalisation or (None if gold else finished_scores(beside[0])[0]["normalisation"])
    if policy is not None:
        table["normalisation"] = policy
    run_experiment(make_experiment(table, Path()), place, resources, page=write_report)


def _named(files: Sequence[Path]) -> dict[str, list[str]]:
    """Return the files of each system by its name, with its folder's where two are alike."""
    from lexsub.formats.outputs.catalogue import system_name

    found: dict[Path, list[str]] = {}
    for file in files:
        found.setdefault(file.parent / system_name(file), []).append(str(file))
    names = [path.name for path in found]

    def named(path: Path) -> str:
        alone = names.count(path.name) == 1
        whole = path.name if alone else f"{path.absolute().parent.name}-{path.name}"
        # A system's name becomes that of files.
        return re.sub(r"[^A-Za-z0-9._+-]+", "-", whole).strip("-._+")[:80] or "system"

    return {named(path): paths for path, paths in found.items()}


@click.command(short_help="Show an item's candidates, score parts and gold counts.")
@click.argument("run", type=cli.RUN)
@click.argument("item")
@cli.SYSTEMS
@cli.option("--top", "Candidates to show.", 15)
@cli.format_option("table", "json")
@cli.DATA
def explain(
    run: Path, item: str, systems: tuple[str, ...], top: int, output: str, data: Path | None
) -> None:
    """Explain the ranking of ITEM (its id) in RUN, the folder of a finished run.

    Each candidate with its score, what the score is made of, and how many people gave it;
    then what people gave that is no candidate.
    """
    from lexsub.experiments.report.explanations import explain as explained
    from lexsub.experiments.results.run_folder import folders_of

    found = explained(run, item, systems, folders_of([run], data))
    if output == "json":
        cli.print_json(asdict(found))
        return
    click.echo(printable(f"{found.item} {found.lexelt}: {found.sentence}"))
    gold = "; ".join(f"{s} {c:g}" for s, c in found.gold.items())
    click.echo(printable(f"gold: {gold or 'none'}"))
    click.echo(printable("gold, but no candidate: " + ("; ".join(found.missed) or "none")))
    tables = []
    for system in found.systems:
        rows = [
            (
                one.substitute,
                f"{one.score:z.3f}",
                *(f"{values[place]:z.3f}" for values in system.parts.values()),
                f"{one.gold:g}" if one.gold else "",
                " ".join(one.sources),
            )
            for place, one in enumerate(system.candidates[:top])
        ]
        columns = ("candidate", "score", *system.parts, "gold", "sources")
        tables.append(Table(system.name, columns, rows))
    show(tables)


KINDS = ("boundary", "compare", "pos", "ceiling", "agreement")


@click.command(short_help="Plot a run's curves and comparisons as files for papers.")
@click.argument("run", type=cli.RUN)
@cli.option(
    f"--kind [{'|'.join(KINDS)}]...",
    "What to plot, several times if need be.  [default: all]",
    into="kinds",
)
@cli.option("--format [svg|pdf|png]", "Of the plots.", "svg", into="form")
@cli.option(
    "--system NAME...",
    "For compare: the two systems.  [default: the run's first two]",
    into="systems",
)
@cli.option("--measure", "For compare: oot-R, best-R, coverage-F@10 or GAP.", "oot-R")
@cli.out_option("Folder to write to.  [default: RUN/plots]")
@cli.DATA
@cli.JSON
def plot(
    run: Path,
    kinds: tuple[Any, ...],
    form: str,
    systems: tuple[str, ...],
    measure: str,
    out: Path | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Write plots of RUN, the folder of a finished run, with the data beside them as CSV.

    boundary: coverage F by n, precision by recall; compare: each item under two systems; pos:
    recall by part of speech; ceiling: recall reached and what the candidates allow; agreement:
    how alike the systems answer.  Colours can be told apart with any kind of sight; the same run
    gives the same bytes.
    """
    from lexsub.experiments.report.item_scores import ItemScores
    from lexsub.experiments.report.plots import NothingToPlotError
    from lexsub.experiments.report.plots import plot as write_plots
    from lexsub.experiments.report.runs import read_runs
    from lexsub.experiments.results.run_folder import folders_of

    item_scores = ItemScores.of(read_runs([run], folders_of([run], data)))
    written: list[Path] = []
    lacking: list[NothingToPlotError] = []
    for kind in kinds or KINDS:
        try:
            written += write_plots(item_scores, kind, out or run / "plots", form, systems, measure)
        except NothingToPlotError as error:
            lacking.append(error)
    # Who asks for all gets what there is.
    if lacking and (kinds or not written):
        raise lacking[0]
    for one in lacking:
        cli.warn(str(one))
    cli.tell({"written": written}, "\n".join(map(str, written)), as_json)


@click.command(short_help="Compare boundary strategies over a run's rankings.")
@click.argument("run", type=cli.RUN)
@cli.SYSTEMS
@cli.option(
    "--tune [split|cross-validation]",
    "Learn on the run's tuning split, or on its other targets.",
    "split",
)
@cli.option(
    "--folds",
    "Parts of the cross-validation; whole targets are dealt out.",
    10,
    type=click.IntRange(2),
)
@cli.option("--penalty", "Weight k of a wrong answer in precision.", 1.0, type=click.FloatRange(0))
@cli.option("--resamples", "Of intervals and tests.", 10_000)
@cli.option("--seed", "Of the deal and the draws.", 0)
@cli.option("--plots DIR", "Write F by n and precision by recall as SVG and PNG.", type=cli.NO_FILE)
@cli.format_option("table", "tsv", "json")
@cli.DATA
def boundary(
    run: Path,
    systems: tuple[str, ...],
    tune: Literal["split", "cross-validation"],
    penalty: float,
    plots: Path | None,
    output: str,
    data: Path | None,
    **options: Any,
) -> None:
    """Compare boundary strategies on every system of RUN, the folder of a finished run.

    Shows coverage P, R and F by n, the F of an oracle cut, and for each strategy its F with
    interval, a paired test against the best fixed n chosen on the same tuning data, and how
    much of the way from there to the oracle cut it goes.  TSV and JSON have P, R and the
    interval of F as well.
    """
    from lexsub.experiments.results import boundaries
    from lexsub.experiments.results.run_folder import folders_of

    read = boundaries.read_run(run, folders_of([run], data))
    split = tune == "split" and read.tuning_gold is not None
    without = [name for name in read.rankings if split and name not in read.tuning]
    names = systems or tuple(name for name in read.rankings if name not in without)
    if without and not systems:
        cli.warn(
            f"left out, having no rankings of the tuning split: {', '.join(without)} "
            "(--tune cross-validation takes all)"
        )
    found = boundaries.curves(read, names, penalty)
    how = boundaries.Comparing(tune, penalty=penalty, **options)
    rows = boundaries.compare_strategies(read, names, how)
    if plots is not None:
        from lexsub.experiments.report.plots import plot_curves

        for path in plot_curves(plots, found, rows):
            click.echo(path, err=True)
    if output == "json":
        cli.print_json({"curves": list(map(asdict, found)), "strategies": list(map(asdict, rows))})
    elif output == "tsv":
        records = [
            {k: f"{v:.6f}" if isinstance(v, float) else v for k, v in asdict(row).items()}
            for row in rows
        ]
        sys.stdout.write(records_as_tsv(records))
    else:
        _show_boundaries(read, found, rows, how)


def _show_boundaries(
    read: boundaries.RunRankings,
    found: list[boundaries.Curve],
    rows: list[boundaries.StrategyRow],
    how: boundaries.Comparing,
) -> None:
    from lexsub.experiments.results import boundaries

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
        best, by = boundaries.choose(read, system, own, how)
        lines = []
        for row in own:
            is_best = row.strategy == best
            bounds = row.difference, row.difference_low, row.difference_high
            value, low, high = (100 * one for one in bounds)
            f = Number(100 * row.f, digits=1, best=is_best)
            tested = Number(value, low, high, 2, "difference"), Number(row.p, digits=4, kind="p")
            mean, closed = (Number(one, digits=1) for one in (row.mean_n, row.gap_closed))
            lines.append((row.strategy + " *" * is_best, mean, f, *tested, closed))
        columns = ("strategy", "n", "F", "gain [95 %]", "p", "closed %")
        recipe = boundaries.recipes(system, read.alike(system))[best]
        config = boundaries.as_config(recipe, how.penalty)
        why = ("no strategy is " * (best == boundaries.FIXED)) + "reliably better than"
        notes = (
            f"* the one to take, by {by}: {why} the best fixed n (p < .05 after Holm's "
            "correction).",
            f"In the config of {system}: {config}{boundaries.tuning_line(read)}",
        )
        title = f"{system}: strategies, F in percent, tuned by {how.mode}"
        shown.append(Table(title, columns, lines, notes))
    show(shown)
