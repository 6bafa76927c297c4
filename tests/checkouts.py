"""Copies of this checkout: with the rooms inside ``lexsub``, and without symbolic links."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lexsub.rooms import HERE, ROOMS, folder_of
from tests.conftest import ROOT

WITH_LINKS = pytest.mark.skipif(
    not all((HERE / room).is_dir() for room in ROOMS),
    reason="NOT TESTED: type checkers and import-linter follow symbolic links, which this checkout "
    "is without",
)

OTHERS = ("pyproject.toml", "README.md", "LICENSE", ".gitignore")


def copy_as_installed(home: Path, *left_out: str) -> None:
    """Copy our package with all its rooms, as it is when installed, to ``home/lexsub``."""
    ignored = shutil.ignore_patterns(*left_out, "__pycache__")
    rooms = shutil.ignore_patterns(*left_out, "__pycache__", *ROOMS)
    shutil.copytree(
        HERE, home / "lexsub",
        ignore=lambda place, names: (rooms if place == str(HERE) else ignored)(place, names),
    )  # fmt: skip
    for room in ROOMS:
        shutil.copytree(folder_of(room), home / "lexsub" / room, ignore=ignored)


def copy_without_links(home: Path) -> None:
    """Copy what is imported and built as git and zip leave it where there are no links."""
    home.mkdir()
    rooms = shutil.ignore_patterns("__pycache__", *ROOMS)
    shutil.copytree(HERE, home / "lexsub", ignore=rooms)
    for room in ROOMS:
        shutil.copytree(folder_of(room), home / room, ignore=shutil.ignore_patterns("__pycache__"))
        (home / "lexsub" / room).write_text(f"../{room}")
    for name in OTHERS:
        shutil.copy(ROOT / name, home)
