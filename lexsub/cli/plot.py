"""``lexsub plot``: plots of a run as files for papers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lexsub.cli.common import DATA, JSON, Here, tell

KINDS = ("boundary", "compare", "pos", "ceiling", "agreement")


@click.command(short_help="Plot a run's curves and comparisons as files for papers.")
@click.argument("run", type=Here(file_okay=False))
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(KINDS),
    multiple=True,
    help="What to plot, several times if need be.  [default: all]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["svg", "pdf", "png"]),
    default="svg",
    help="Of the plots.",
)
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="For compare: the two systems.  [default: the run's first two]",
)
@click.option(
    "--measure", default="oot-R", help="For compare: oot-R, best-R, coverage-F@10 or GAP."
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder to write to.  [default: RUN/plots]",
)
@DATA
@JSON
def command(
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
    how alike the systems answer.  Colours can be told apart by everybody; the same run gives the
    same bytes.
    """
    from lexsub.experiments.report.item_scores import ItemScores
    from lexsub.experiments.report.plots import NothingToPlotError, plot
    from lexsub.experiments.report.runs import read_runs
    from lexsub.experiments.results.run_folder import folders_of

    item_scores = ItemScores.of(read_runs([run], folders_of([run], data)))
    written: list[Path] = []
    lacking: list[NothingToPlotError] = []
    for kind in kinds or KINDS:
        try:
            written += plot(item_scores, kind, out or run / "plots", form, systems, measure)
        except NothingToPlotError as error:
            lacking.append(error)
    # Who asks for all gets what there is.
    if lacking and (kinds or not written):
        raise lacking[0]
    for one in lacking:
        click.echo(f"lexsub: {one}", err=True)
    tell({"written": written}, "\n".join(map(str, written)), as_json)
