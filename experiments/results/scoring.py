"""The figures of a run, the official ones and those of the config; and the details of rankings.

The details say where each candidate of a ranking comes from and what its score is made of, as JSON
Lines: one item a line, in columns beside those of its ranking: ``{"id": "7", "origins":
[["wordnet: synonym"], …], "parts": {"lm": [-2.1, …]}}``.  A part that is no number is null; parts
are given of the first 30 candidates, which is as many as a report shows.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lexsub.datasets import Gold
from lexsub.evaluation.figures import Figure, scaled
from lexsub.evaluation.measure import Measure, parse_measures
from lexsub.evaluation.resampling import Interval
from lexsub.evaluation.scoring import evaluate
from lexsub.formats.jsonl import json_line, json_rows, read_rankings
from lexsub.formats.semeval_lines import read_submission
from lexsub.rankings import TASKS, Candidate, Ranking, ScoreParts, Submission, Task
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
    lists: dict[Any, Any] = {**read_submissions(answers)}
    if measures:
        lists["ranking"] = read_rankings(rankings)
    wanted = measures_of(answers, measures)
    scores = evaluate(gold, {"system": lists}, wanted, interval=Interval(seed=seed))
    write_text(path, json.dumps([_plain(figure) for figure in scores], indent=1) + "\n")


def read_submissions(files: Mapping[Any, Path]) -> dict[Task, Submission]:
    """Read a system's submissions by task; other files of it are left alone."""
    return {task: read_submission(files[task], task)
            for task in TASKS if task in files}  # fmt: skip


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


EXPLAINED = 30
"""Candidates of a ranking whose score parts are kept."""


@dataclass(frozen=True, slots=True)
class Details:
    """The details of one item's ranking.

    Attributes:
        id: the item.
        origins: for each candidate, best first, the sources that proposed it, each with the
            relation or measure by which it did.
        parts: named values that the score is made of, each in the order of the ranking, for
            the first ``EXPLAINED`` candidates.
    """

    id: str
    origins: tuple[tuple[str, ...], ...]
    parts: Mapping[str, tuple[float | None, ...]]


def details_of(ranking: Ranking, pool: Sequence[Candidate], values: ScoreParts) -> Details:
    """Return the details of an item's ranking.

    Args:
        ranking: the ranking.
        pool: the candidates that were ranked.
        values: what their scores are made of, in their own order.
    """
    places = {candidate.substitute: place for place, candidate in enumerate(pool)}
    order = [places[entry.substitute] for entry in ranking.ranked]
    shown = order[:EXPLAINED]
    return Details(
        ranking.id,
        tuple(_origins(pool[place]) for place in order),
        {name: tuple(_number(column[i]) for i in shown) for name, column in values.items()},
    )


def _origins(candidate: Candidate) -> tuple[str, ...]:
    names = (f"{o.source}: {o.group}" if o.group else o.source for o in candidate.origins)
    return tuple(dict.fromkeys(names))


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def write_details(path: Path, details: Iterable[Details]) -> None:
    """Write details, whole or not at all.

    Raises:
        FileProblemError: the disk refuses.
    """
    rows = ({"id": one.id, "origins": one.origins, "parts": one.parts} for one in details)
    write_text(path, "".join(map(json_line, rows)))


def read_details(path: Path) -> dict[str, Details]:
    """Read details by item id.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: a line that is no such object.
    """
    found = json_rows(path, _read, '{"id": …, "origins": […], "parts": …}')
    return {one.id: one for _, one in found}


def _read(row: dict[str, Any]) -> Details:
    return Details(
        str(row["id"]),
        tuple(tuple(map(str, origins)) for origins in row["origins"]),
        {
            str(name): tuple(None if value is None else float(value) for value in column)
            for name, column in row["parts"].items()
        },
    )
