"""The formats of system outputs by name, how to tell them apart, and what files of them hold."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from lexsub.datasets import Dataset
from lexsub.errors import FormatError, LexsubError, suggest
from lexsub.formats.outputs import plain, trec
from lexsub.formats.semeval_lines import no_answers, parse_submission
from lexsub.formats.simplification import is_simplification
from lexsub.parts.registry import Registry
from lexsub.rankings import TASKS, Ranked, Ranking, Submission, Task
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import STDIN, decode


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """One format of system outputs.

    Attributes:
        name: its name on the command line.
        about: what it is, in one line.
        suffix: the file name's end that stands for it, with the dot ("" for none).
        read: from a file's text and name to rankings.
        write: from rankings and the number of answers to keep (None: all) to a file's text.
        top: how many answers are kept unless something else is asked for (None: all).
        write_for: as ``write``, of a format that has the sentences in it: from the data set, too.
    """

    name: str
    about: str
    suffix: str
    read: Callable[[str, Path], list[Ranking]]
    write: Callable[[Iterable[Ranking], int | None], str]
    top: int | None = None
    write_for: Callable[[Dataset, Iterable[Ranking], int | None], str] | None = None


_OBJECT = re.compile(r'\s*\{\s*(?:["}]|$)')
_RUN = re.compile(r"\s*\S+ +Q0 +\S+ +\d+ +\S+ +\S+\s*")
_COUNT = re.compile(r"\d+(?:\.\d+)?")


def _lines(
    name: str, about: str, suffix: str, separator: str, top: int | None = None, glue: str = ";"
) -> OutputFormat:
    return OutputFormat(
        name,
        about,
        suffix,
        lambda text, path: plain.read_lines(text, path, separator),
        lambda rankings, n: plain.format_lines(rankings, separator, n, glue),
        top,
    )


def fault(name: str, part: object) -> str:
    """Say what is wrong with a format; "" for nothing."""
    if isinstance(part, OutputFormat) and part.name == name:
        return ""
    return f"{part!r}; expected an OutputFormat called {name!r} (see docs/how-to/format.md)"


OUTPUT_FORMATS: Registry[OutputFormat] = Registry("format", fault)
for _format in (
    _lines("best", "SemEval best submission: lexelt id :: answer", ".best", "::", top=1),
    _lines("oot", "SemEval oot submission: lexelt id ::: a;b;c", ".oot", ":::", top=10),
    _lines("gap", "GermEval's GAP scorer: lexelt id :::: a;b;c", ".gap", "::::"),
    _lines("semdis", "SemDis submission: mot.pos id :: a ; b", ".semdis", "::", 10, " ; "),
    OutputFormat(
        "ranked",
        "Melamud et al.: RANKED, lexelt id, substitute score, tab-separated",
        ".ranked",
        plain.read_ranked,
        plain.format_ranked,
    ),
    OutputFormat(
        "swords",
        "SWORDS result JSON",
        ".json",
        plain.read_swords_result,
        plain.format_swords_result,
    ),
    OutputFormat(
        "tsar",
        "TSAR-2022 submission: sentence, word, answers, tab-separated",
        ".tsar.tsv",
        plain.read_tsar,
        plain.refuse,
        10,
        plain.format_tsar,
    ),
    OutputFormat(
        "tsv", "table: id, lexelt, substitute, score", ".tsv", plain.read_tsv, plain.format_tsv
    ),
    OutputFormat(
        "jsonl",
        "JSON Lines: id, lexelt, substitutes, scores",
        ".jsonl",
        plain.read_jsonl,
        plain.format_jsonl,
    ),
    OutputFormat(
        "trec",
        "TREC run: id Q0 substitute rank score tag (of a gold: qrels)",
        ".run",
        trec.read_run,
        trec.format_run,
    ),
):
    OUTPUT_FORMATS.register(_format.name)(_format)


def format_of_name(path: Path) -> OutputFormat:
    """Return the format that a file's name stands for (``x.generated.oot``: oot).

    Raises:
        LexsubError: the name's end stands for none.
    """
    for entry in OUTPUT_FORMATS.values():
        if path.name.endswith(entry.suffix):
            return entry
    suffixes = {entry.suffix for entry in OUTPUT_FORMATS.values()}
    raise LexsubError(
        f"{path}: the name's end tells no format{suggest(path.suffix, suffixes)}: give one with "
        f"--to ({', '.join(OUTPUT_FORMATS)})"
    )


def detect(text: str, path: Path) -> OutputFormat:
    """Tell a file's format by its content.

    Raises:
        FormatError: it is like none of them, or is a gold.
    """
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first:
        raise FormatError(path, None, "is empty; expected a system's output")
    separator = plain.separator_of(text)
    found = None
    if _RUN.fullmatch(first):
        found = "trec"
    elif first.startswith(tuple(f"{head}\t" for head in plain.HEADS)):
        found = "ranked"
    elif _OBJECT.match(first):
        found = "jsonl" if _is_row(first) else "swords"
    elif separator == "::" and is_gold(text):
        problem = "is a gold (every answer has a count); expected a system's output"
        raise FormatError(path, None, problem)
    elif separator == "::":
        found = "semdis" if any(" ; " in line for line in text.split("\n")) else "best"
    elif separator:
        found = {":::": "oot", "::::": "gap"}[separator]
    elif is_simplification(text):
        found = "tsar"
    elif "\t" in first:
        found = "tsv"
    if found is None:
        problem = f"begins with {first[:40]!r}, like none of {', '.join(OUTPUT_FORMATS)}"
        raise FormatError(path, None, f"{problem}: name its format to 'lexsub convert --from'")
    return OUTPUT_FORMATS[found]


def _is_row(line: str) -> bool:
    """Return True if a line is an object with an id and substitutes of its own."""
    try:
        keys = json.loads(line)
    except (ValueError, RecursionError):
        return False  # the first line of an object that is spread out
    return isinstance(keys, dict) and {"id", "substitutes"} <= keys.keys()


def is_gold(text: str) -> bool:
    """Return True if lines look like a gold's: every answer has a count."""
    lines = [line.partition("::")[2] for line in text.split("\n") if line.strip()]
    answers = [answer for line in lines for answer in line.split(";") if answer.strip()]
    return bool(answers) and all(map(_is_counted, answers))


