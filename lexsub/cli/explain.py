"""``lexsub explain``: why an item's candidates are ranked as they are."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from lexsub.cli.common import DATA, Here, format_option, print_json
from lexsub.printable import printable
from lexsub.tables import Table
from lexsub.tables.terminal import show


@click.command(short_help="Show an item's candidates, score parts and gold counts.")
@click.argument("run", type=Here(file_okay=False))
@click.argument("item")
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="A system of the run, several times if need be.  [default: all]",
)
@click.option("--top", default=15, help="Candidates to show.")
@format_option("table", "json")
@DATA
def command(
    run: Path, item: str, systems: tuple[str, ...], top: int, output: str, data: Path | None
) -> None:
    """Explain the ranking of ITEM (its id) in RUN, the folder of a finished run.

    Each candidate with its score, what the score is made of, and how many people gave it;
    then what people gave that is no candidate.
    """
    from lexsub.experiments.report.explanations import explain
    from lexsub.experiments.results.run_folder import folders_of

    found = explain(run, item, systems, folders_of([run], data))
    if output == "json":
        print_json(asdict(found))
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
