"""The figures of a run's tables: the official ones of each task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evaluation.official.best_oot import tally
from evaluation.official.gold import read_official_gold
from experiments.tables import Cell
from lexsub.golds import Gold
from lexsub.submissions import Task

COLUMNS: dict[Task, tuple[str, ...]] = {
    "best": ("P", "R", "mode P", "mode R"),
    "oot": ("P", "R", "mode P", "mode R"),
    "mw": ("detection P", "detection R", "identification P", "identification R"),
}


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The figures of one system.

    Attributes:
        name: the system.
        tasks: the cells of the task's columns, by task.
    """

    name: str
    tasks: Mapping[Task, tuple[Cell | None, ...]]

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


def score_files(name: str, gold: Gold, files: Mapping[Task, Path]) -> SystemScores:
    """Score a system's submission files."""
    text = "".join(f"{g.lexelt} {g.id} :: {g.source}\n" for g in gold.items.values())
    read = read_official_gold(text)
    tasks: dict[Task, tuple[Cell | None, ...]] = {}
    for task, path in files.items():
        if task == "mw":
            continue
        t = tally(path.read_text("latin-1"), read, task)
        tasks[task] = tuple(
            Cell(100 * a / b) if b else None
            for a, b in (
                (t.credit, t.attempted),
                (t.credit, read.items),
                (t.mode_hits, t.modes_attempted),
                (t.mode_hits, read.modes),
            )
        )
    return SystemScores(name, tasks)
