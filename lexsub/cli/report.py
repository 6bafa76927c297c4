"""``lexsub report``: what runs did, or what files of answers are worth, as one page to look at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from lexsub.cli.common import DATA, HERE, JSON, tell
from lexsub.errors import LexsubError
from lexsub.printable import spelled
from lexsub.resources import Resources
from lexsub.storage.addresses import size


@click.command(short_help="Show what runs did: scores, curves, comparisons, every item.")
@click.argument("runs", metavar="RUN|FILE...", nargs=-1, required=True, type=HERE)
@click.option(
    "--gold",
    metavar="GOLD",
    help="Of FILEs: a data set as semeval2007/test, or a gold's file.  [default: the "
    "data of the RUNs]",
)
@click.option(
    "--normalisation",
    type=click.Choice(["clean", "official", "lemma"]),
    help="Of FILEs: how answers are compared with the gold.  [default: as the data set "
    "has it, or the RUNs]",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="File to write.  [default: RUN/report.html; report.html for several, or FILEs]",
)
@DATA
@JSON
def command(
    runs: tuple[Path, ...],
    gold: str | None,
    normalisation: str | None,
    out: Path | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Write the report of one or more finished runs on the same data as one HTML file.

    It holds everything it shows and opens from disk: what was run, score tables with intervals
    and tests, ceilings, curves, comparisons of any two systems, breakdowns, and a browser of all
    items.  (lexsub run writes that of its own run by itself.)

    In place of runs, or beside them, files of any program's answers (whatever 'lexsub score'
    takes): files of one system that differ in their last ending go together.
    """
    from lexsub.experiments.report import write_report
    from lexsub.experiments.results.run_folder import folders_of

    folders = [path for path in runs if path.is_dir()]
    files = [path for path in runs if not path.is_dir()]
    path = out or (runs[0] / "report.html" if runs == tuple(folders[:1]) else Path("report.html"))
    resources = Resources(data=folders_of(folders, data))
    with TemporaryDirectory(prefix="lexsub-report-") as temporary:
        if files:
            place = Path(temporary) / "answers"
            _run_answers(files, gold, normalisation, folders[:1], place, resources)
            folders.append(place)
        write_report(folders, path, resources.data)
    tell({"report": spelled(path), "bytes": size(path)}, spelled(path), as_json)


def _run_answers(
    files: Sequence[Path],
    gold: str | None,
    normalisation: str | None,
    beside: Sequence[Path],
    place: Path,
    resources: Resources,
) -> None:
    """Score files of answers as a run whose systems they are.

    Raises:
        LexsubError: no gold is named, or a file is not as expected.
    """
    from lexsub.experiments.config.making import make_experiment
    from lexsub.experiments.pipeline.runner import run_experiment
    from lexsub.experiments.report import write_report
    from lexsub.experiments.results.run_folder import finished_experiment, finished_scores

    if gold is None and not beside:
        raise LexsubError(
            f"{files[0]} is no folder of a run; for files of answers name what they answer: "
            "--gold semeval2007/test, or a gold's file"
        )
    systems = _named(files)
    table: dict[str, Any] = {
        "name": "answers",
        "title": " and ".join(systems) if len(systems) < 4 else f"{len(systems)} systems",
        "data": gold or finished_experiment(beside[0]).table.data,
        "systems": [{"name": name, "answers": paths} for name, paths in systems.items()],
    }
    policy = normalisation or (None if gold else finished_scores(beside[0])[0]["normalisation"])
    if policy is not None:
        table["normalisation"] = policy
    run_experiment(make_experiment(table, Path()), place, resources, page=write_report)


def _named(files: Sequence[Path]) -> dict[str, list[str]]:
    """Return the files of each system by its name, with its folder's where two are alike."""
    from lexsub.formats.outputs.given import system_name

    found: dict[Path, list[str]] = {}
    for file in files:
        found.setdefault(file.parent / system_name(file), []).append(str(file))
    names = [path.name for path in found]

    def named(path: Path) -> str:
        alone = names.count(path.name) == 1
        whole = path.name if alone else f"{path.absolute().parent.name}-{path.name}"
        # A system's name becomes that of files.
        return re.sub(r"[^A-Za-z0-9._+-]+", "-", whole).strip("-._+")[:80] or "system"

    return {named(path): paths for path, paths in found.items()}
