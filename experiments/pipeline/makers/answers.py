"""Answers: what a boundary leaves of rankings, and the multiwords that a detector finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from lexsub.datasets import Dataset
from lexsub.formats.semeval_lines import format_submission
from lexsub.parts.base import Boundary, BoundaryContext, MultiwordSource
from lexsub.parts.checked import checked_cut, with_method
from lexsub.rankings import Answer, Ranking, Task
from lexsub.resources import Resources
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import write_bytes, write_text

FILE = "answers"


def write(draft: Path, answers: Iterable[Answer], task: Task) -> None:
    """Write a submission."""
    write_text(draft / FILE, format_submission(answers, task))


def take(draft: Path, path: Path) -> None:
    """Keep the answers of another program's file, byte by byte."""
    write_bytes(draft / FILE, read_unpacked(path))


def cut(part: Boundary, context: BoundaryContext, rankings: Sequence[Ranking]) -> list[Answer]:
    """Return the answers that a boundary leaves of each ranking; items with none are left out."""
    cutter = with_method(part.fit(context), "cut", part)
    numbers = (checked_cut(cutter.cut(ranking), ranking, part) for ranking in rankings)
    answers = (
        Answer(ranking.lexelt, ranking.id, ranking.top(number))
        for ranking, number in zip(rankings, numbers, strict=True)
    )
    return [answer for answer in answers if answer.substitutes]


def detect(part: MultiwordSource, resources: Resources, data: Dataset) -> list[Answer]:
    """Return the multiword of every item that has one."""
    detector = with_method(part.open(resources), "multiword", part)
    found = ((item, detector.multiword(item)) for item in data.items)
    return [
        Answer(str(item.lexelt), item.id, (multiword,)) for item, multiword in found if multiword
    ]