def _is_counted(answer: str) -> bool:
    words = answer.rsplit(maxsplit=1)
    return len(words) == 2 and _COUNT.fullmatch(words[1]) is not None


def read_output(path: Path, name: str | None = None) -> tuple[list[Ranking], OutputFormat]:
    """Read a system's output (``-``: standard input; gzip, bzip2 and xz are unpacked).

    Args:
        path: the file.
        name: its format, or None to tell it by the content.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: it is not what the format says.
        UnknownNameError: no such format.
    """
    chosen = None if name is None else OUTPUT_FORMATS[name]
    text = decode(read_unpacked(path), path)
    chosen = chosen or detect(text, path)
    return chosen.read(text, path), chosen


def top_answers(path: Path, top: int) -> dict[str, Sequence[str]]:
    """Return the first ``top`` answers of each item in a system's output."""
    return {ranking.id: ranking.top(top) for ranking in read_output(path)[0]}


def with_lexelts(rankings: Iterable[Ranking], lexelts: Mapping[str, str]) -> list[Ranking]:
    """Return rankings with the lexelts that a gold or data set has for their ids.

    Raises:
        LexsubError: it has none for an id.
    """
    known = list(rankings)
    lost = [ranking.id for ranking in known if ranking.id not in lexelts]
    if lost:
        raise LexsubError(
            f"item {lost[0]} is not in the gold ({len(lost)} of {len(known)} are not): expected "
            "the gold or data set that the system answered"
        )
    return [replace(ranking, lexelt=lexelts[ranking.id]) for ranking in known]


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
