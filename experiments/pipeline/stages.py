"""The finished stages of one system with their files, and what the latest stage has just made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from lexsub.experiments.pipeline.makers import answers, rankings
from lexsub.experiments.pipeline.store import Stage
from lexsub.rankings import Task

T = TypeVar("T")


class Latest(Generic[T]):
    """The content of the latest stage of a kind.

    The next stage mostly wants just that, and reading it back costs more than making it.
    """

    def __init__(self) -> None:
        self._key: str | None = None
        self._value: T | None = None

    def made(self, value: T) -> None:
        """Keep what a stage under way has just made; its key follows."""
        self._key, self._value = None, value

    def belongs_to(self, stage: Stage) -> None:
        """Say which stage made the value kept last, if that one was made at all."""
        if self._key is None and not stage.reused:
            self._key = stage.key

    def read(self, stage: Stage, reader: Callable[[Path], T]) -> T:
        """Return the content of a stage's folder, read only if it is not kept."""
        if self._key != stage.key or self._value is None:
            self._key, self._value = stage.key, reader(stage.folder)
        return self._value


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
