"""The typed configuration of an experiment, read from TOML.

Every key is declared here or by the part it configures; all faults of a file are reported
at once, each with file, key path, what was found, what was expected and the likely fix.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from boundary import BOUNDARIES
from candidates import BUILDERS as CANDIDATE_BUILDERS
from candidates import DETECTORS, SOURCES
from evaluation.parsing import parse_measures
from experiments.config.published import published_system
from experiments.results.comparison_tables import ComparisonTable
from experiments.results.figure_tables import SLUG, FigureTable
from lexsub.data.catalogue import check_name
from lexsub.data.own_files import is_own_file
from lexsub.errors import ConfigError, FormatError, LexsubError, UnknownNameError, suggest
from lexsub.files import read_text
from lexsub.parallel import check_backend
from lexsub.parts import build_part, describe_part, validate
from lexsub.plugins import load as load_plugin
from lexsub.protocols import Boundary, CandidateSource, ModelBuilder, MultiwordSource, Ranker
from lexsub.registry import Registry
from lexsub.submissions import TASKS
from rankers import BUILDERS as RANKER_BUILDERS
from rankers import RANKERS

Table = str | dict[str, Any]
"""A part: its name alone, or a table with ``name`` and options."""

LONGEST_CONFIG = 1_000_000
"""Characters; a longer file is no experiment."""

OWN_ENDINGS = (".tuning", ".ceiling")
"""A run's own files and rows are named so after its systems."""

OWN_TABLES = (*TASKS, "measures")
"""Tables that every run writes."""


class SystemTable(BaseModel):
    """``[[systems]]``: one system, from candidates to answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=SLUG)
    """Names the system's files and its row in the tables."""
    candidates: Table
    """Candidate source, or ``{ same_as = "NAME" }`` for that of another system."""
    ranker: Table = "order"
    """Ranker over all candidates of an item."""
    best: Table = Field(default_factory=lambda: {"name": "top-n", "n": 1})
    """Boundary that decides the best answers."""
    oot: Table = Field(default_factory=lambda: {"name": "top-n", "n": 10})
    """Boundary that decides the out-of-ten answers."""
    mw: Table | None = None
    """Multiword detector; without one the system answers no mw task."""
    published: str | None = None
    """Row of the published tables to print beside it, as ``mccarthy-navigli-2007/WordNet``."""


