"""``lexsub validate``: what the official scorer would drop, truncate or count twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lexsub.cli.common import LANGUAGE, THERE, counted, option
from lexsub.errors import FileProblemError, FormatError, LexsubError, UnknownNameError
from lexsub.printable import printable
from lexsub.rankings import TASKS, Task
from lexsub.storage.files import read_bytes
from lexsub.storage.user_folders import data_folders

if TYPE_CHECKING:
    from lexsub.formats.findings import Reference, ValidationReport


@click.command(short_help="List what the official scorer would take amiss.")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[GOLD] FILE...")
@option(
    f"--task [{'|'.join(TASKS)}]", "Task of the files [told by their names' ends, or their lines]."
)
@option(
    "--gold SET/SPLIT|GOLD",
    "A data set's split (semeval2007/test) or a gold file, as GOLD; without one only the "
    "lines' shape and text are looked at.",
)
@option(
    "--data DIR",
    "Folder of data sets, searched first (then LEXSUB_DATA, then the user's own). What is "
    "no folder is taken as --gold.",
)
@click.option("--data-dir", type=THERE, hidden=True)
@LANGUAGE
@option("--json", "Print one JSON object a file.", into="as_json")
@option("--strict", "Warnings and notes, too, make the exit status 1.")
@option("--quiet", "Leave out the notes.")
@option("--codes", "List all codes with their meaning and stop.")
def command(
    files: tuple[Path, ...],
    task: Task | None,
    gold: str | None,
    data: str | None,
    data_dir: Path | None,
    language: str | None,
    as_json: bool,
    strict: bool,
    quiet: bool,
    codes: bool,
) -> None:
    """List what the official scorer would silently drop, truncate or count twice.

    One line a finding: FILE:LINE: SEVERITY: [CODE] message. Errors change scores, warnings
    may, notes do not. FILE may be - for standard input. GOLD is a data set's split, or a gold
    file; see --gold.

    Exit status: 0 no errors, 1 errors (with --strict anything at all), 2 the file or the call
    cannot be used.
    """
    from lexsub.cli.scored_files import refuse_data_sets
    from lexsub.formats.findings import CODES
    from lexsub.formats.validation import validate_submission

    if codes:
        for code, (severity, meaning) in CODES.items():
            print(f"{code:<22} {severity:<8} {meaning}")
        return
    if not files:
        raise click.UsageError("Missing argument 'FILE...'.")
    if data and _is_folder(data):
        data_dir = Path(data)
    elif data:
        gold = gold or data
    if gold is None and len(files) > 1 and _is_reference(str(files[0])):
        gold, files = str(files[0]), files[1:]
    refuse_data_sets(files, "GOLD FILE...")
    # First, so that a wrong gold is reported before any submission is read.
    references = {task: _reference(gold, task, data_dir, language)} if gold and task else {}
    faulty = False
    for path in files:
        content = read_bytes(path)
        of_file = task or _task(path, content)
        if gold and of_file not in references:
            references[of_file] = _reference(gold, of_file, data_dir, language)
        report = validate_submission(content, path, of_file, references.get(of_file))
        if as_json:
            print(json.dumps(_record(path, of_file, gold, report), ensure_ascii=False))
        else:
            _print(path, report, quiet)
        faulty |= bool(report.findings if strict else report.count("error"))
    raise click.exceptions.Exit(1 if faulty else 0)


def _is_reference(name: str) -> bool:
    """Whether the first of several arguments is what the others are compared with."""
    from lexsub.data.catalogue import DATASETS
    from lexsub.data.own_files import is_own_file
    from lexsub.formats.outputs.catalogue import is_gold

    if not Path(name).is_file():
        return name.partition("/")[0] in DATASETS
    return is_own_file(name) or is_gold(read_bytes(Path(name)).decode("utf-8", "replace"))


def _is_folder(data: str) -> bool:
    """Whether ``--data`` names a folder of data sets; a split's name is none, whatever is here."""
    from lexsub.data.catalogue import DATASETS

    name, split, _ = data.partition("/")
    return Path(data).is_dir() and not (split and name in DATASETS)


def _task(path: Path, content: bytes) -> Task:
    from lexsub.formats.outputs.catalogue import SUFFIXES
    from lexsub.formats.semeval_lines import LONGEST_LINE, task_of_lines

    if path.suffix in SUFFIXES:
        return SUFFIXES[path.suffix]
    lines = [line[:LONGEST_LINE].decode("latin-1") for line in content.split(b"\n", 100)[:100]]
    found = task_of_lines(lines)
    if found is None:
        what = "does not say its task (lines of best and mw look alike)"
        way = "add --task best, oot or mw, or name the file .best, .oot or .mw"
        raise FormatError(path, None, f"{what}; {way}")
    return found


def _reference(data: str, task: Task, data_dir: Path | None, language: str | None) -> Reference:
    """Take ``--gold`` for a gold file where there is one of that name, else for a data set."""
    from lexsub.data.catalogue import load, load_gold
    from lexsub.formats.findings import Reference

    if Path(data).is_file():
        return Reference.of_gold(data, load_gold(data, (), language).items)
    if Path(data).is_dir() and "/" not in data:
        raise FileProblemError(
            data, "is a folder; expected a data set's split or a gold file (a folder: --data)"
        )
    try:
        return Reference.of_dataset(load(data, data_folders(data_dir), language), task)
    except UnknownNameError as error:
        raise LexsubError(f"--gold {data}: neither a file nor a data set: {error}") from error


def _print(path: Path, report: ValidationReport, quiet: bool) -> None:
    for finding in report.findings:
        if quiet and finding.severity == "note":
            continue
        place = f"{path}:{finding.line}" if finding.line else str(path)
        print(printable(f"{place}: {finding.severity}: [{finding.code}] {finding.message}"))
    covered = f"{report.answered} items answered"
    if report.scored is not None:
        covered = f"{report.answered} of {report.scored} scored items answered"
    found = ", ".join(counted(report.count(kind), kind) for kind in ("error", "warning", "note"))
    line = f"{path}: {report.lines} answer lines, {covered}; {found}"
    click.echo(printable(line), err=True)


def _record(
    path: Path, task: Task, data: str | None, report: ValidationReport
) -> dict[str, object]:
    return {
        "file": str(path),
        "task": task,
        "data": data,
        "lines": report.lines,
        "answered": report.answered,
        "scored": report.scored,
        "counts": report.by_code,
        "findings": [
            {name: getattr(finding, name) for name in ("line", "severity", "code", "message")}
            for finding in report.findings
        ],
    }
