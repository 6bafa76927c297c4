"""Caches for tests that want one of their own."""

from __future__ import annotations

import shutil
from pathlib import Path

from lexsub.storage.user_folders import user_cache

SHARED = ("wordnet", "compiled")
"""What takes seconds to make and no test of a run is about: WordNet's index, compiled loops."""

NOTES = "code.json"
"""What was understood of our modules; it is checked against their texts."""


def cache(tmp_path: Path, name: str = "cache") -> Path:
    """Make a cache without any stage or model that shares what takes long with all tests."""
    folder = tmp_path / name
    folder.mkdir(exist_ok=True)
    for kind in SHARED:
        shared = user_cache() / kind
        shared.mkdir(parents=True, exist_ok=True)
        if shared.resolve() != (folder / kind).resolve():
            (folder / kind).symlink_to(shared)
    if (notes := user_cache() / NOTES).is_file() and not (folder / NOTES).exists():
        shutil.copyfile(notes, folder / NOTES)
    return folder
