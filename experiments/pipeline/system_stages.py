"""The finished stages of one system, and the files they leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lexsub.experiments.pipeline.makers import answers, rankings
from lexsub.experiments.pipeline.store import Stage
from lexsub.submissions import Task


@dataclass(frozen=True, slots=True)
class SystemStages:
    """The finished stages of one system.

    Attributes:
        name: the system.
        rankings: its rankings.
        tuning: its rankings of the tuning split, where the experiment has one.
        answers: its answers by task.
    """

    name: str
    rankings: Stage
    tuning: Stage | None
    answers: Mapping[Task, Stage]

    def files(self) -> dict[str, Path]:
        """Return its files by the names they get in the run's folder."""
        files = {f"rankings/{self.name}.jsonl": self.ranking}
        if self.tuning is not None:
            files[f"rankings/{self.name}.tuning.jsonl"] = self.tuning.folder / rankings.FILE
        return files | {f"{self.name}.{task}": path for task, path in self.submissions().items()}

    @property
    def ranking(self) -> Path:
        """The file of its rankings."""
        return self.rankings.folder / rankings.FILE

    def submissions(self) -> dict[Task, Path]:
        """Return the files of its answers by task."""
        return {task: stage.folder / answers.FILE for task, stage in self.answers.items()}
