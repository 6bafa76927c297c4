"""Where the packages of the stages and experiments lie.

They are imported as ``lexsub.rankers`` and so on, so that a package of the user's own called
``evaluation`` stays theirs.  Installed, they lie in this folder; in a checkout they are folders
beside it, and Python is told so here: no system has to know symbolic links for that.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any

ROOMS = ("boundary", "candidates", "evaluation", "experiments", "rankers")

HERE = Path(__file__).parent


def folder_of(room: str) -> Path:
    """Return the folder of a room."""
    inside = HERE / room
    # What a checkout holds under the name is a link for type checkers, or what is left of one
    # where there are no links.
    return inside if inside.is_dir() and not inside.is_symlink() else HERE.parent / room


class _Beside:
    """Finds the rooms that are folders beside this one."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return where ``lexsub.rankers`` and its like are, None for anything else."""
        package, _, room = name.partition(".")
        if package != "lexsub" or room not in ROOMS:
            return None
        file = folder_of(room) / "__init__.py"
        if not file.is_file():
            return None
        return spec_from_file_location(name, file, submodule_search_locations=[str(file.parent)])


def find_rooms() -> None:
    """Let Python find the rooms of a checkout; installed, it does so by itself."""
    if any(folder_of(room).parent != HERE for room in ROOMS):
        # Before Python's own, which would follow the links where there are some: a module's file
        # has one name everywhere.
        sys.meta_path.insert(0, _Beside())


def must_be_inside(name: str) -> None:
    """Refuse a room that is imported by the name of its folder, as from a checkout's root.

    Args:
        name: the ``__name__`` of the room.

    Raises:
        ImportError: it is not below ``lexsub``; says what to import.
    """
    if not name.startswith("lexsub."):
        raise ImportError(
            f"import lexsub.{name}, not {name}: under two names its parts would be there twice"
        )
