"""``lexsub score`` and ``lexsub compare``: any measure of the field, and tests of differences.

Figures come with counts, intervals and signatures; differences between systems with paired tests.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli.common import HERE, format_option, option, print_json, scoring_options, warn
from lexsub.errors import LexsubError
from lexsub.rankings import Task
from lexsub.tables.terminal import show
from lexsub.tables.writers import records_as_tsv

if TYPE_CHECKING:
    from lexsub.evaluation.comparison import Comparison
    from lexsub.evaluation.scores import Scores


SIDE_BY_SIDE = 3
"""So many systems have a column each; more have a row each."""


@click.command(short_help="Score system outputs with any measure of the field.")
@click.argument("gold", required=False)
@click.argument("systems", nargs=-1, type=HERE, metavar="SYSTEM...")
@option("--list", "List the measures, their parameters and references, and stop.", into="listed")
@scoring_options
@option("--subsets", "Of ALL NMWT NMWS RAND MAN.", "ALL")
@option("--by-pos", "Each figure by part of speech, too.")
@format_option("table", "tsv", "json", "latex")
@option("--per-item", "The figures of single items (TSV, JSON).")
@option(
    "--score-only",
    "The bare figures: a line a system, a column a measure, in the order of --measures.",
)
@option(
    "--pool FILE|gold",
    "Candidates (rankings, a pool file, or the gold's own pooled by target): adds the "
    "systems oracle, random and tied over them.",
)
@option("--second-gold GOLD", "Ranks on two golds side by side (SemDis).")
@option("--interval/--no-interval", "95 % intervals [on].", True, show_default=False)
def command(
    gold: str | None,
    systems: tuple[Path, ...],
    listed: bool,
    task: Task | None,
    measures: str | None,
    normalisation: str | None,
    subsets: str,
    by_pos: bool,
    output: str,
    per_item: bool,
    score_only: bool,
    pool: str | None,
    second_gold: str | None,
    interval: bool,
    resamples: int,
    unit: Any,
    seed: int,
    **places: Any,
) -> None:
    """Score system outputs against GOLD (a file, or a data set as semeval2007/test).

    Files of one system that differ in their last ending (x.best, x.oot, x.mw, x.jsonl) go
    together; "-" is standard input. Figures of the official scorer, defects included:
    'lexsub official'.
    """
    # Listed here and not in an option's callback: a later --plugin may add measures.
    if listed:
        from lexsub.cli import scored_files

        sys.stdout.write(scored_files.measure_list())
        return
    if gold is None:
        raise click.UsageError("Missing argument 'GOLD'.")
    from lexsub.cli import scored_files
    from lexsub.evaluation import rendering
    from lexsub.evaluation.answers import check_ids
    from lexsub.evaluation.measure import parse_measures
    from lexsub.evaluation.rendering import side_by_side
    from lexsub.evaluation.resampling import Interval
    from lexsub.evaluation.scoring import evaluate

    if not systems and pool is None:
        raise LexsubError("no system is given; expected GOLD SYSTEM... (see --help)")
    read = scored_files.read_systems(systems, task)
    plain = score_only or per_item or second_gold is not None or not interval
    resampling = None if plain else Interval(resamples, unit, seed=seed)
    options: dict[str, Any] = {"subsets": subsets.split(), "by_pos": by_pos}
    options |= {"interval": resampling, "per_item": per_item}
    known = scored_files.read_scored_gold(gold, task, **places)
    check_ids(read, known)
    policy = options["normalise"] = normalisation or known.normalisation
    if pool is not None:
        read |= scored_files.read_bounds(pool, known, policy, seed)
    chosen = measures or scored_files.default_measures(read)
    scores = evaluate(known, read, chosen, **options)
    scored_files.check_measures(scores.missing, read, len(parse_measures(chosen)))
    _warn(scores)
    if second_gold is not None:
        second = scored_files.read_scored_gold(
            second_gold, data=places["data"], language=places["language"]
        )
        other = evaluate(second, read, chosen, **options)
        sys.stdout.write(rendering.side_by_side_tsv(side_by_side(scores, other)))
    elif score_only:
        sys.stdout.write(rendering.score_only(scores))
    elif output == "json":
        sys.stdout.write(rendering.to_json(scores))
    elif per_item:
        sys.stdout.write(rendering.items_to_tsv(scores))
    elif output == "tsv":
        sys.stdout.write(rendering.to_tsv(scores))
    elif output == "latex":
        tests = scores.tests() if scores.tests else None
        sys.stdout.write(rendering.scores_to_latex(scores, tests))
    else:
        _print_table(scores, policy)


def _print_table(scores: Scores, normalisation: str) -> None:
    from lexsub.evaluation.rendering import signatures, systems_table
    from lexsub.evaluation.scores import RULES, named, remarks_on_scores, scores_table, table_rows

    systems, rows = table_rows(scores)
    notes = remarks_on_scores(scores)
    reasons = {(why, n): row.label for row in rows for why, n in row.first.skipped.items()}
    for why, n in dict.fromkeys(reasons):
        labels = [row.label for row in rows if row.first.skipped.get(why) == n]
        notes.append(f"skipped {n}: {why} ({named(labels)})")
    # By part of speech: the same signature but for it and the number of items.
    whole = (row.first.signature for row in rows if row.first.pos == "all")
    notes += [RULES[normalisation], *signatures(whole)]
    if len(systems) > SIDE_BY_SIDE:
        table = systems_table(scores)
        notes = [*table.notes, *notes]
    else:
        table = scores_table(scores)
    show([replace(table, title="", notes=notes)])


def _warn(scores: Scores) -> None:
    for system, notes in scores.notes.items():
        for what, count in notes.items():
            warn(f"{system}: {what}: {count}")
    lacking: dict[str, list[str]] = {}
    for system, measure in scores.missing:
        lacking.setdefault(system, []).append(measure)
    for system, names in lacking.items():
        warn(f"{system}: has no answers for {', '.join(names)}")


@click.command(short_help="Test whether systems differ by more than chance.")
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True, type=HERE, metavar="A B...")
@scoring_options
@option("--subset", "ALL NMWT NMWS RAND or MAN.", "ALL")
@option("--pairs [all|first]", "Every pair, or the first system with each other.", "all")
@format_option("table", "tsv", "json", "latex")
def compare(
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
    from lexsub.cli import scored_files
    from lexsub.evaluation.answers import check_ids
    from lexsub.evaluation.comparison import compare as compare_systems
    from lexsub.evaluation.rendering import comparison_to_latex
    from lexsub.evaluation.resampling import Interval

    read = scored_files.read_systems(systems, task)
    known = scored_files.read_scored_gold(gold, task, **places)
    check_ids(read, known)
    chosen = measures or scored_files.default_measures(read)
    how: dict[str, Any] = {"normalise": normalisation, "subset": subset, "pairs": pairs}
    resampling = Interval(resamples, unit, seed=seed)
    comparison = compare_systems(known, read, chosen, **how, resampling=resampling)
    if output == "json":
        print_json({"rows": comparison.records(), "hypothesis": comparison.hypothesis})
    elif output == "tsv":
        sys.stdout.write(records_as_tsv(comparison.records()))
    elif output == "latex":
        sys.stdout.write(comparison_to_latex(comparison))
    else:
        _print_comparison(comparison, normalisation or known.normalisation)


def _print_comparison(comparison: Comparison, normalisation: str) -> None:
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
