"""``lexsub official``: the official SemEval-2007 scorer, to the byte."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli.common import FOLDER, option, warn
from lexsub.errors import FileProblemError, FormatError
from lexsub.storage.files import read_bytes, read_text
from lexsub.storage.user_folders import data_folders

if TYPE_CHECKING:
    from lexsub.rankings import Task

_LONGEST = 100_000

_HELP = """Score a submission exactly as the official SemEval-2007 Task 10 scorer does.

\b
Call it as the Perl script is called:
  lexsub official SYSTEM GOLD [-t best|oot|mw] [-v]

GOLD is the gold's file; the name of a data set (semeval2007/trial) stands for its own.

The output is the script's, byte for byte, its defects included: a blank answer borrows the
answers of the line before, and where it would divide by zero it stops (one line on stderr,
exit status 1). For measures under a documented policy use 'lexsub score'.
"""


@click.command(
    help=_HELP, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": True}
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="SYSTEM GOLD [-t TASK] [-v]")
@option(
    "--rules [final|key|trial]",
    "Version of the script: final with duplicate warning; key without it; trial (Jan 2007).",
    "final",
)
@option(
    "--subset [ALL|NMWT|NMWS|RAND|MAN]",
    "Score a part, named by what it holds. Reads mwids or MRsamples beside the gold.",
    "ALL",
    show_default=False,
)
@option("--further-analysis", "All subsets in turn, as scoreFA.pl.")
@option("--mwids", "File of multiword items [beside GOLD].", type=FOLDER)
@option("--mrsamples", "File of manual words [beside GOLD].", type=FOLDER)
def command(
    arguments: tuple[str, ...],
    rules: str,
    subset: str,
    further_analysis: bool,
    mwids: Path | None,
    mrsamples: Path | None,
) -> None:
    """Print what the official scorer prints."""
    from lexsub.cli.scored_files import refuse_data_sets
    from lexsub.evaluation.official.report import USAGE, official, parse_call
    from lexsub.evaluation.official.report import further_analysis as analyse
    from lexsub.matching.script import VERSIONS, Subset, read_mrsamples, read_mwids

    call = parse_call(arguments)
    if call.usage:
        sys.stdout.write(USAGE)
    if not call.complete:
        raise click.exceptions.Exit(2)
    if call.task is None:
        return
    refuse_data_sets([Path(call.system)], "SYSTEM GOLD, the script's own")
    system, gold_file = Path(call.system), _gold_file(call.gold, call.task)
    system_lines, gold = _lines(system), _lines(gold_file)
    _note_swapped(system, system_lines, gold_file, gold)
    _note_repeated(gold_file, gold, call.task)
    ids = words = frozenset[str]()
    if further_analysis or subset == "NMWT":
        ids = read_mwids(read_text(mwids or gold_file.parent / "mwids", "latin-1"))
    if further_analysis or subset in ("RAND", "MAN"):
        words = read_mrsamples(read_text(mrsamples or gold_file.parent / "MRsamples", "latin-1"))
    files = (system_lines, gold, call.task)
    told: dict[str, Any] = {"verbose": call.verbose, "rules": VERSIONS[rules]}
    told["system_name"] = _name(call.system)
    if further_analysis and call.task != "mw":
        outcome = analyse(*files, ids, words, **told)
    else:
        chosen = Subset(subset, ids, words)
        outcome = official(*files, subset=chosen, gold_name=_name(call.gold), **told)
    sys.stdout.flush()
    sys.stdout.buffer.write(outcome.stdout)
    sys.stdout.flush()
    if outcome.death:
        warn(f"{call.system}: the official scorer divides by zero here: {outcome.death}")
        raise click.exceptions.Exit(1)


def _note_swapped(system: Path, system_lines: bytes, gold_file: Path, gold: bytes) -> None:
    """Say so where the files seem to stand in the order of the other commands."""
    from lexsub.formats.outputs.catalogue import is_gold

    if is_gold(system_lines.decode("latin-1")) and not is_gold(gold.decode("latin-1")):
        warn(
            f"{system} looks like a gold and {gold_file} does not; the script's order is "
            "SYSTEM GOLD"
        )


def _note_repeated(path: Path, gold: bytes, task: Task) -> None:
    """Say which items stand twice in the gold: the script adds their answers up."""
    from lexsub.formats.semeval_lines import PATTERNS

    first: dict[str, int] = {}
    # In a gold the best and the oot task have the separator of best.
    pattern = PATTERNS["mw" if task == "mw" else "best"]
    for number, line in enumerate(gold.decode("latin-1").split("\n"), start=1):
        found = pattern.search(line)
        if found and first.setdefault(found[2], number) != number:
            warn(
                f"{path}: item {found[2]} stands on line {first[found[2]]} and again on line "
                f"{number}; the script counts both"
            )


def _gold_file(reference: str, task: Task) -> Path:
    """Return the gold's file: the one named, or that of a data set in the release's layout."""
    from lexsub.data.catalogue import DATASETS, SplitName, locate
    from lexsub.data.semeval2007 import SemEvalRelease

    path = Path(reference)
    dataset = reference.partition("/")[0]
    if path.exists() or dataset not in DATASETS:
        return path
    split = SplitName.parse(reference).split
    release = DATASETS[dataset]
    inside = release.gold_file(split, task) if isinstance(release, SemEvalRelease) else None
    if inside is None:
        raise FileProblemError(
            reference, f"has no gold file of the official format; name one: SYSTEM GOLD -t {task}"
        )
    return locate(dataset, data_folders()) / inside


def _lines(path: Path) -> bytes:
    """Read a file whose lines are short enough for the script's patterns to end in good time."""
    data = read_bytes(path)
    for number, line in enumerate(data.split(b"\n"), start=1):
        if len(line) > _LONGEST:
            raise FormatError(
                path, number, f"has {len(line)} bytes; expected lines of at most {_LONGEST}"
            )
    return data


def _name(argument: str) -> str:
    # The bytes of the argument, so that they come out as they went in.
    return os.fsencode(argument).decode("latin-1")
