"""Experiments by name or file: TOML to a checked configuration."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from lexsub.errors import ConfigError, FormatError, LexsubError, UnknownNameError
from lexsub.experiments.config.checking import make_experiment
from lexsub.experiments.config.derived import base_of, build_on
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.files import from_elsewhere, with_own_files
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
