"""The outputs of the systems that took part in SemEval-2007 Task 10 (``semeval2007-systems``).

The archive's lay-out is not documented, so a file's system and task are told by the names of
the file and its folders: ``KU.best``, ``SWAG-1/oot``, ``hit_mw.txt``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import LexsubError
from lexsub.resources import Resources
from lexsub.storage.files import read_bytes
from lexsub.submissions import Task

NAME = "semeval2007-systems"
SYSTEMS = ("KU", "UNT", "MELB", "HIT", "USYD", "IRST1", "IRST2", "TOR", "SWAG1", "SWAG2")
"""The entrants as the tables name them."""

_ALIASES = {"MELBMKB": "MELB", "MELBOURNE": "MELB", "TORONTO": "TOR", "SYDNEY": "USYD"}
_TASKS: dict[str, Task] = {"best": "best", "oot": "oot", "mw": "mw", "outof10": "oot"}
_TASK_WORD = re.compile("|".join(sorted(_TASKS, key=len, reverse=True)))


@dataclass(frozen=True, slots=True)
class Entrants:
    """What was found.

    Attributes:
        files: (system, task) to file.
        unknown: files that name no system and task that we know, relative to the folder.
    """

    files: dict[tuple[str, Task], Path]
    unknown: tuple[str, ...]


def find_entrants(folders: Sequence[Path]) -> Entrants:
    """Find the entrants' files in the folder of the archive.

    Raises:
        MissingResourceError: there is no such folder; says how to get it.
        LexsubError: two different files for one system and task, or none at all.
    """
    way = f"run 'lexsub data get {NAME}', or put the unpacked archive there"
    return scan(Resources(data=tuple(folders)).find(NAME, way))


def scan(root: Path) -> Entrants:
    """Sort the files below a folder by system and task.

    Raises:
        LexsubError: two different files for one system and task, or none at all.
    """
    files: dict[tuple[str, Task], Path] = {}
    unknown = []
    for path in sorted(entry for entry in root.rglob("*") if entry.is_file()):
        relative = path.relative_to(root)
        known = system_and_task(relative.parts)
        if known is None:
            unknown.append(str(relative))
        elif known in files and read_bytes(files[known]) != read_bytes(path):
            raise LexsubError(
                f"{files[known]} and {path} both look like the {known[1]} answers of {known[0]}; "
                "remove one"
            )
        else:
            files.setdefault(known, path)
    if not files:
        raise LexsubError(
            f"{root} holds no file that names a system ({' '.join(SYSTEMS)}) and a task (best, "
            "oot, mw)"
        )
    return Entrants(files, tuple(unknown))


def system_and_task(parts: Sequence[str]) -> tuple[str, Task] | None:
    """Tell system and task by a file's name and those of its folders, the nearest first."""
    system: str | None = None
    task: Task | None = None
    for part in reversed(parts):
        text = re.sub(r"\.(txt|out|res|dat)$", "", part.lower())
        found = _TASK_WORD.search(text)
        if task is None and found:
            task = _TASKS[found[0]]
        rest = re.sub(r"[^A-Z0-9]", "", _TASK_WORD.sub(" ", text).upper())
        rest = _ALIASES.get(rest, rest)
        if system is None and rest in SYSTEMS:
            system = rest
    return None if system is None or task is None else (system, task)
