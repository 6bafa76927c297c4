"""The folders of the user, and copies in the cache of what lies at an address.

What is kept there can be made, or fetched, again.  Models, indexes and trees at an address are
copied since they have to be mapped.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from lexsub.errors import FileProblemError
from lexsub.printable import is_address, spelled
from lexsub.progress import measured
from lexsub.storage.addresses import is_file, listing, open_address, resolved, size
from lexsub.storage.files import atomic_write, parse_json, read_text, sha256, write_folder
from lexsub.storage.locks import locked

APP = "lexsub"


def user_cache() -> Path:
    """Return the folder for things that can be made again (``LEXSUB_CACHE``, or the system's).

    Raises:
        FileProblemError: ``LEXSUB_CACHE`` is an address.
    """
    override = os.environ.get("LEXSUB_CACHE")
    if override and is_address(override):
        raise FileProblemError(
            override, "expected a folder of this machine as LEXSUB_CACHE, no address"
        )
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


def fetched(path: Path, cache: Path) -> Path:
    """Return a path of this machine: the path itself, of an address a copy in the cache.

    It is fetched once for each version: the store's marks of the files (ETag, size, time of change)
    are part of the copy's place.  Of several processes one fetches, the others wait.  Where a
    store gives no such marks, each process fetches anew.

    Args:
        path: a file, a folder, or an address of either.
        cache: the cache folder.

    Raises:
        FileProblemError: there is nothing at the address, the store does not answer, or the disk
            refuses.
    """
    return _fetch(path, cache) if is_address(path) else path


@functools.cache  # one run reads one version of everything
def _fetch(path: Path, cache: Path) -> Path:
    marks = _files(path)
    key = sha256(json.dumps([spelled(path), marks], sort_keys=True).encode())[:32]
    place = cache / "remote" / key / path.name
    unmarked = None in marks.values()
    if place.exists() and not unmarked:
        return place
    with locked(place, f"fetching {spelled(path)}"):
        if unmarked and place.exists():
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        if not place.exists():
            _copy_all(path, place, list(marks))
    return place


def _copy_all(path: Path, place: Path, names: list[str]) -> None:
    def megabytes() -> float:
        return sum(size(path / name) for name in names) / 1e6

    with measured(f"fetching {spelled(path)}, MB", megabytes) as advance:
        if names == [""]:
            _copy(path, place, advance)
            return
        with write_folder(place) as draft:
            for name in names:
                _copy(path / name, draft / name, advance)


def _files(path: Path) -> dict[str, str | None]:
    # The web knows no folders, but a model says itself what its files are.
    digests = path / "digests.json"
    if str(path).startswith("http") and not path.suffix and is_file(digests):
        text = read_text(digests)
        with suppress(ValueError, KeyError, TypeError):
            return {digests.name: sha256(text.encode()), **parse_json(text)["files"]}
    return listing(path)


def _copy(address: Path, place: Path, advance: Callable[[float], None]) -> None:
    with open_address(address) as source, atomic_write(place) as file:
        while block := source.read(1 << 20):
            file.write(block)
            advance(len(block) / 1e6)
