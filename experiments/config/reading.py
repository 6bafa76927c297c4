"""Experiments by name or file: TOML, read and checked, to parts; all faults are told at once."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from lexsub.data.catalogue import check_name, language_named, tuning_for
from lexsub.errors import ConfigError, FormatError, LexsubError, UnknownNameError, suggest
from lexsub.evaluation.measure import parse_measures
from lexsub.experiments.config.derived import base_of, build_on, model_table, source_table
from lexsub.experiments.config.experiment import Experiment, System, renamed
from lexsub.experiments.config.files import from_elsewhere, with_answers, with_own_files
from lexsub.experiments.config.published import published_figures
from lexsub.experiments.config.schema import ExperimentTable, SystemTable, Table
from lexsub.parallel import check_backend
from lexsub.parts.base import BOUNDARIES, BUILDERS, DETECTORS, RANKERS, SOURCES
from lexsub.parts.build import build_part, validate
from lexsub.parts.plugins import load as load_plugin
from lexsub.parts.registry import Registry
from lexsub.rankings import TASKS
from lexsub.storage.addresses import resolved
from lexsub.storage.files import read_text

READY = Path(__file__).parent.parent
"""The folder of the ready configs."""

LONGEST_CONFIG = 1_000_000
"""Characters; a longer file is no experiment."""


def find_config(name: str) -> Path:
    """Return the path of a config: a bare name is a ready one, all else (a/b, x.toml) a file.

    Whatever file or folder has such a name in the current folder is not looked at: it may be
    of another person, and a config can run code.

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
        raise LexsubError(
            f"{name!r} is no ready experiment; a file is named with its folder: "
            f"./{name} (ready: {', '.join(offered_configs())})"
        )
    raise UnknownNameError("experiment", name, ready)


def offered_configs() -> dict[str, Path]:
    """Return the ready configs that users are shown, by name and in its order."""
    return {entry.stem: entry for entry in sorted(READY.glob("*.toml"))}


def ready_configs() -> dict[str, Path]:
    """Return all configs that come with this package, by name and in its order.

    Beside those that are offered there are the records of research (folder ``records``): what the
    figures of RESULTS.md were made by.
    """
    found = [*READY.glob("*.toml"), *(READY / "records").glob("*.toml")]
    return {entry.stem: entry for entry in sorted(found, key=lambda entry: entry.name)}


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
        base = _base(path, _parsed(path))
        if base is not None:
            read_experiment(base)  # Faults of that file are told with its name.
        raise error.at(path) from error


def read_table(path: Path, above: tuple[Path, ...] = ()) -> dict[str, Any]:
    """Read an experiment file, with what it is built on, without checking what it says.

    Args:
        path: the file.
        above: the files that are built on it.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: it is not TOML; names line and column.
        ConfigError: what it is built on is not there, or built on it in turn; what it leaves out
            is not there.
    """
    table = _parsed(path)
    base = _base(path, table)
    if base is None:
        return table
    chain = (*above, path)
    if _place(base) in map(_place, chain):
        circle = " is built on ".join(str(one) for one in (*chain, base))
        raise ConfigError(f"{path}: based_on: goes round in a circle: {circle}")
    theirs = read_table(base, chain)
    if _place(base.parent) != _place(path.parent):
        theirs = from_elsewhere(with_own_files(theirs, base.parent), base.parent)
    try:
        return build_on(theirs, table)
    except ConfigError as error:
        raise error.at(path) from error


def _place(path: Path) -> str:
    # Not by resolve, which fails where links go round in a circle.
    return os.path.normpath(path.absolute())


def _base(path: Path, table: dict[str, Any]) -> Path | None:
    """Return the file that one is built on."""
    if "based_on" not in table:
        return None
    try:
        return path.parent / find_config(base_of(table).based_on)
    except ConfigError as error:
        raise error.at(path) from error
    except LexsubError as error:
        raise ConfigError(f"{path}: based_on: {error}") from error


def _parsed(path: Path) -> dict[str, Any]:
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
        raise FormatError(path, None, "holds a number of thousands of digits") from error


def _line_of(error: tomllib.TOMLDecodeError, text: str) -> int | None:
    if "end of document" in str(error):
        return max(len(text.splitlines()), 1)
    words = str(error).replace(",", " ").replace(")", " ").split()
    return int(words[words.index("line") + 1]) if "line" in words else None


OWN_ENDINGS = (".tuning", ".ceiling")
"""A run's own files and rows are named so after its systems."""

