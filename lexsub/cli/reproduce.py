"""``lexsub reproduce``: the tables of the papers, rebuilt beside the published figures."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from lexsub.cli.common import (
    COUNT,
    JSON,
    out_option,
    print_json,
    quiet_option,
    resource_options,
    tell,
)
from lexsub.errors import LexsubError
from lexsub.resources import Resources
from lexsub.tables.writers import to_markdown


@click.command()
@click.argument("table", required=False)
@click.option("--all", "whole", is_flag=True, help="Rebuild every table and write a page.")
@out_option("Markdown page of --all, HTML beside it.  [default: reproduced.md]", "FILE")
@click.option(
    "--date",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="What --all dates its page with.  [default: today]",
)
@click.option(
    "--without",
    multiple=True,
    metavar="NAME",
    help="Leave a table or an experiment off the page of --all.",
)
@resource_options
@click.option("--workers", type=COUNT, default=1, help="Processes.")
@click.option(
    "--runs",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the runs behind the tables.  [default: runs]",
)
@quiet_option("Say nothing on the way.")
@JSON
def command(
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
    from lexsub.experiments.papers.reproduce.bench import Bench
    from lexsub.experiments.papers.reproduce.page import make_page, reproduce, statuses, write_page

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
        tell({"pages": pages}, "\n".join(map(str, pages)), as_json)
    elif table:
        made = reproduce(table, bench)
        if as_json:
            print_json(made.as_json())
        else:
            click.echo(to_markdown(made))
    else:
        rows = [
            {
                "table": one.table.name,
                "reproducible": not one.needs,
                "needs": one.needs,
                "title": one.table.title,
            }
            for one in statuses(bench)
        ]
        if as_json:
            print_json(rows)
            return
        for row in rows:
            state = f"needs: {row['needs']}" if row["needs"] else "reproducible here"
            click.echo(f"{row['table']}\t{state}\t{row['title']}")