class ExperimentTable(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=SLUG)
    """Names the run's folder."""
    title: str = ""
    """Heads the tables."""
    plugins: tuple[str, ...] = ()
    """Files (from this one's folder) and modules that register parts of your own."""
    notes: dict[Literal["all", "best", "oot", "mw", "measures"], tuple[str, ...]] = Field(
        default_factory=dict
    )
    """Printed under a task's table, or under all: what differs from the published set-up."""
    data: str
    """Data set and split, as ``semeval2007/test``."""
    tuning: str | None = None
    """Data set and split on which boundaries may learn, as ``semeval2007/trial``."""
    seed: int = Field(default=0, ge=0)
    """Seed of everything random."""
    workers: int = Field(default=1, ge=1)
    """Processes for the parallel stages; the output does not depend on it."""
    backend: str = "loky"
    """joblib backend of the parallel stages: loky, threading, dask …."""
    normalisation: Literal["official", "clean", "lemma"] | None = None
    """How answers are compared with the gold; by default as the data set has it: ``official`` for
    ``semeval2007/test`` and ``trial``, whose published figures are the official scorer's, else
    ``clean``."""
    measures: tuple[str, ...] = ()
    """Measures beyond those of the official tables, by their names."""
    resources: dict[str, str] = Field(default_factory=dict)
    """Places of resources by name, looked for beside the config file, in the data folders, and
    beside these."""
    models: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Models to train first, each a table with ``kind`` and options, in this order; with
    ``same_as = "NAME"`` what it does not say is as that model has it."""
    tables: tuple[FigureTable, ...] = ()
    """Further tables, beside those of the official tasks."""
    comparisons: tuple[ComparisonTable, ...] = ()
    """Paired tests between systems of the run."""
    systems: tuple[SystemTable, ...] = Field(min_length=1)
    """The systems to run."""


@dataclass(frozen=True, slots=True)
class System:
    """One system with its parts made."""

    name: str
    candidates: CandidateSource
    ranker: Ranker
    best: Boundary
    oot: Boundary
    mw: MultiwordSource | None
    published: str | None

    @property
    def needs_gold(self) -> bool:
        """Whether any part looks at the gold of the data it works on."""
        # Of candidate sources only those say so that look at a gold.
        source = bool(getattr(self.candidates, "needs_gold", False))
        return source or any(part.needs_gold for part in (self.ranker, self.best, self.oot))

    @property
    def needs_tuning(self) -> bool:
        """Whether a boundary learns from a tuning split."""
        return self.best.needs_tuning or self.oot.needs_tuning


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
            name: _rename(describe_part(_builders(builder), builder), "name", "kind")
            for name, builder in self.models.items()
        }
        table["systems"] = [
            {
                "name": system.name,
                "candidates": describe_part(SOURCES, system.candidates),
                "ranker": describe_part(RANKERS, system.ranker),
                "best": describe_part(BOUNDARIES, system.best),
                "oot": describe_part(BOUNDARIES, system.oot),
                "mw": system.mw and describe_part(DETECTORS, system.mw),
                "published": system.published,
            }
            for system in self.systems
        ]
        resolved: dict[str, Any] = _without_none(table)
        return resolved


def find_config(name: str) -> Path:
    """Return the path of a config: a bare name is a ready one, all else (a/b, x.toml) a file.

    Whatever file or folder has such a name in the current folder is not looked at: it may be
    somebody else's, and a config can run code.

    Raises:
        UnknownNameError: no ready one has this name; lists the nearest ones.
    """
    path = Path(name)
    if path.suffix == ".toml" or "/" in name or os.sep in name:
        return path
    ready = ready_configs()
    if name in ready:
        return ready[name]
    if path.exists():
        raise LexsubError(f"{name!r} is no ready experiment; a file is named with its folder: "
                          f"./{name} (ready: {', '.join(sorted(ready))})")  # fmt: skip
    raise UnknownNameError("experiment", name, ready)


def ready_configs() -> dict[str, Path]:
    """Return the configs that come with this package, by name and in its order."""
    return {entry.stem: entry for entry in sorted(Path(__file__).parent.parent.glob("*.toml"))}


def read_experiment(path: Path) -> Experiment:
    """Read and check an experiment file.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: it is not TOML; names line and column.
        ConfigError: anything in it is not as declared; all faults at once.
    """
    table = read_table(path)
    try:
        return make_experiment(table, path.parent)
    except ConfigError as error:
        raise ConfigError(f"{path}: {problem}" for problem in error.problems) from error


def read_table(path: Path) -> dict[str, Any]:
    """Read an experiment file without checking what it says.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: it is not TOML; names line and column.
    """
    text = read_text(path)
    if len(text) > LONGEST_CONFIG:
        raise FormatError(
            path, None, f"has {len(text)} characters; expected an experiment's TOML file"
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(path, _line_of(error, text), f"not valid TOML: {error}") from error
    except RecursionError as error:
        raise FormatError(path, None, "is nested too deeply; expected flat tables") from error
    except ValueError as error:
        # Python itself reads no number of more than some thousand digits.
        raise FormatError(path, None, f"holds a number that is far too long ({error})") from error


def make_experiment(
    table: Mapping[str, Any], folder: Path, *, with_plugins: bool = True
) -> Experiment:
    """Check a configuration table and make its parts.

    Args:
        table: the configuration.
        folder: where its relative paths start.
        with_plugins: import the plugins that it names, which runs their code.

    Raises:
        ConfigError: anything in it is not as declared; all faults at once.
    """
    problems: list[str] = []
    collect = _Collector(problems)
    table = with_own_files(table, folder)
    whole = collect(lambda: validate(ExperimentTable, table, ""), "")
    if whole is None:
        whole = validate(ExperimentTable, _sound_part(table), "")
    for plugin in whole.plugins if with_plugins else ():
        collect(partial(load_plugin, plugin, folder), "plugins")
    if any(problem.startswith("plugins") for problem in problems):
        # Names that it would have registered are no mistakes of their own.
        raise ConfigError(problems)
    collect(lambda: check_backend(whole.backend), "backend")
    collect(lambda: check_name(whole.data), "data")
    if whole.tuning is not None:
        tuning = whole.tuning
        collect(lambda: check_name(tuning), "tuning")
    if whole.measures:
        collect(lambda: parse_measures(whole.measures), "measures")
    names = [system.name for system in whole.systems]
    # Some file systems do not tell A from a.
    lower = [name.lower() for name in names]
    problems += [
        f"systems[{index}].name: {name!r} stands twice; expected one name a system"
        for index, name in enumerate(names)
        if name.lower() in lower[:index]
    ]
    problems += [
        f"systems[{index}].name: {name!r} ends as a file that a run writes itself; expected no "
        f"name that ends in {' or '.join(OWN_ENDINGS)}"
        for index, name in enumerate(names)
        if name.endswith(OWN_ENDINGS)
    ]
    taken = dict.fromkeys(OWN_TABLES, "a table of every run")
    for key, tables in (("tables", whole.tables), ("comparisons", whole.comparisons)):
        for index, one in enumerate(tables):
            if one.name.lower() in taken:
                problems.append(f"{key}[{index}].name: {one.name!r} is the name of "
                                f"{taken[one.name.lower()]}; choose another")  # fmt: skip
            taken[one.name.lower()] = f"{key}[{index}]"
            collect(partial(parse_measures, one.measures), f"{key}[{index}].measures")
    problems += [
        f"comparisons[{index}].systems[{place}]: no system {name!r}{suggest(name, names)}"
        for index, comparison in enumerate(whole.comparisons)
        for place, name in enumerate(comparison.systems)
        if name not in names
    ]
    models = {name: collect(partial(_build_model, name, whole.models), "") for name in whole.models}
    systems = [
        _build_system(entry, f"systems[{index}]", whole.systems, collect)
        for index, entry in enumerate(whole.systems)
    ]
    problems += [
        f"systems[{index}]: a boundary of {system.name!r} looks at system {other!r}"
        f"{suggest(other, names)}"
        for index, system in enumerate(systems)
        for boundary in (system.best, system.oot)
        for other in getattr(boundary, "others", ())
        if other not in names
    ]
    problems += [
        f"systems[{index}]: a boundary of {system.name!r} learns from a tuning split and the file "
        "names none; add tuning = 'semeval2007/trial', or another"
        for index, system in enumerate(systems)
        if whole.tuning is None and all((system.best, system.oot)) and system.needs_tuning
    ]
    if problems:
        raise ConfigError(problems)
    # A run's folder keeps the config; plugins must be found from there, too.
    found = tuple(
        str((folder / plugin).resolve()) if plugin.endswith(".py") else plugin
        for plugin in whole.plugins
    )
    whole = whole.model_copy(update={"plugins": found})
    return Experiment(whole, tuple(systems), models, folder)


def with_own_files(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a configuration with its own data and functions found from the folder it stands in.

    A run's folder keeps the config, and they must be found from there, too.  A ranker
    ``my_file.py:my_function`` stands for ``{ name = "function", call = … }``.
    """

    def placed(name: Any) -> Any:
        if isinstance(name, list):
            return [placed(entry) for entry in name]
        if isinstance(name, str) and is_own_file(name):
            return str((folder / name).resolve())
        return name

    def with_places(one: Mapping[str, Any]) -> dict[str, Any]:
        return {key: placed(one[key]) if key in ("data", "tuning") else one[key] for key in one}

    def with_function(system: Any) -> Any:
        ranker = system.get("ranker") if isinstance(system, dict) else None
        if isinstance(ranker, str) and ":" in ranker:
            ranker = {"name": "function", "call": ranker}
        if not (isinstance(ranker, dict) and isinstance(call := ranker.get("call"), str)):
            return system
        file, _, name = call.rpartition(":")
        if file.endswith(".py"):
            ranker = ranker | {"call": f"{(folder / file).resolve()}:{name}"}
        return system | {"ranker": ranker}

    found = with_places(table)
    if isinstance(systems := table.get("systems"), list):
        found["systems"] = [with_function(system) for system in systems]
    if isinstance(models := table.get("models"), dict):
        found["models"] = {
            name: with_places(model) if isinstance(model, dict) else model
            for name, model in models.items()
        }
    return found


