"""What the makers of tables work with, and what they hand back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from lexsub.data.catalogue import locate
from lexsub.errors import MissingResourceError
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.files import place_of
from lexsub.experiments.config.reading import find_config, read_experiment
from lexsub.experiments.pipeline.runner import Result, run_experiment
from lexsub.resources import Resources

Values = tuple[float | None, ...]

OWN = frozenset({"brown", "brown-text", "coconut-text", "enron", "semdis-runs", "spacy-model"})
"""Resources that the makers of tables ask for; no experiment does."""


@dataclass(frozen=True, slots=True)
class Made:
    """Our figures for a table.

    Attributes:
        rows: row name, as published where it stands for the same thing, to figures in the
            published scale; None where there is no such figure.
        notes: why they differ from the published ones.
    """

    rows: Mapping[str, Values]
    notes: tuple[str, ...] = ()


@dataclass
class Bench:
    """Inputs, and runs that several tables share.

    Attributes:
        resources: data folders, cache, and resources placed by the user.
        folder: where runs are written.
        report: told of each finished stage.
    """

    resources: Resources
    folder: Path
    report: Callable[[str], None]
    _runs: dict[str, Result] = field(default_factory=dict)

    def experiment(self, name: str, only_published: bool = False) -> Experiment:
        """Return a ready experiment, perhaps only its systems with a published row."""
        experiment = read_experiment(find_config(name))
        experiment = experiment.with_run(self.resources.workers, self.resources.backend)
        if not only_published:
            return experiment
        systems = tuple(system for system in experiment.systems if system.published)
        models = {
            model: builder
            for model, builder in experiment.models.items()
            if any(f"'{model}'" in repr(system) for system in systems)
        }
        return replace(experiment, systems=systems, models=models)

    def run(self, name: str, only_published: bool = False) -> Result:
        """Run a ready experiment, once; stages are kept in the cache besides."""
        key = f"{name} {only_published}"
        if key not in self._runs:
            paths = {n: path for n, path in self.resources.paths.items() if n not in OWN}
            given = self.experiment(name, only_published), self.folder / name
            resources = replace(self.resources, paths=paths)
            self._runs[key] = run_experiment(*given, resources, report=self.report)
        return self._runs[key]

    def place(self, name: str, default: str) -> Path:
        """Return the place of a resource: the user's, or a file beside or in a data folder.

        Raises:
            MissingResourceError: it is not there.
        """
        path = self.resources.paths.get(name) or place_of(default, (Path(), *self.resources.data))
        if not path.exists():
            raise MissingResourceError(
                f"{name} is not there (looked for {default} in and beside the data folders): "
                f"place it with --resource {name}=PATH"
            )
        return path

    def check_experiment(self, name: str) -> None:
        """Make sure that an experiment's data and named resources are there.

        Raises:
            MissingResourceError: one is not.
        """
        experiment = self.experiment(name)
        locate(experiment.table.data.partition("/")[0], self.resources.data)
        for resource, path in experiment.table.resources.items():
            self.place(resource, path)
        if "WordNetSource" in repr(experiment.systems):
            from lexsub.wordnet import inputs

            inputs(self.resources)


@dataclass(frozen=True, slots=True)
class Maker:
    """How a table is made.

    Attributes:
        check: raises the error that says what is missing; cheap.
        make: returns our figures.
        inputs: what goes in, in words.
    """

    check: Callable[[Bench], None]
    make: Callable[[Bench], Made]
    inputs: str
