"""``lexsub report``: what runs did, as one page to look at."""

from __future__ import annotations

from pathlib import Path

import click

from lexsub.cli.common import DATA, JSON, print_json


@click.command(short_help="Show what runs did: scores, curves, comparisons, every item.")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True,
                type=click.Path(path_type=Path, file_okay=False))  # fmt: skip
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="File to write.  [default: RUN/report.html; report.html for several]",
)
@DATA
@JSON
def command(runs: tuple[Path, ...], out: Path | None, data: Path | None, as_json: bool) -> None:
    """Write the report of one or more finished runs on the same data as one HTML file.

    It holds everything it shows and opens from disk: what was run, score tables with intervals
    and tests, ceilings, curves, comparisons of any two systems, breakdowns, and a browser of all
    items.  (lexsub run writes that of its own run by itself.)
    """
    from lexsub.experiments.report import write_report
    from lexsub.resources import data_folders

    path = out or (runs[0] / "report.html" if len(runs) == 1 else Path("report.html"))
    write_report(runs, path, data_folders(data))
    if as_json:
        print_json({"report": path, "bytes": path.stat().st_size})
    else:
        click.echo(path)
