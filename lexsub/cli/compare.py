"""``lexsub compare``: paired tests of the differences between systems."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli.common import HERE, format_option, print_json, scoring_options
from lexsub.rankings import Task
from lexsub.tables.terminal import show
from lexsub.tables.writers import records_as_tsv

if TYPE_CHECKING:
    from lexsub.evaluation.comparison import Comparison


@click.command(short_help="Test whether systems differ by more than chance.")
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True, type=HERE, metavar="A B...")
@scoring_options
@click.option("--subset", default="ALL", help="ALL NMWT NMWS RAND or MAN.")
@click.option(
    "--pairs",
    type=click.Choice(["all", "first"]),
    default="all",
    help="Every pair, or the first system with each other.",
)
@format_option("table", "tsv", "json", "latex")
def command(
    gold: str,
    systems: tuple[Path, ...],
    task: Task | None,
    measures: str | None,
    normalisation: str | None,
    subset: str,
    pairs: Any,
    resamples: int,
    unit: Any,
    seed: int,
    output: str,
    **places: Any,
) -> None:
    """Compare systems pairwise on GOLD (a file, or a data set as semeval2007/test).

    Paired bootstrap and approximate randomisation, two-sided, over whole targets; Holm's
    correction over the table; McNemar's exact test for mode hits.
    """
    from lexsub.cli.scored_files import default_measures, read_scored_gold, read_systems
    from lexsub.evaluation.answers import check_ids
    from lexsub.evaluation.comparison import compare
    from lexsub.evaluation.rendering import comparison_to_latex
    from lexsub.evaluation.resampling import Interval

    read = read_systems(systems, task)
    known = read_scored_gold(gold, task, **places)
    check_ids(read, known)
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
        sys.stdout.write(records_as_tsv(comparison.records()))
    elif output == "latex":
        sys.stdout.write(comparison_to_latex(comparison))
    else:
        _print_table(comparison, normalisation or known.normalisation)


def _print_table(comparison: Comparison, normalisation: str) -> None:
    from lexsub.evaluation.rendering import signatures
    from lexsub.evaluation.scores import RULES, remarks_on_comparison

    table = comparison.view()
    notes = (
        *remarks_on_comparison(comparison),
        RULES[normalisation],
        *table.notes,
        *signatures(row.signature for row in comparison.rows),
    )
    show([replace(table, title="", notes=notes)])