OWN_TABLES = (*TASKS, "measures")
"""Tables that every run writes."""


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
    collect = partial(_collected, problems)
    table = with_own_files(table, folder)
    if isinstance(table.get("systems"), list):
        table["systems"] = [
            collect("", with_answers, entry, folder, f"systems[{index}]")
            # One that nothing is wrong with, so that the rest of the file is looked at, too.
            or _stand_in(index) | {key: entry[key] for key in ("name",) if key in entry}
            for index, entry in enumerate(table["systems"])
        ]
    whole = collect("", validate, ExperimentTable, table, "")
    if whole is None:
        whole = validate(ExperimentTable, _sound_part(table), "")
    for plugin in whole.plugins if with_plugins else ():
        collect("plugins", load_plugin, plugin, folder)
    if any(problem.startswith("plugins") for problem in problems):
        # Unknown names may be parts that the failed plugin would have registered: not reported.
        raise ConfigError(*problems)
    collect("backend", check_backend, whole.backend)
    collect("data", check_name, whole.data)
    if whole.tuning is not None:
        collect("tuning", check_name, whole.tuning)
    if whole.measures:
        collect("measures", parse_measures, whole.measures)
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
                problems.append(
                    f"{key}[{index}].name: {one.name!r} is the name of "
                    f"{taken[one.name.lower()]}; choose another"
                )
            taken[one.name.lower()] = f"{key}[{index}]"
            collect(f"{key}[{index}].measures", parse_measures, one.measures)
    problems += [
        f"comparisons[{index}].systems[{place}]: {name!r} stands twice; a system is compared with "
        "others"
        for index, comparison in enumerate(whole.comparisons)
        for place, name in enumerate(comparison.systems)
        if name in comparison.systems[:place]
    ]
    problems += [
        f"comparisons[{index}].systems[{place}]: no system {name!r}{suggest(name, names)}"
        for index, comparison in enumerate(whole.comparisons)
        for place, name in enumerate(comparison.systems)
        if name not in names
    ]
    language = whole.language or language_named(whole.data)
    models = {
        name: collect("", _build_model, name, whole.models, language) for name in whole.models
    }
    systems = [
        _build_system(entry, f"systems[{index}]", whole.systems, collect)
        for index, entry in enumerate(whole.systems)
    ]
    problems += [
        f"systems[{index}]: a boundary of {system.name!r} looks at system {other!r}"
        f"{suggest(other, names)}"
        for index, system in enumerate(systems)
        for boundary in system.boundaries.values()
        for other in boundary.others
        if other not in names
    ]
    problems += [
        f"systems[{index}]: a boundary of {system.name!r} learns from a tuning split and the file "
        f"names none; add tuning = {tuning_for(whole.data) or 'FILE of other items'!r}, or another"
        for index, system in enumerate(systems)
        if whole.tuning is None and system.needs_tuning
    ]
    problems += [
        f"systems[{index}]: a boundary of {system.name!r} learns from a tuning split, and files of "
        "answers are of the data alone; choose one that does not ('lexsub boundary RUN --tune "
        "cross-validation' tries them all)"
        for index, system in enumerate(systems)
        if system.answers and system.needs_tuning
    ]
    if problems:
        raise ConfigError(*problems)
    # A run's folder keeps the config; plugins must be found from there, too.
    found = tuple(
        str(resolved(folder / plugin)) if plugin.endswith(".py") else plugin
        for plugin in whole.plugins
    )
    whole = whole.model_copy(update={"plugins": found})
    return Experiment(whole, tuple(systems), models, folder)


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


def _collected(problems: list[str], where: str, step: Callable[..., Any], *given: Any) -> Any:
    """Run a step and keep its faults instead of stopping at the first."""
    try:
        return step(*given)
    except ConfigError as error:
        problems.extend(error.problems)
    except LexsubError as error:
        problems.append(f"{where}: {error}" if where else str(error))
    return None


def _build_system(
    entry: SystemTable, where: str, others: Sequence[SystemTable], collect: Callable[..., Any]
) -> System:
    def part(registry: Registry[Any], table: Table, key: str) -> Any:
        return collect("", build_part, registry, table, f"{where}.{key}")

    def source() -> Any:
        table = source_table(entry.candidates, where, sources)
        return build_part(SOURCES, table, f"{where}.candidates")

    if entry.published is not None:
        collect(f"{where}.published", published_figures, entry.published)
    files = dict(entry.answers) if isinstance(entry.answers, dict) else {}
    cut = not files or set(files) == {"ranking"}
    sources = {other.name: other.candidates for other in others if other is not entry}
    return System(
        name=entry.name,
        candidates=collect("", source),
        ranker=part(RANKERS, entry.ranker, "ranker"),
        best=part(BOUNDARIES, entry.best, "best") if cut else None,
        oot=part(BOUNDARIES, entry.oot, "oot") if cut else None,
        mw=None if entry.mw is None else part(DETECTORS, entry.mw, "mw"),
        published=entry.published,
        answers=files,
    )


def _build_model(name: str, models: Mapping[str, Mapping[str, Any]], language: str) -> Any:
    table, where = model_table(name, models), f"models.{name}"
    kind = table.get("kind")
    if not isinstance(kind, str):
        raise ConfigError(f"{where}.kind: {kind!r}; expected the name of a model kind, as 'lm'")
    if kind not in BUILDERS:
        known = ", ".join(BUILDERS)
        raise ConfigError(f"{where}.kind: unknown model kind {kind!r} (known: {known})")
    kind_of: Any = BUILDERS[kind]
    if "language" in (one.name for one in fields(kind_of)):
        table = {"language": language, **table}
    return build_part(BUILDERS, renamed(table, "kind", "name"), where)
