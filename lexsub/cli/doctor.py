"""``lexsub doctor``: what is on this machine, and how to get what is not."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lexsub.cli.common import DATA, JSON, RESOURCES, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from experiments.doctor import Finding


@click.command()
@DATA
@RESOURCES
@click.option("--missing", is_flag=True, help="List only what is not here.")
@click.option("--all", "whole", is_flag=True, help="List every model of the cache.")
@JSON
def command(
    data: Path | None, places: dict[str, Path], missing: bool, whole: bool, as_json: bool
) -> None:
    """List WordNet, data sets, lists, models, extras and programs: what is here, what is not.

    What is missing stands with what it would enable and the command that gets it. Nothing is
    fetched.
    """
    from experiments.doctor import examine
    from lexsub.resources import Resources, data_folders

    found = examine(Resources(data=data_folders(data), paths=places))
    if missing:
        found = [one for one in found if one.place is None]
    if as_json:
        print_json([asdict(one) for one in found])
    else:
        _show(found, whole)


NEWEST = 3
"""Models of a kind that are listed unless all are asked for."""


def _show(found: Sequence[Finding], whole: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for kind in dict.fromkeys(one.kind for one in found):
        console.print(Text(kind, style="bold"))
        seen: Counter[str] = Counter()
        for one in found:
            if one.kind == kind:
                seen[one.name] += 1
                if kind != "model" or whole or seen[one.name] <= NEWEST:
                    console.print(*_lines(one), sep="\n")
        more = sum(max(number - NEWEST, 0) for number in seen.values())
        if kind == "model" and more and not whole:
            console.print(f"           and {more} older ones (--all lists them)")
    if names := [one.name for one in found if one.kind == "experiment" and one.place]:
        console.print(f"ready to run: {', '.join(names)}")
    absent = sum(one.place is None for one in found)
    console.print(f"{len(found) - absent} found, {absent} missing")


def _lines(one: Finding) -> list[Text]:
    from rich.text import Text

    here = one.place is not None
    # The word says it, the colour only helps to find it.
    head = Text.assemble("  ", ("found  " if here else "missing", "green" if here else "yellow"))
    head.append(f"  {one.name}")
    if here:
        head.append(f"  {one.place}")
    lines = [head]
    if one.detail:
        lines.append(Text(f"           {one.detail}", style="dim"))
    if not here:
        lines += [Text(f"           for {one.enables}"), Text(f"           get {one.get}")]
    return lines
