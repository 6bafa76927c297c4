"""``lexsub run``, ``learned`` and ``reproduce``: experiments, and the tables of papers."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from lexsub.cli import common as cli
from lexsub.errors import LexsubError
from lexsub.printable import printable, spelled
from lexsub.progress import under_way
from lexsub.resources import Resources
from lexsub.storage.files import read_text
from lexsub.tables.terminal import show
from lexsub.tables.writers import to_markdown

OUT = cli.out_option("Folder of the run, or its address.  [default: runs/NAME]")
QUIET = cli.quiet_option("Print the tables only.")


@click.command()
@click.argument("config")
@OUT
@cli.resource_options
@cli.option("--force", "Recompute every stage.")
@cli.WORKERS
@cli.option("--backend NAME", "joblib backend, in place of the config's.")
@cli.option("--allow-oracle", "Write submissions of systems that look at the gold.")
@cli.option("--page/--no-page", "Make report.html and the score parts it shows.", True)
@cli.VERBOSE
@QUIET
@cli.JSON
def command(
    config: str,
    out: Path | None,
    resources: Resources,
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
    with nullcontext(echo) if verbose else under_way(experiment.table.name) as report:
        result = run_experiment(
            experiment,
            folder,
            resources,
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


@click.group()
def learned() -> None:
    """Measure what a learned ranker owes to its parts."""


@learned.command()
@click.argument("config")
@cli.option("--by [families|sources]", "What to leave out.", "families")
@OUT
@cli.resource_options
@cli.WORKERS
@cli.JSON
@QUIET
def ablation(config: str, by: str, **options: Any) -> None:
    """Leave each part of CONFIG's learned ranker out in turn, with intervals and paired tests."""
    from lexsub.experiments.config.derived import without_families, without_sources

    derive = {"families": without_families, "sources": without_sources}[by]
    _run(config, derive, **options)


@learned.command()
@click.argument("config")
@cli.option(
    "--targets N,N…", "Numbers of training targets to try beside all of them.", "10,20,40,80,120"
)
@OUT
@cli.resource_options
@cli.WORKERS
@cli.JSON
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
    out: Path | None,
    resources: Resources,
    workers: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    from lexsub.experiments.config.reading import find_config, make_experiment, read_table
    from lexsub.experiments.pipeline.runner import run_experiment

    path = find_config(config)
    experiment = make_experiment(derive(read_table(path)), path.parent).with_run(workers, None)
    folder = out or Path("runs") / experiment.table.name
    report = None if quiet else partial(click.echo, err=True)
    result = run_experiment(experiment, folder, resources, report=report)
    click.echo(read_text(folder / "scores.json") if as_json else result.tables, nl=not as_json)


@click.command()
@click.argument("table", required=False)
@cli.option("--all", "Rebuild every table and write a page.", into="whole")
@cli.out_option("Markdown page of --all, HTML beside it.  [default: reproduced.md]", "FILE")
@cli.option(
    "--date YYYY-MM-DD",
    "What --all dates its page with.  [default: today]",
    into="day",
    type=click.DateTime(["%Y-%m-%d"]),
)
@cli.option("--without NAME...", "Leave a table or an experiment off the page of --all.")
@cli.resource_options
@cli.option("--workers", "Processes.", 1, type=cli.COUNT)
@cli.option(
    "--runs DIR", "Folder of the runs behind the tables.  [default: runs]", type=cli.NO_FILE
)
@cli.quiet_option("Say nothing on the way.")
@cli.JSON
def reproduce(
    table: str | None,
    whole: bool,
    out: Path | None,
    day: datetime | None,
    without: tuple[str, ...],
    resources: Resources,
    workers: int,
    runs: Path | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """List the published tables and whether they can be rebuilt here; rebuild TABLE, or all.

    TABLE is a name of the list, as jabbari2010/table3. What a table needs is run first, unless
    the cache has it. The list is TSV: table, status, what it shows. The page of --all has the
    tables of the ready experiments as well, and measurements recorded earlier.
    """
    from lexsub.experiments.config.published import published_tables
    from lexsub.experiments.papers.reproduce.bench import Bench
    from lexsub.experiments.papers.reproduce.page import make_page, missing, write_page
    from lexsub.experiments.papers.reproduce.page import reproduce as rebuild

    if table and whole:
        raise LexsubError(f"--all rebuilds every table; leave {table!r} out, or --all")
    if (out or day or without) and not whole:
        raise LexsubError("--out, --date and --without are for the page of --all; give it as well")
    bench = Bench(
        replace(resources, workers=workers),
        runs or Path("runs"),
        (lambda _: None) if quiet else partial(click.echo, err=True),
    )
    if whole:
        text = make_page(bench, (day or datetime.now(UTC)).date(), without)
        pages = write_page(out or Path("reproduced.md"), text)
        cli.tell({"pages": pages}, "\n".join(map(str, pages)), as_json)
    elif table:
        made = rebuild(table, bench)
        cli.tell(made.as_json(), to_markdown(made), as_json)
    else:
        rows, lines = [], []
        for name, published in published_tables().items():
            needs, title = missing(published, bench), published.title
            rows.append({"table": name, "reproducible": not needs, "needs": needs, "title": title})
            state = f"needs: {needs}" if needs else "reproducible here"
            lines.append(f"{name}\t{state}\t{title}")
        cli.tell(rows, "\n".join(lines), as_json)
