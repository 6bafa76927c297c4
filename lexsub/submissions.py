"""Submissions: the answers of one system in one of the three tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Task = Literal["best", "oot", "mw"]
TASKS: tuple[Task, ...] = ("best", "oot", "mw")

# The blank-separated sign between an item's id and its answers.
SEPARATORS: dict[Task, str] = {"best": "::", "oot": ":::", "mw": "::"}


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of a submission.

    Attributes:
        lexelt: the target word type, as the file writes it; never compared with the gold's.
        id: the item's id.
        substitutes: the answers as the file writes them (split on ``;``, not trimmed, inner
            and leading blanks kept, trailing ones gone, as the official scorer splits); for
            mw the one multiword.
        line: 1-based line in the file, 0 for answers that come from no file.
    """

    lexelt: str
    id: str
    substitutes: tuple[str, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Submission:
    """A system's answers in file order, repeated ids included.

    Attributes:
        name: the system's name.
        task: best, oot or mw.
        answers: every line that has the format's shape.
        rejected: (1-based line number, line) of non-blank lines that do not.
    """

    name: str
    task: Task
    answers: tuple[Answer, ...]
    rejected: tuple[tuple[int, str], ...] = ()
