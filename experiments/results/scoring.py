"""The figures of a run: the official ones of each task, and those the config adds."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lexsub.evaluation.figures import Figure, scaled
from lexsub.evaluation.measure import Measure
from lexsub.evaluation.parsing import parse_measures
from lexsub.evaluation.resampling import Interval
from lexsub.evaluation.scoring import evaluate
from lexsub.formats.jsonl import read_rankings
from lexsub.formats.semeval_lines import read_submission
from lexsub.golds import Gold
from lexsub.rankings import TASKS, Task
from lexsub.storage.files import read_text, write_text
from lexsub.tables import Number

HEADERS: dict[Task, tuple[str, ...]] = {
    "best": ("P", "R", "mode P", "mode R"),
    "oot": ("P", "R", "mode P", "mode R"),
    "mw": ("detection P", "detection R", "identification P", "identification R"),
}
"""Column headers of a task's table, in the order of the group of measures of that name."""


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The figures of one system.

    Attributes:
        name: the system.
        tasks: the tasks it answers.
        figures: its figures, by measure as it prints.
    """

    name: str
    tasks: tuple[Task, ...]
    figures: Mapping[str, Figure]

    def cells(self, measures: Sequence[str]) -> tuple[Number | None, ...]:
        """Return the table cells of some measures; None where a figure is undefined."""
        return tuple(_cell(self.figures.get(measure)) for measure in measures)

    def task_cells(self, task: Task) -> tuple[Number | None, ...]:
        """Return the cells of a task's table."""
        return self.cells(measure_names(task))

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON values; undefined figures are null."""
        return {"system": self.name, "figures": [_plain(f) for f in self.figures.values()]}


def task_measures(name: str) -> tuple[str, ...]:
    """Return the measures of the columns of a task's table; none for another table."""
    return measure_names(name) if name in TASKS else ()


def measure_names(measures: str) -> tuple[str, ...]:
    """Return the names of the single measures that a list of names and groups stands for.

    Raises:
        LexsubError: one that does not exist.
    """
    return tuple(str(measure) for measure in parse_measures(measures))


def measures_of(tasks: Collection[Task], measures: Sequence[str]) -> tuple[Measure, ...]:
    """Return the measures of some tasks and the config's own, in the order of the figures.

    Raises:
        LexsubError: one that does not exist.
    """
    return parse_measures([*(task for task in TASKS if task in tasks), *measures])


def write_figures(
    path: Path,
    gold: Gold,
    answers: Mapping[Task, Path],
    rankings: Path,
    measures: Sequence[str],
    seed: int,
) -> None:
    """Score a system's files and write its figures as JSON.

    Args:
        path: the file to write.
        gold: the gold.
        answers: submission files by task.
        rankings: the rankings file, for measures of whole rankings.
        measures: measures beyond those of the tasks.
        seed: seed of the bootstrap behind the 95 % intervals.

    Raises:
        LexsubError: a measure that does not exist or cannot work on this gold.
    """
    lists: dict[str, Any] = {
        task: read_submission(file, task, strict=False) for task, file in answers.items()
    }
    if measures:
        lists["ranking"] = read_rankings(rankings)
    wanted = measures_of(answers, measures)
    scores = evaluate(gold, {"system": lists}, wanted, interval=Interval(seed=seed))
    write_text(path, json.dumps([_plain(figure) for figure in scores], indent=1) + "\n")


def read_figures(path: Path, name: str, tasks: Sequence[Task]) -> SystemScores:
    """Read back what :func:`write_figures` wrote."""
    return SystemScores(name, tuple(tasks), figures_of(json.loads(read_text(path)), system=name))


def figures_of(rows: Iterable[Mapping[str, Any]], **changed: str) -> dict[str, Figure]:
    """Return figures that stood in JSON, by measure; some of their fields may be changed."""
    figures = {}
    for row in rows:
        undefined = {key: math.nan for key in _NUMBERS if row[key] is None}
        figures[row["measure"]] = Figure(**{**row, **undefined, **changed})
    return figures


_NUMBERS = ("value", "low", "high")


def _plain(figure: Figure) -> dict[str, Any]:
    row = asdict(figure)
    return row | {key: None if math.isnan(row[key]) else row[key] for key in _NUMBERS}


def _cell(figure: Figure | None) -> Number | None:
    if figure is None or math.isnan(figure.value):
        return None
    return scaled(figure.value, figure.unit, figure.low, figure.high)
