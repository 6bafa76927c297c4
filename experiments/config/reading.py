"""Experiments by name or file: TOML to a checked configuration."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from lexsub.errors import ConfigError, FormatError, LexsubError, UnknownNameError
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.making import make_experiment
from lexsub.files import read_text

LONGEST_CONFIG = 1_000_000
"""Characters; a longer file is no experiment."""


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
        raise FormatError(path, None, "holds a number of thousands of digits") from error


def _line_of(error: tomllib.TOMLDecodeError, text: str) -> int | None:
    if "end of document" in str(error):
        return max(len(text.splitlines()), 1)
    words = str(error).replace(",", " ").replace(")", " ").split()
    return int(words[words.index("line") + 1]) if "line" in words else None
