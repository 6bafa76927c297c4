"""A system of a config whose answers stand in files: another program's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lexsub.errors import ConfigError, LexsubError, suggest
from lexsub.formats.outputs.given import KINDS, by_kind
from lexsub.storage.addresses import found_from

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
        raise ConfigError(
            f"{where}.{key}: stands beside answers, whose files say it; leave one of them out"
            for key in twice
        )
    kind = next(kind for kind in LISTS if kind in files)
    listed = {"name": "given", "file": files[kind], "kind": kind}
    return system | {"answers": files, "candidates": listed, "ranker": "source-score"}


def _files(given: Any, folder: Path, where: str) -> Mapping[Any, Path]:
    named = dict(given) if isinstance(given, dict) else {}
    names = list(named.values()) or (given if isinstance(given, list) else [given])
    if unknown := [kind for kind in named if kind not in KINDS]:
        raise ConfigError(
            f"{where}.answers.{kind}: unknown kind of answers{suggest(kind, KINDS)}"
            for kind in unknown
        )
    if not names or not all(isinstance(name, str) for name in names):
        raise ConfigError(
            [
                f"{where}.answers: found {given!r}; expected a file, a list of files, or a table "
                f"of files by what they hold ({', '.join(KINDS)})"
            ]
        )
    paths = [Path(found_from(folder, name)) for name in names]
    if named:
        return dict(zip(named, paths, strict=True))
    try:
        return by_kind(paths)
    except LexsubError as error:
        raise ConfigError([f"{where}.answers: {error}"]) from error
