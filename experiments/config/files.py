"""Files and folders that a config names, each found from where the config says.

Data, functions, texts and plugins are found from the folder of the config that names them, other
resources there, in the data folders, or beside these.  Answers of another program stand in files,
too: such a system has them in place of candidates and a ranker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from glob import has_magic
from pathlib import Path
from typing import Any

from lexsub.data.catalogue import is_gold_file
from lexsub.data.own_files import is_own_file
from lexsub.errors import ConfigError, LexsubError, suggest
from lexsub.experiments.config.experiment import Experiment
from lexsub.formats.outputs.catalogue import KINDS, by_kind
from lexsub.printable import is_address
from lexsub.resources import Resources
from lexsub.storage.addresses import found_from, resolved

Change = Callable[[Any], Any]


def _changed(table: Any, **changes: Change) -> Any:
    """Return a table with some of its values changed; what is no table stays as it is."""
    if not isinstance(table, dict):
        return table
    return table | {key: change(table[key]) for key, change in changes.items() if key in table}


def _each(change: Change) -> Change:
    """Return what changes the entries of a list, or the values of a table, one by one."""

    def changed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: change(one) for key, one in value.items()}
        return [change(one) for one in value] if isinstance(value, list) else value

    return changed


def with_own_files(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a configuration whose data, functions and texts are found from its own folder.

    A run's folder keeps the config, and they must be found from there, too.  A ranker
    ``my_file.py:my_function`` stands for ``{ name = "function", call = … }``.
    """
    named = table.get("resources")
    names = named if isinstance(named, dict) else {}

    def placed(name: Any) -> Any:
        if isinstance(name, list):
            return [placed(entry) for entry in name]
        if isinstance(name, str) and (is_own_file(name) or is_gold_file(name, folder)):
            return found_from(folder, name)
        return name

    def beside(value: Any, key: str = "") -> Any:
        """Return what a part is told, files of the folder with their whole paths."""
        if isinstance(value, dict):
            of_texts = key in _TEXTS  # registers have names of their own
            return {name: beside(one, key if of_texts else name) for name, one in value.items()}
        if isinstance(value, list):
            return [beside(entry, key) for entry in value]
        if isinstance(value, str) and value not in names and _is_beside(value, folder, key):
            return found_from(folder, value)
        return value

    def ranker(given: Any) -> Any:
        if isinstance(given, str) and ":" in given:
            given = {"name": "function", "call": given}
        if isinstance(given, dict) and isinstance(call := given.get("call"), str):
            file, _, name = call.rpartition(":")
            if file.endswith(".py"):
                given = given | {"call": f"{resolved(folder / file)}:{name}"}
        return beside(given)

    def system(one: Any) -> Any:
        return _changed(one, candidates=beside, ranker=ranker)

    def model(one: Any) -> Any:
        return beside(_changed(one, data=placed, tuning=placed)) if isinstance(one, dict) else one

    changes = {"data": placed, "tuning": placed, "systems": _each(system), "models": _each(model)}
    return dict(_changed(dict(table), **changes))


_TEXTS = ("corpus", "text", "texts", "relations", "conllu", "parse", "file")
"""Options whose values are files or folders, unless they are names of resources."""


def _is_beside(value: str, folder: Path, key: str) -> bool:
    """Return True if an option's value is a file (of a text: a folder, a pattern) of a folder."""
    path = Path(value)
    if not value or is_address(value) or path.is_absolute():
        return False
    try:
        if key not in _TEXTS:
            return bool(path.suffix) and (folder / path).is_file()
        return (folder / path).exists() or (has_magic(value) and any(folder.glob(value)))
    except (OSError, ValueError):  # far too long a name, a NUL in it, no pattern
        return False


def from_elsewhere(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a table whose plugins, resources and answers are found from its own folder."""

    def placed(value: Any) -> Any:
        return found_from(folder, value) if isinstance(value, str) else _each(placed)(value)

    def plugin(name: Any) -> Any:
        return placed(name) if str(name).endswith(".py") else name

    def resource(name: Any) -> Any:
        # One that is not here may be in a data folder.
        return placed(name) if isinstance(name, str) and (folder / name).exists() else name

    def system(one: Any) -> Any:
        return _changed(one, answers=placed)

    changes = {"plugins": _each(plugin), "resources": _each(resource), "systems": _each(system)}
    return dict(_changed(dict(table), **changes))


LISTS = ("ranking", "oot", "best", "mw")
"""Of what a program answers, the longest list says most about how it ranks."""


def with_answers(system: Any, folder: Path, where: str) -> Any:
    """Return a system's table with its files of answers by kind, and as candidates in their order.

    A system without ``answers`` is returned as it is.

    Args:
        system: the table.
        folder: where relative paths start.
        where: key path of the table, for messages.

    Raises:
        ConfigError: a file is not there, is no system's output, or is one of two of a kind; or
            another key says what files say already.
    """
    if not isinstance(system, dict) or "answers" not in system:
        return system
    files = {kind: str(path) for kind, path in _files(system["answers"], folder, where).items()}
    cut = set(files) == {"ranking"}
    taken = {"candidates", "ranker"} | (set() if cut else {"best", "oot"}) | ({"mw"} & {*files})
    if twice := sorted(taken & system.keys()):
        said = "stands beside answers, whose files say it; leave one of them out"
        raise ConfigError(*(f"{where}.{key}: {said}" for key in twice))
    kind = next(kind for kind in LISTS if kind in files)
    listed = {"name": "given", "file": files[kind], "kind": kind}
    return system | {"answers": files, "candidates": listed, "ranker": "source-score"}


def _files(given: Any, folder: Path, where: str) -> Mapping[Any, Path]:
    named = dict(given) if isinstance(given, dict) else {}
    names = list(named.values()) or (given if isinstance(given, list) else [given])
    if unknown := [kind for kind in named if kind not in KINDS]:
        problems = (f"{one}: unknown kind of answers{suggest(one, KINDS)}" for one in unknown)
        raise ConfigError(*(f"{where}.answers.{problem}" for problem in problems))
    if not names or not all(isinstance(name, str) for name in names):
        raise ConfigError(
            f"{where}.answers: found {given!r}; expected a file, a list of files, or a table "
            f"of files by what they hold ({', '.join(KINDS)})"
        )
    paths = [Path(found_from(folder, name)) for name in names]
    if named:
        return dict(zip(named, paths, strict=True))
    try:
        return by_kind(paths)
    except LexsubError as error:
        raise ConfigError(f"{where}.answers: {error}") from error


class NamedPlaces(dict[str, Path]):
    """Places of resources by name; knows which were asked for, so that a slip shows."""

    def __init__(self, places: Mapping[str, Path]) -> None:
        super().__init__(places)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Path:
        self.asked.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a place, or the default where the name is not known."""
        self.asked.add(name)
        return super().get(name, default)


def named_resources(experiment: Experiment, resources: Resources) -> NamedPlaces:
    """Return the places the config names, and over them those the call names."""
    folders = (experiment.folder, *resources.data)
    places = {name: place_of(path, folders) for name, path in experiment.table.resources.items()}
    return NamedPlaces(places | dict(resources.paths))


def place_of(path: str, folders: Sequence[Path]) -> Path:
    """Return where a resource of the config is: in one of the folders, or beside a data folder.

    An address stays what it is.

    One that is nowhere is left to the part that wants it, which says what it is for.
    """
    if is_address(path):
        return Path(path)
    config, *data = folders
    for base in (config, *data, *(resolved(folder).parent for folder in data)):
        if (base / path).exists():
            return base / path
    return config / path
