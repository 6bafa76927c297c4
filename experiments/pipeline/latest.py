"""What a stage has just made, kept for the next one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from lexsub.experiments.pipeline.store import Stage

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
