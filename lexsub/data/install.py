"""Putting a data set into its folder: fetched or at hand, checked, whole or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from lexsub.data.archives import unpack
from lexsub.data.sources import RemoteFile, Source
from lexsub.errors import FileProblemError, FormatError
from lexsub.storage.files import PART, draft_prefix, file_sha256, sweep, write_text, writing

Fetch = Callable[[RemoteFile, Path], None]
"""Brings a file to a place, checked; see :func:`lexsub.data.download.download`."""

RECEIPT = "lexsub-source.json"
"""Written into every installed folder: what it was made from."""


def is_installed(source: Source, folder: Path) -> bool:
    """Whether a data set is in ``folder`` already."""
    place = folder / source.name
    return (place / source.marker).is_file() if source.marker else (place / RECEIPT).is_file()


def install(source: Source, folder: Path, downloads: Path, fetch: Fetch) -> Path:
    """Fetch a data set and put it into ``folder/NAME``, replacing what is there.

    Args:
        source: what to fetch.
        folder: the folder of data sets.
        downloads: where files gather while they are fetched; those of a finished
            installation are removed, those of a broken one serve the next attempt.
        fetch: how to fetch one file.

    Returns:
        The data set's folder.

    Raises:
        LexsubError: a file cannot be fetched, is no safe archive or holds something else, or
            the disk refuses.  The folder is then as it was.
    """
    fetched: dict[RemoteFile, Path] = {}
    for file in source.files:
        place = downloads / file.name
        if not (place.is_file() and file_sha256(place) == file.sha256):
            fetch(file, place)
        fetched[file] = place
    target = _install(source, folder, fetched)
    for place in fetched.values():
        place.unlink(missing_ok=True)
    return target


def install_local(source: Source, folder: Path, given: Path) -> Path:
    """Put a data set into ``folder/NAME`` from a file at hand, or a folder of such files.

    Raises:
        LexsubError: the file is not the one expected (by digest), or as for :func:`install`.
    """
    return _install(source, folder, _match(source, given))


def _match(source: Source, given: Path) -> dict[RemoteFile, Path]:
    """Find out which of the source's files were given; check their digests."""
    names = ", ".join(file.name for file in source.files)
    if given.is_dir():
        found = {
            file: place
            for file in source.files
            for place in (given / file.folder / file.name, given / file.name)
            if place.is_file()
        }
        if not found:
            raise FileProblemError(given, _no_file_there(source, given, names))
    elif len(source.files) == 1:
        found = {source.files[0]: given}
    else:
        found = {file: given for file in source.files if file.name == given.name}
        if not found:
            raise FileProblemError(given, f"is none of {names}")
    for file, path in found.items():
        digest = file_sha256(path)
        if digest != file.sha256:
            raise FormatError(
                path,
                None,
                f"has sha256 {digest}, expected {file.sha256}: not the released {file.name}",
            )
    return found


def _no_file_there(source: Source, given: Path, names: str) -> str:
    for place in (given, given / source.name):
        if source.marker and (place / source.marker).is_file():
            return (
                "is the unpacked release, which needs no getting: name it with --data, as "
                f"'lexsub run … --data {given}', or in LEXSUB_DATA"
            )
    return f"holds none of {names}; give the file itself"


def _install(source: Source, folder: Path, files: dict[RemoteFile, Path]) -> Path:
    target = folder / source.name
    with writing(target):
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder)  # what a killed run left
        with tempfile.TemporaryDirectory(PART, draft_prefix(target), folder) as scratch:
            content = Path(scratch) / "content"
            content.mkdir()
            for file, path in files.items():
                if file.unpack:
                    unpack(path, content)
                else:
                    place = content / file.folder / file.name
                    place.parent.mkdir(exist_ok=True)
                    shutil.copyfile(path, place)
            # Only archives put everything into a folder of their own.
            root = _top(content) if all(file.unpack for file in files) else content
            if source.marker and not (root / source.marker).is_file():
                first = next(iter(files.values()))
                raise FormatError(
                    first, None, f"holds no {source.marker}; expected the {source.name} release"
                )
            record = {"name": source.name, "licence": source.licence,
                      "files": [asdict(file) for file in files]}  # fmt: skip
            write_text(root / RECEIPT, json.dumps(record, indent=2) + "\n")
            old = Path(scratch) / "old"
            if target.exists():
                target.rename(old)
            root.rename(target)
    return target


def _top(content: Path) -> Path:
    """Return the one folder that everything stands in, or the folder itself."""
    # macOS leaves files of its own in archives.
    entries = [
        entry
        for entry in content.iterdir()
        if entry.name != "__MACOSX" and not entry.name.startswith("._")
    ]
    return entries[0] if len(entries) == 1 and entries[0].is_dir() else content
