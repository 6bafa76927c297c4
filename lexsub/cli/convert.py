"""``lexsub convert``: system outputs from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lexsub.cli.common import DATA, JSON, print_json
from lexsub.data.references import load_gold
from lexsub.errors import LexsubError
from lexsub.files import STDIN, write_text
from lexsub.formats.outputs.catalogue import (
    OUTPUT_FORMATS,
    OutputFormat,
    format_of_name,
    read_output,
    with_lexelts,
)
from lexsub.resources import data_folders

_FILE = click.Path(path_type=Path, allow_dash=True)


def _list_formats(context: click.Context, parameter: click.Parameter, value: bool) -> Any:
    del parameter
    if value:
        width = max(map(len, OUTPUT_FORMATS))
        for entry in OUTPUT_FORMATS.values():
            print(f"{entry.name.ljust(width)}  {entry.about} ({entry.suffix})")
        context.exit()


@click.command()
@click.argument("source", metavar="IN", type=_FILE)
@click.argument("target", metavar="OUT", type=_FILE)
@click.option("--from", "source_format", metavar="F", help="Format of IN; told by its content.")
@click.option("--to", "target_format", metavar="F", help="Format of OUT; told by its name's end.")
@click.option(
    "--top", type=click.IntRange(min=1), help="Answers to keep (best 1, oot 10, else all)."
)
@click.option("--gold", metavar="GOLD", help="Gold file or data set split that knows the lexelts.")
@DATA
@JSON
@click.option("--list", is_flag=True, is_eager=True, expose_value=False, callback=_list_formats,
              help="List the formats and stop.")  # fmt: skip
def command(
    source: Path, target: Path, source_format: str | None, target_format: str | None,
    top: int | None, gold: str | None, data: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Convert a system's output IN to another format, as OUT ("-": standard streams).

    Formats: best, oot, gap, semdis, ranked (Melamud et al.), swords, tsv, jsonl.
    Answers are trimmed; items without an answer get no line.
    """
    wanted = _target(target, target_format)
    if as_json and target == STDIN:
        raise LexsubError("--json prints what was done and OUT is standard output; name a file")
    rankings, found = read_output(source, source_format)
    if gold is not None:
        lexelts = {
            item.id: item.lexelt for item in load_gold(gold, data_folders(data)).items.values()
        }
        rankings = with_lexelts(rankings, lexelts)
    keep = top or wanted.top
    text = wanted.write(rankings, keep)
    if target == STDIN:
        print(text, end="")
    else:
        write_text(target, text)
    empty = sum(not ranking.ranked for ranking in rankings)
    if as_json:
        print_json({"items": len(rankings) - empty, "from": found.name, "to": wanted.name,
                    "kept": keep, "empty": empty, "out": target})  # fmt: skip
        return
    click.echo(
        f"{len(rankings) - empty} items, {found.name} to {wanted.name}, "
        + (f"the first {keep} of each" if keep else "every answer")
        + (f"; {empty} without an answer left out" if empty else ""),
        err=True,
    )


def _target(target: Path, name: str | None) -> OutputFormat:
    if name is not None:
        return OUTPUT_FORMATS[name]
    if target == STDIN:
        raise LexsubError(f"output to - needs --to ({', '.join(OUTPUT_FORMATS)})")
    return format_of_name(target)
