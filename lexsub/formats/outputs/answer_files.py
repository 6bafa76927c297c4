"""Files of a system's answers: of which task they are, whose, and what they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, get_args

from lexsub.errors import FormatError, LexsubError
from lexsub.formats.outputs.catalogue import detect
from lexsub.formats.semeval_lines import no_answers, parse_submission
from lexsub.rankings import TASKS, Ranked, Ranking, Submission, Task
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import STDIN, decode

Kind = Literal["best", "oot", "mw", "ranking"]
"""What a file of answers holds: a task's submission, or rankings."""
KINDS: tuple[Kind, ...] = get_args(Kind)

SUFFIXES: dict[str, Task] = {f".{task}": task for task in TASKS}


def read_answers(path: Path, task: Task | None = None) -> tuple[Kind, Submission | list[Ranking]]:
    """Read a file of a system's answers; gzip, bzip2 and xz are unpacked.

    Submissions are kept as they stand, for the official normalisation; other formats become
    rankings.

    Args:
        path: the file; ``-`` for standard input.
        task: its task; None to tell it by the name's ending or by the content.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: it is no system's output, or has no answer of the task.
    """
    text = decode(read_unpacked(path), path)
    task = task or SUFFIXES.get(path.suffix)
    if task is None:
        found = detect(text, path)
        if found.name not in TASKS:
            return "ranking", found.read(text, path)
        task = "oot" if found.name == "oot" else "best"
    submission = parse_submission(text, path, task)
    if not submission.answers:
        raise FormatError(path, None, no_answers(text.split("\n"), task))
    return task, submission


def read_kind(path: Path, kind: Kind) -> Submission | list[Ranking]:
    """Read a file that is said to hold answers of a kind.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: it holds something else.
    """
    if kind != "ranking":
        return read_answers(path, kind)[1]
    found, answers = read_answers(path)
    if found != kind:
        raise FormatError(path, None, f"holds {found} answers; expected rankings (as JSON Lines)")
    return answers


def by_kind(paths: Sequence[Path]) -> dict[Kind, Path]:
    """Return the files of one system by what they hold.

    Raises:
        LexsubError: a file that cannot be read or is no system's output, or two of a kind.
    """
    found: dict[Kind, Path] = {}
    for path in paths:
        kind, _ = read_answers(path)
        if kind in found:
            raise LexsubError(
                f"{found[kind]} and {path} both hold {kind} answers; expected one file of a kind, "
                f"or what each is: {{ best = …, oot = …, mw = …, ranking = … }}"
            )
        found[kind] = path
    return found


def system_name(path: Path) -> str:
    """Return the name of the system whose answers a file holds: its own, less its ending."""
    if path == STDIN:
        return "stdin"
    return path.stem if path.suffix in (*SUFFIXES, ".jsonl", ".tsv", ".ranked") else path.name


def as_rankings(answers: Submission | Sequence[Ranking]) -> Mapping[str, Ranking]:
    """Return answers as rankings by item: those of a submission in their order.

    Of lines of the same item the first counts, as in the official scorer; an answer that stands
    twice keeps its first place.
    """
    if isinstance(answers, Submission):
        answers = [
            Ranking(
                one.id,
                one.lexelt,
                tuple(Ranked(name.strip(), -place) for place, name in enumerate(one.substitutes)),
            )
            for one in answers.answers
        ]
    found: dict[str, Ranking] = {}
    for one in answers:
        entries = {entry.substitute: entry for entry in reversed(one.ranked) if entry.substitute}
        kept = tuple(entry for entry in one.ranked if entries.get(entry.substitute) is entry)
        found.setdefault(one.id, Ranking(one.id, one.lexelt, kept))
    return found
