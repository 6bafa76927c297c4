"""The folders of the user: what is kept there can be made, or fetched, again."""

from __future__ import annotations

import os
from pathlib import Path

from lexsub.storage.addresses import resolved

APP = "lexsub"


def user_cache() -> Path:
    """Return the folder for things that can be made again (``LEXSUB_CACHE``, or the system's)."""
    override = os.environ.get("LEXSUB_CACHE")
    if override:
        return Path(override)
    from platformdirs import user_cache_path

    return user_cache_path(APP, appauthor=False)


def user_data() -> Path:
    """Return the folder into which ``lexsub data get`` puts data sets."""
    from platformdirs import user_data_path

    return user_data_path(APP, appauthor=False)


def data_folders(given: Path | str | None = None) -> tuple[Path, ...]:
    """Return the folders searched for data sets: the one given, ``LEXSUB_DATA``, the user's."""
    folders = [Path(given)] if given else []
    from_environment = os.environ.get("LEXSUB_DATA")
    if from_environment:
        folders.append(Path(from_environment))
    folders.append(user_data())
    # A folder named twice would stand twice in every message of what was not found.
    once: dict[Path, Path] = {}
    for folder in folders:
        once.setdefault(resolved(folder), folder)
    return tuple(once.values())
