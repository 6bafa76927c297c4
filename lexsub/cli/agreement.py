"""``lexsub agreement``: how far annotators, judges and golds agree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from lexsub.cli.agreement_tables import plain, tables
from lexsub.cli.common import DATA, JSON, print_json
from lexsub.data.catalogue import DATASETS, load_gold
from lexsub.errors import LexsubError
from lexsub.evaluation.agreement.labels import coarse
from lexsub.evaluation.agreement.pools import PooledSubstitute
from lexsub.evaluation.agreement.ratings import Deviation
from lexsub.evaluation.agreement.reports import (
    NEEDS_ANNOTATORS,
    report_golds,
    report_labels,
    report_ratings,
    report_substitutes,
)
from lexsub.evaluation.posthoc import mean_gold
from lexsub.formats.annotations import Annotations, parse_annotations
from lexsub.formats.outputs.catalogue import top_answers
from lexsub.frequency import FREQUENCIES
from lexsub.frequency.lists import FormCounts, read_form_list
from lexsub.resources import Resources
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import decode, read_text
from lexsub.storage.user_folders import data_folders
from lexsub.tables.terminal import show


@click.command()
@click.argument("annotations", metavar="ANNOTATIONS")
@click.option("--against", metavar="GOLD", help="First gold; ANNOTATIONS is the second.")
@click.option(
    "--system",
    "systems",
    metavar="OUT",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A system whose answers were judged for the second gold (any format of convert).",
)
@click.option(
    "--top",
    default=10,
    type=click.IntRange(min=1),
    help="How many answers of a system were judged.",
)
@click.option(
    "--frequencies", metavar="LIST", help="A frequency list's name, or a word-TAB-count file."
)
@click.option(
    "--max-rating",
    default=3.0,
    type=click.FloatRange(0, min_open=True),
    help="The highest rating there is.",
)
@click.option(
    "--deviation",
    type=click.Choice(["population", "sample"]),
    default="population",
    help="Which standard deviation of ratings.",
)
@DATA
@click.option(
    "--classes", is_flag=True, help="Compare labels such as business:travel by class alone."
)
@JSON
def command(
    annotations: str,
    against: str | None,
    systems: tuple[Path, ...],
    top: int,
    frequencies: str | None,
    max_rating: float,
    deviation: Deviation,
    data: Path | None,
    classes: bool,
    as_json: bool,
) -> None:
    """Say how far annotators, judges or golds agree.

    ANNOTATIONS is a table (TSV with a header, or JSON Lines) of what single annotators said:

    \b
      item annotator substitutes [multiword]   pairwise, with mode, one left out, multiwords
      item annotator label                     raw agreement, kappa, confusion
      item substitute annotator rating         unanimity, standard deviation

    With --against, ANNOTATIONS may also be a gold: scores are then correlated and broken
    down by who proposed a substitute.  A gold alone holds counts only and is refused.
    """  # noqa: D301
    folders = data_folders(data)
    found = _read(annotations)
    reports: list[Any] = []
    if found is None and against is None:
        raise LexsubError(
            f"{annotations} is a gold and holds counts only: {NEEDS_ANNOTATORS}. Give a file of "
            "annotations, or compare two golds with --against"
        )
    if found is not None and found.responses:
        reports.append(report_substitutes(found.responses))
    elif found is not None and found.labels:
        reports.append(report_labels(coarse(found.labels) if classes else found.labels))
    elif found is not None:
        reports.append(report_ratings(found.ratings, deviation))
    if against is not None:
        if found is not None and not found.ratings:
            raise LexsubError(
                f"{annotations} holds {found.kind}: --against needs ratings or a gold"
            )
        first = load_gold(against, folders).items
        second = mean_gold(found.ratings, first) if found else load_gold(annotations, folders).items
        runs = [top_answers(path, top) for path in systems]
        frequency = _frequency(frequencies, folders) if frequencies else None
        reports.append(report_golds(first, second, runs, frequency, max_rating))
    elif systems or frequencies:
        raise LexsubError("--system and --frequencies belong to --against GOLD")
    if as_json:
        print_json({k: v for report in reports for k, v in plain(report).items()})
        return
    show(entry for report in reports for entry in tables(report))


def _read(reference: str) -> Annotations | None:
    """Return the annotations of a file, or None where it is no such file."""
    path = Path(reference)
    if reference.partition("/")[0] in DATASETS and not path.is_file():
        return None
    text = decode(read_unpacked(path), path)
    first = next((line for line in text.split("\n") if line.strip()), "")
    if " :: " in first or first.startswith("<") or '"contexts"' in first:
        return None
    return parse_annotations(text, path)


def _frequency(name: str, folders: tuple[Path, ...]) -> Callable[[PooledSubstitute], float | None]:
    path = Path(name)
    if path.is_file():
        table = FormCounts(read_form_list(read_text(path), path))
        return lambda row: table.frequency(row.substitute, "") or None
    counts = FREQUENCIES[name].open(Resources(data=folders))
    return lambda row: counts.frequency(row.substitute, row.lexelt.rpartition(".")[2]) or None
