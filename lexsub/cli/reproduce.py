"""``lexsub reproduce``: the tables of the papers, rebuilt beside the published figures."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click


@click.command()
@click.argument("table", required=False)
@click.option("--all", "whole", is_flag=True, help="Rebuild every table and write a page.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Markdown page of --all, HTML beside it.  [default: reproduced.md]")  # fmt: skip
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR",
              help="Folder of data sets (before LEXSUB_DATA and the user's own).")  # fmt: skip
@click.option("--resource", "places", multiple=True, metavar="NAME=PATH",
              help="Where a resource is: corpus, relations, brown, semdis-runs …")  # fmt: skip
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True,
              help="Processes.")  # fmt: skip
@click.option("--runs", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Folder of the runs behind the tables.  [default: runs]")  # fmt: skip
@click.option("--quiet", is_flag=True, help="Say nothing on the way.")
def command(
    table: str | None,
    whole: bool,
    out: Path | None,
    data: Path | None,
    places: tuple[str, ...],
    workers: int,
    runs: Path | None,
    quiet: bool,
) -> None:
    """List the published tables and whether they can be rebuilt here; rebuild TABLE, or all.

    TABLE is a name of the list, as jabbari2010/table3. What a table needs is run first, unless
    the cache has it. The list is TSV: table, status, what it shows.
    """
    from experiments.reproduce.bench import Bench
    from experiments.reproduce.page import make_page, reproduce, statuses, write_page
    from experiments.tables import as_markdown
    from lexsub.errors import LexsubError
    from lexsub.resources import Resources, data_folders

    if table and whole:
        raise LexsubError(f"--all rebuilds every table; leave {table!r} out, or --all")
    if out and not whole:
        raise LexsubError("--out names the page of --all; give --all as well")
    bench = Bench(
        Resources(data=data_folders(data), paths=dict(map(_named_place, places)), workers=workers),
        runs or Path("runs"),
        _ignore if quiet else partial(click.echo, err=True),
    )
    if whole:
        for path in write_page(out or Path("reproduced.md"), make_page(bench)):
            click.echo(path)
    elif table:
        click.echo(as_markdown(reproduce(table, bench)))
    else:
        for status in statuses(bench):
            state = f"needs: {status.needs}" if status.needs else "reproducible here"
            click.echo(f"{status.table.name}\t{state}\t{status.table.title}")


def _named_place(text: str) -> tuple[str, Path]:
    name, sign, path = text.partition("=")
    if not (name and sign and path):
        raise click.BadParameter(f"{text!r}; expected NAME=PATH", param_hint="--resource")
    return name, Path(path)


def _ignore(line: str) -> None:
    del line