def _sound_part(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is sound of a faulty table, so that its parts can be looked at all the same.

    Stand-ins without fault take the place of what a table cannot do without.
    """
    stand_ins = {"name": "x", "data": "tutorial/test", "systems": [_stand_in(0)]}
    if "tuning" in table:
        stand_ins["tuning"] = "tutorial/trial"
    given = dict(table)
    if isinstance(systems := given.get("systems"), list) and systems:
        given["systems"] = [
            _sound(SystemTable, entry if isinstance(entry, dict) else {}, _stand_in(index))
            for index, entry in enumerate(systems)
        ]
    return _sound(ExperimentTable, given, stand_ins)


def _stand_in(index: int) -> dict[str, Any]:
    return {"name": f"system-{index}-without-name", "candidates": "wordnet"}


def _sound(
    model: type[BaseModel], table: Mapping[str, Any], stand_ins: Mapping[str, Any]
) -> dict[str, Any]:
    sound = dict(stand_ins)
    for key, value in table.items():
        try:
            validate(model, {**stand_ins, key: value}, "")
        except ConfigError:
            continue
        sound[key] = value
    return sound


T = TypeVar("T")


@dataclass(frozen=True)
class _Collector:
    """Runs a step and keeps its faults instead of stopping at the first."""

    problems: list[str]

    def __call__(self, step: Callable[[], Any], where: str) -> Any:
        try:
            return step()
        except ConfigError as error:
            self.problems.extend(error.problems)
        except LexsubError as error:
            self.problems.append(f"{where}: {error}" if where else str(error))
        return None


def _build_system(
    entry: SystemTable, where: str, others: Sequence[SystemTable], collect: _Collector
) -> System:
    def part(registry: Registry[Any], table: Table, key: str) -> Any:
        return collect(lambda: build_part(registry, table, f"{where}.{key}"), "")

    if entry.published is not None:
        name = entry.published
        collect(lambda: published_system(name), f"{where}.published")
    return System(
        name=entry.name,
        candidates=collect(
            lambda: build_part(SOURCES, _source_table(entry, where, others), f"{where}.candidates"),
            "",
        ),
        ranker=part(RANKERS, entry.ranker, "ranker"),
        best=part(BOUNDARIES, entry.best, "best"),
        oot=part(BOUNDARIES, entry.oot, "oot"),
        mw=None if entry.mw is None else part(DETECTORS, entry.mw, "mw"),
        published=entry.published,
    )


def _source_table(entry: SystemTable, where: str, others: Sequence[SystemTable]) -> Table:
    if not isinstance(entry.candidates, dict) or "same_as" not in entry.candidates:
        return entry.candidates
    name: object = entry.candidates["same_as"]
    more = sorted(entry.candidates.keys() - {"same_as"})
    if more:
        raise ConfigError([f"{where}.candidates.{more[0]}: expected no other key beside same_as"])
    tables: dict[str, Table] = {o.name: o.candidates for o in others if o is not entry}
    if not isinstance(name, str) or name not in tables:
        hint = suggest(str(name), tables)
        raise ConfigError([f"{where}.candidates.same_as: no other system {name!r}{hint}"])
    found = tables[name]
    if isinstance(found, dict) and "same_as" in found:
        raise ConfigError([f"{where}.candidates.same_as: {name!r} has its candidates from another "
                           "system itself; name that one"])  # fmt: skip
    return found


def _model_table(name: str, models: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    table = dict(models[name])
    if "same_as" not in table:
        return table
    of, where = table.pop("same_as"), f"models.{name}.same_as"
    if not isinstance(of, str) or of == name or of not in models:
        others = [other for other in models if other != name]
        raise ConfigError([f"{where}: no other model {of!r}{suggest(str(of), others)}"])
    if "same_as" in models[of]:
        raise ConfigError([f"{where}: {of!r} is like another model itself; name that one"])
    return {**models[of], **table}


def _build_model(name: str, models: Mapping[str, Mapping[str, Any]]) -> Any:
    table, where = _model_table(name, models), f"models.{name}"
    kind = table.get("kind")
    if not isinstance(kind, str):
        raise ConfigError([f"{where}.kind: {kind!r}; expected the name of a model kind, as 'lm'"])
    registry = next((one for one in (CANDIDATE_BUILDERS, RANKER_BUILDERS) if kind in one), None)
    if registry is None:
        known = ", ".join(sorted([*CANDIDATE_BUILDERS, *RANKER_BUILDERS]))
        raise ConfigError([f"{where}.kind: unknown model kind {kind!r} (known: {known})"])
    return build_part(registry, _rename(table, "kind", "name"), where)


def _builders(builder: ModelBuilder) -> Registry[Any]:
    for registry in (CANDIDATE_BUILDERS, RANKER_BUILDERS):
        if registry.name_of(type(builder)) is not None:
            return registry
    raise ValueError(f"{builder!r} is not registered")


def _rename(table: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    return {new if key == old else key: value for key, value in table.items()}


def _without_none(value: Any) -> Any:
    # TOML has no null: an option that is not set is left out.
    if isinstance(value, dict):
        return {key: _without_none(entry) for key, entry in value.items() if entry is not None}
    if isinstance(value, list | tuple):
        return [_without_none(entry) for entry in value]
    return value


def _line_of(error: tomllib.TOMLDecodeError, text: str) -> int | None:
    if "end of document" in str(error):
        return max(len(text.splitlines()), 1)
    words = str(error).replace(",", " ").replace(")", " ").split()
    return int(words[words.index("line") + 1]) if "line" in words else None
