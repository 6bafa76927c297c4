"""``lexsub compare``: paired tests of the differences between systems."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli.common import format_option, print_json, scoring_options
from lexsub.submissions import Task

if TYPE_CHECKING:
    from evaluation.comparison import Comparison


@click.command(short_help="Test whether systems differ by more than chance.")
@click.argument("gold")
@click.argument(
    "systems", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="A B..."
)
@scoring_options
@click.option("--subset", default="ALL", show_default=True, help="ALL NMWT NMWS RAND or MAN.")
@click.option(
    "--pairs", type=click.Choice(["all", "first"]), default="all", show_default=True,
    help="Every pair, or the first system with each other.",
)  # fmt: skip
@format_option("table", "tsv", "json")
def command(
    gold: str,
    systems: tuple[Path, ...],
    task: Task | None,
    measures: str | None,
    normalisation: str,
    subset: str,
    pairs: Any,
    resamples: int,
    unit: Any,
    seed: int,
    output: str,
    mwgold: Path | None,
    mwids: Path | None,
    mrsamples: Path | None,
    data: Path | None,
) -> None:
    """Compare systems pairwise on GOLD (a file, or a data set as semeval2007/test).

    Paired bootstrap and approximate randomisation, two-sided, over whole targets; Holm's
    correction over the table; McNemar's exact test for mode hits.
    """
    from evaluation.comparison import compare
    from evaluation.scoring import Interval
    from lexsub.cli.scored_files import default_measures, read_scored_gold, read_systems

    read = read_systems(systems, task)
    known = read_scored_gold(
        gold,
        data=data,
        mwgold=mwgold,
        mwids=mwids,
        mrsamples=mrsamples,
        is_mwgold=task == "mw" and mwgold is None,
    )
    comparison = compare(
        known,
        read,
        measures or default_measures(read),
        normalise=normalisation,
        subset=subset,
        pairs=pairs,
        resampling=Interval(resamples, unit, seed=seed),
    )
    if output == "json":
        print_json({"rows": comparison.records(), "hypothesis": comparison.hypothesis})
    elif output == "tsv":
        _print_tsv(comparison)
    else:
        _print_table(comparison, normalisation)


def _print_tsv(comparison: Comparison) -> None:
    records = comparison.records()
    print("\t".join(records[0]))
    for record in records:
        values = ("" if value is None or _undefined(value) else value for value in record.values())
        print("\t".join(map(str, values)))


def _print_table(comparison: Comparison, normalisation: str) -> None:
    from rich.console import Console
    from rich.table import Table

    from evaluation.remarks import RULES, remarks_on_comparison
    from evaluation.rendering import show_difference, show_p, show_value

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("measure", no_wrap=True)
    for header in ("A", "B"):
        table.add_column(header, no_wrap=True)
    for header in ("A", "B", "A-B", "95 % interval", "bootstrap p", "randomised p", "Holm p",
                   "McNemar p"):  # fmt: skip
        table.add_column(header, justify="right", no_wrap=True)
    for row in comparison.rows:
        low, high = (show_difference(bound, row.unit) for bound in (row.low, row.high))
        table.add_row(
            row.measure,
            row.first,
            row.second,
            show_value(row.first_value, row.unit),
            show_value(row.second_value, row.unit),
            show_difference(row.difference, row.unit),
            f"[{low}, {high}]",
            show_p(row.bootstrap_p),
            show_p(row.randomisation_p),
            show_p(row.holm_p),
            "" if row.mcnemar_p is None else show_p(row.mcnemar_p),
        )
    console = Console(
        width=None if sys.stdout.isatty() else 200, highlight=False, markup=False, soft_wrap=True
    )
    console.print(table)
    for line in remarks_on_comparison(comparison):
        console.print(line, style="dim")
    console.print(RULES[normalisation], style="dim")
    console.print(comparison.hypothesis)
    for signature in dict.fromkeys(row.signature for row in comparison.rows):
        console.print(signature, style="dim")


def _undefined(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)
