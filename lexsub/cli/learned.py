"""``lexsub learned``: what a learned ranker owes to its features, sources and training data."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from lexsub.cli.common import DATA, JSON, RESOURCES, WORKERS, quiet_option
from lexsub.errors import LexsubError
from lexsub.resources import Resources
from lexsub.storage.files import read_text
from lexsub.storage.user_folders import data_folders

OUT = click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the run.  [default: runs/NAME]",
)
QUIET = quiet_option("Print the tables only.")


@click.group()
def command() -> None:
    """Measure what a learned ranker owes to its parts."""


@command.command()
@click.argument("config")
@click.option(
    "--by",
    type=click.Choice(["families", "sources"]),
    default="families",
    help="What to leave out.",
)
@DATA
@OUT
@RESOURCES
@WORKERS
@JSON
@QUIET
def ablation(config: str, by: str, **options: Any) -> None:
    """Leave each part of CONFIG's learned ranker out in turn, with intervals and paired tests."""
    from lexsub.experiments.config.derived import without_families, without_sources

    derive = {"families": without_families, "sources": without_sources}[by]
    _run(config, derive, **options)


@command.command()
@click.argument("config")
@click.option(
    "--targets",
    default="10,20,40,80,120",
    metavar="N,N…",
    help="Numbers of training targets to try beside all of them.",
)
@DATA
@OUT
@RESOURCES
@WORKERS
@JSON
@QUIET
def curve(config: str, targets: str, **options: Any) -> None:
    """Train CONFIG's learned ranker on fewer targets: the learning curve."""
    from lexsub.experiments.config.derived import by_targets

    try:
        numbers = [int(piece) for piece in targets.split(",")]
        if min(numbers) < 1:
            raise ValueError
    except ValueError as error:
        raise LexsubError(
            f"--targets is {targets!r}; expected numbers of at least 1 with commas between"
        ) from error
    _run(config, lambda table: by_targets(table, numbers), **options)


def _run(
    config: str,
    derive: Any,
    data: Path | None,
    out: Path | None,
    places: dict[str, Path],
    workers: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    from lexsub.experiments.config.checking import make_experiment
    from lexsub.experiments.config.reading import find_config, read_table
    from lexsub.experiments.pipeline.runner import run_experiment

    path = find_config(config)
    experiment = make_experiment(derive(read_table(path)), path.parent).with_run(workers, None)
    folder = out or Path("runs") / experiment.table.name
    report = None if quiet else partial(click.echo, err=True)
    resources = Resources(data=data_folders(data), paths=places)
    result = run_experiment(experiment, folder, resources, report=report)
    click.echo(read_text(folder / "scores.json") if as_json else result.tables, nl=not as_json)
