"""A checked experiment: its systems and models with their parts made.

Every key is declared in :mod:`lexsub.experiments.config.schema` or by the part it configures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lexsub.experiments.config.schema import ExperimentTable
from lexsub.formats.outputs.catalogue import Kind
from lexsub.parallel import check_backend
from lexsub.parts.base import Boundary, CandidateSource, ModelBuilder, MultiwordSource, Part, Ranker
from lexsub.parts.build import describe_part
from lexsub.rankings import Task


@dataclass(frozen=True, slots=True)
class System:
    """One system with its parts made.

    Attributes:
        name: its name.
        candidates: its candidate source; where it is known by files of answers alone, these.
        ranker: its ranker.
        best: decides the best answers; None where these come from a file, or there are none.
        oot: the same for oot.
        mw: finds multiwords; None for no mw answers, or such from a file.
        published: row of a published table to print beside it.
        answers: files of another program's answers by what they hold; none for a system of ours.
    """

    name: str
    candidates: CandidateSource
    ranker: Ranker
    best: Boundary | None
    oot: Boundary | None
    mw: MultiwordSource | None
    published: str | None
    answers: Mapping[Kind, str] = field(default_factory=dict)

    @property
    def boundaries(self) -> dict[Task, Boundary]:
        """The boundaries of the tasks that have one."""
        both: dict[Task, Boundary | None] = {"best": self.best, "oot": self.oot}
        return {task: boundary for task, boundary in both.items() if boundary is not None}

    @property
    def parts(self) -> list[Part]:
        """All its parts."""
        parts = [self.candidates, self.ranker, *self.boundaries.values(), self.mw]
        return [part for part in parts if part is not None]

    @property
    def has_candidates(self) -> bool:
        """Whether candidates are known: more than the answers of another program."""
        return not self.answers or "ranking" in self.answers

    @property
    def needs_gold(self) -> bool:
        """Whether any part looks at the gold of the data it works on."""
        looks = self.candidates.needs_gold or self.ranker.needs_gold
        return looks or any(boundary.needs_gold for boundary in self.boundaries.values())

    @property
    def needs_tuning(self) -> bool:
        """Whether a boundary learns from a tuning split."""
        return any(boundary.needs_tuning for boundary in self.boundaries.values())


@dataclass(frozen=True, slots=True)
class Experiment:
    """A checked configuration with all parts made; nothing has been read yet.

    Attributes:
        table: the scalars of the file.
        systems: the systems with their parts.
        models: builders by model name, in building order.
        folder: where relative paths of the file start.
    """

    table: ExperimentTable
    systems: tuple[System, ...]
    models: Mapping[str, ModelBuilder]
    folder: Path

    @property
    def parts(self) -> list[Part]:
        """Its models and all parts of its systems."""
        return [*self.models.values(), *(part for one in self.systems for part in one.parts)]

    def with_run(self, workers: int | None, backend: str | None) -> Experiment:
        """Return the experiment with another number of workers or another backend.

        Raises:
            UnknownNameError: joblib has no such backend.
        """
        if backend is not None:
            check_backend(backend)
        changes = {"workers": workers, "backend": backend}
        changes = {key: value for key, value in changes.items() if value is not None}
        return replace(self, table=self.table.model_copy(update=changes))

    def resolved(self) -> dict[str, Any]:
        """Return the configuration with every default filled in, ready to be written as TOML."""
        table = self.table.model_dump(mode="json", exclude={"systems", "models"})
        table["models"] = {
            name: renamed(describe_part(builder), "name", "kind")
            for name, builder in self.models.items()
        }
        table["systems"] = [
            {
                "name": system.name,
                **_origin(system),
                **{t: describe_part(one) for t, one in system.boundaries.items()},
                "mw": system.mw and describe_part(system.mw),
                "published": system.published,
            }
            for system in self.systems
        ]
        resolved: dict[str, Any] = _without_none(table)
        return resolved


def _origin(system: System) -> dict[str, Any]:
    """Return what a system's answers come from, as a config has it."""
    if system.answers:
        return {"answers": dict(system.answers)}
    return {"candidates": describe_part(system.candidates), "ranker": describe_part(system.ranker)}


def renamed(table: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    """Return a table with one key called otherwise."""
    return {new if key == old else key: value for key, value in table.items()}


def _without_none(value: Any) -> Any:
    # TOML has no null: an option that is not set is left out.
    if isinstance(value, dict):
        return {key: _without_none(entry) for key, entry in value.items() if entry is not None}
    if isinstance(value, list | tuple):
        return [_without_none(entry) for entry in value]
    return value
