"""The line formats of SemEval-2007 Task 10: golds and submissions.

Gold: ``bright.a 7 :: clever 3;intelligent 2;``.  Submission: ``bright.a 7 :: clever`` for
best, ``bright.a 7 ::: clever;intelligent`` for oot, ``take.v 9 :: take part`` for mw.  The
patterns are those of the official scorer (METHODS 1.2 of the specification): ASCII, not
anchored on the left, single blanks, the one after the colons included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lexsub.datasets import GoldItem
from lexsub.errors import FormatError, LexsubError, Place, cut
from lexsub.matching.script import pieces
from lexsub.rankings import SEPARATORS, TASKS, Answer, Submission, Task
from lexsub.storage.files import CARRIAGE_RETURNS, read_text

# The look-behind changes no match, but keeps a very long word from being tried at every letter.
PATTERNS: dict[Task, re.Pattern[str]] = {
    "best": re.compile(r"(?<![\w.])([\w.]+) (\S+) :: (.*)", re.ASCII),
    "oot": re.compile(r"(?<![\w.])([\w.]+) (\S+) ::: (.*)", re.ASCII),
    "mw": re.compile(r"(?<![\w.])([\w.]+)\s+(\d+)\s*::\s*(.*)", re.ASCII),
}

LONGEST_LINE = 1_000_000
"""Characters; no line of a data set or submission comes near, so a longer one is a mistake."""

# A lexelt with blanks (CoInCo's "fourth quarter.n 233") must end in a full stop and letters.
_LEXELT_END = re.compile(r"\.[A-Za-z.]+$")
# A count in the middle, as in "clever 3,intelligent 2": another sign than ; parts the answers.
_JOINED = re.compile(r"\s[0-9]+(?:\.[0-9]+)?\s*([,|])\s*[^\W\d]")
_RESPONSE = re.compile(r"(.*\S)\s+([0-9]{1,9}(?:\.[0-9]{1,15})?)")


def lines_of(text: str) -> list[str]:
    """Split at line feeds only, as Perl does; a carriage return stays on its line."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def placed_lines(text: str, path: Path) -> Iterator[tuple[Place, str]]:
    """Yield a file's lines that are not blank, each with its place; they end at LF alone.

    Raises:
        FormatError: a line longer than ``LONGEST_LINE``, or a file whose lines end with a
            carriage return alone: it would be one line.
    """
    if "\n" not in text and "\r" in text.rstrip("\r"):
        raise FormatError(path, 1, CARRIAGE_RETURNS)
    for number, line in enumerate(lines_of(text), start=1):
        at = Place(path, number)
        if len(line) > LONGEST_LINE:
            size = f"{len(line)} characters; expected lines of at most {LONGEST_LINE}"
            raise at.fault(f"{short(line)} has {size}")
        if line.strip():
            yield at, line


def parse_gold(text: str, path: Path) -> dict[str, GoldItem]:
    """Read a best/oot or mw gold file.

    A substitute given twice in one line gets the sum of its counts (test item 801 of
    SemEval-2007 has one); the official scorer's own reading works on ``source``.

    Raises:
        FormatError: a line of another shape, an answer without its count, a repeated id,
            or no line at all.
    """
    items: dict[str, GoldItem] = {}
    for at, raw in placed_lines(text, path):
        line = raw.rstrip("\r")
        fields = _gold_fields(line)
        if fields is None:
            raise at.fault(f"{short(line)}; expected 'lexelt id :: substitute count;…'")
        lexelt, item_id, answers = fields
        if line.partition(" ::")[2].startswith(":"):
            meant = "separator ':::' is that of oot; expected '::' in a gold"
            raise at.fault(f"{short(line)}: {meant}")
        if item_id in items:
            raise at.fault(f"id {item_id} stands twice (first on line {items[item_id].line})")
        weights: dict[str, float] = {}
        for piece in pieces(answers.rstrip()):
            response = _RESPONSE.fullmatch(piece.strip())
            if response is None:
                raise at.fault(
                    f"answer {short(piece)} has no count; expected 'substitute count' "
                    "(is this a submission, not a gold?)"
                )
            if joined := _JOINED.search(response[1]):
                parted = f"are parted by {joined[1]!r}; expected semicolons"
                raise at.fault(f"answers {short(piece)} {parted}")
            weights[response[1]] = weights.get(response[1], 0.0) + float(response[2])
        items[item_id] = GoldItem(item_id, lexelt, weights, answers, at.line)
    if not items:
        raise FormatError(path, None, "holds no gold line; expected 'lexelt id :: substitute 1;'")
    return items


def _gold_fields(line: str) -> tuple[str, str, str] | None:
    """Return lexelt, id and answers of a gold line; None if it is not of this format."""
    head, separator, answers = line.partition(" ::")
    lexelt, _, item_id = head.rpartition(" ")
    words = lexelt.split()
    if not separator or not words or item_id.split() != [item_id] or lexelt[0].isspace():
        return None
    if words != [lexelt] and (":" in lexelt or not _LEXELT_END.search(lexelt)):
        return None
    return lexelt, item_id, answers.lstrip()


