"""``lexsub run``: an experiment from its config file."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click

from lexsub.cli.common import DATA, JSON, RESOURCES, WORKERS, quiet_option
from lexsub.printable import printable, spelled
from lexsub.progress import narrated
from lexsub.resources import Resources
from lexsub.storage.files import read_text
from lexsub.storage.user_folders import data_folders
from lexsub.tables.terminal import show


@click.command()
@click.argument("config")
@DATA
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the run, or its address.  [default: runs/NAME]",
)
@RESOURCES
@click.option("--force", is_flag=True, help="Recompute every stage.")
@WORKERS
@click.option("--backend", metavar="NAME", help="joblib backend, in place of the config's.")
@click.option(
    "--allow-oracle", is_flag=True, help="Write submissions of systems that look at the gold."
)
@click.option(
    "--page/--no-page", default=True, help="Make report.html and the score parts it shows."
)
@click.option("--verbose", is_flag=True, help="Print a line for each finished stage.")
@quiet_option("Print the tables only.")
@JSON
def command(
    config: str,
    data: Path | None,
    out: Path | None,
    places: dict[str, Path],
    force: bool,
    workers: int | None,
    backend: str | None,
    allow_oracle: bool,
    page: bool,
    verbose: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Run the experiment CONFIG: a TOML file, or the name of a ready one (quickstart).

    Writes the resolved config, a manifest, rankings, submissions, scores, tables and a report to
    look at into the run's folder, and prints the tables.  Finished stages are kept in the cache
    and reused while their inputs stay the same.
    """
    from lexsub.experiments.config.reading import find_config, read_experiment
    from lexsub.experiments.pipeline.runner import run_experiment
    from lexsub.experiments.report import write_report

    experiment = read_experiment(find_config(config)).with_run(workers, backend)
    folder = out or Path("runs") / experiment.table.name
    echo = partial(click.echo, err=True)
    # Printed after the progress bar has gone: it would be drawn over them.
    notices: list[str] = []
    with nullcontext(echo) if verbose else narrated(experiment.table.name) as report:
        result = run_experiment(
            experiment,
            folder,
            Resources(data=data_folders(data), paths=places),
            force=force,
            allow_oracle=allow_oracle,
            page=write_report if page else None,
            report=None if quiet else report,
            notice=None if quiet else notices.append,
        )
    for line in notices:
        echo(line)
    if as_json:
        click.echo(read_text(folder / "scores.json"), nl=False)
        return
    gold = result.data.gold
    if gold.items or gold.multiwords:
        show(result.summary, width=80)
    else:
        echo(printable(f"{gold.name} has no gold: answers are written, and nothing is scored"))
    if not quiet:
        look = "report.html, " if page else ""
        where = f"Everything is in {spelled(folder)}: {look}tables/"
        click.echo(printable(f"{where} (normalisation {gold.normalisation})"))