def format_gold(items: Iterable[GoldItem]) -> str:
    """Return the file text of a gold: substitutes by falling weight, ties in their order.

    Whole weights are written without a decimal point, others with six digits; weights of 0
    and items left without any are omitted, because the format knows only answers.

    Raises:
        LexsubError: a lexelt, id, substitute or weight that the format cannot hold.
    """
    lines = []
    for item in items:
        ranked = sorted(item.positive.items(), key=lambda pair: -pair[1])
        written = [f"{name} {weight:.6f}".rstrip("0").rstrip(".") for name, weight in ranked]
        for (substitute, _), piece in zip(ranked, written, strict=True):
            if ";" in substitute:
                raise LexsubError(
                    f"item {item.id}: substitute {substitute!r} holds a semicolon, which "
                    "separates answers in a gold file: remove the item or the substitute"
                )
            response = _RESPONSE.fullmatch(piece)
            same = response is not None and response[1] == substitute == substitute.strip()
            if not same or _JOINED.search(substitute):
                raise LexsubError(
                    f"item {item.id}: {piece!r} is no substitute and count as a gold file can hold "
                    "them: remove the item or the substitute"
                )
        if ranked:
            answers = "".join(f"{piece};" for piece in written)
            line = f"{item.lexelt} {item.id} :: {answers}"
            if "\r" in line or _gold_fields(line) != (item.lexelt, item.id, answers):
                raise LexsubError(
                    f"item {item.id!r} of {item.lexelt!r} cannot stand in a gold file; expected a "
                    "lexelt as bright.a and an id of one word"
                )
            lines.append(line + "\n")
    return "".join(lines)


def read_submission(path: Path, task: Task) -> Submission:
    """Read a submission file; lines of another shape are kept in ``rejected``.

    Args:
        path: the file, ``-`` for standard input.
        task: best, oot or mw.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: not UTF-8, or a line that is too long to be meant.
    """
    return parse_submission(read_text(path), path, task)


def parse_submission(text: str, path: Path, task: Task) -> Submission:
    """Read a submission from a file's text; see :func:`read_submission`."""
    pattern = PATTERNS[task]
    answers: list[Answer] = []
    rejected: list[tuple[int, str]] = []
    for at, line in placed_lines(text, path):
        match = pattern.search(line)
        if match is not None:
            lexelt, item_id, rest = match.groups()
            substitutes = [rest] if task == "mw" else pieces(rest)
            answers.append(Answer(lexelt, item_id, tuple(substitutes), at.line))
        else:
            rejected.append((at.line, line))
    return Submission(path.name, task, tuple(answers), tuple(rejected))


def no_answers(lines: Sequence[str], task: Task) -> str:
    """Say why a file whose lines these are holds no answer of a task."""
    if not any(line.strip() for line in lines):
        return f"is empty; expected lines {_shape(task)}"
    for other in TASKS:
        if other != task and any(map(PATTERNS[other].search, lines)):
            return (
                f"holds no {task} answer, but lines with {SEPARATORS[other]!r}, as {other} has "
                f"them; expected {_shape(task)} (if {other} is meant: --task {other})"
            )
    return f"holds no {task} answer; expected lines {_shape(task)}"


def task_of_lines(lines: Sequence[str]) -> Task | None:
    """Return the task whose lines these are, where they say; those of best and mw look alike."""
    if any(map(PATTERNS["oot"].search, lines)) and not any(map(PATTERNS["best"].search, lines)):
        return "oot"
    return None


def format_submission(answers: Iterable[Answer], task: Task) -> str:
    """Return the file text of a submission; items without an answer get no line.

    An empty answer is left out, because the official scorer would lend a blank one the
    previous item's answers.

    Raises:
        LexsubError: a lexelt, id or answer that holds what parts lines, fields or answers.
    """
    return "".join(_answer_line(answer, task) for answer in answers if any(answer.substitutes))


def _answer_line(answer: Answer, task: Task) -> str:
    if answer.id.split() != [answer.id] or {*"\r\n"} & {*answer.lexelt}:
        raise LexsubError(
            f"item {answer.id!r} of {answer.lexelt!r} cannot stand in a submission; expected an id "
            "of one word"
        )
    parting = "\r\n" if task == "mw" else "\r\n;"
    for substitute in answer.substitutes:
        if any(mark in substitute for mark in parting):
            raise LexsubError(
                f"item {answer.id}: {substitute!r} cannot stand in a submission, where semicolons "
                "part answers and line ends items"
            )
    return f"{answer.lexelt} {answer.id} {SEPARATORS[task]} {';'.join(answer.substitutes)}\n"


def _shape(task: Task) -> str:
    answers = "multiword" if task == "mw" else "answer;answer"
    return f"'lexelt id {SEPARATORS[task]} {answers}' with single blanks"


def short(text: str) -> str:
    """Return a text for a message, cut where it is long."""
    return repr(cut(text))
