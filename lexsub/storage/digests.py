"""Digests of files: taken once as long as a file is the same, and kept beside models.

A model is a folder of files that fit one another, and nothing in most of them shows that a byte
has changed.  Whoever writes a model seals it: ``digests.json`` holds the SHA-256 of every file.
Whoever opens one checks it first.  A folder without ``digests.json`` was written by an earlier
version; it is opened as it is.

Reading a gigabyte takes two seconds, too long for every start of a command.  So digests of
large files are noted in the cache, under what the system says of the file: device, inode, size
and both times of change.  The second, ``ctime``, is the system's own: no program can set it back,
so a file that was changed and given its old size and time is read again.  A file that changed
within the last seconds before it was read is never noted, because a second change might show
the same time.  Notes do not tell what happens behind the system's back (a dying disk), and where
there is no such time (Windows) nothing is noted.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache, wraps
from pathlib import Path
from typing import TypeVar

from lexsub import __version__
from lexsub.errors import FileProblemError, FormatError, os_problem, well_formed
from lexsub.printable import is_address
from lexsub.storage.addresses import identity, resolved
from lexsub.storage.files import file_sha256, is_draft, parse_json, read_text, sha256, write_text
from lexsub.storage.user_folders import user_cache

T = TypeVar("T")

FILE = "digests.json"
FORMAT = "lexsub-digests"
VERSION = 1

LARGE = 1 << 20
"""Bytes; smaller files are read as quickly as their note, once a process."""

SETTLED = 2.0
"""Seconds that a file must have been left alone before its digest is noted; clocks are coarse."""

_KNOWN: dict[str, str] = {}
"""What this process knows: digests by identity."""


def known_sha256(path: Path, notes: Path | None = None) -> str:
    """Return the SHA-256 of a file, from memory or a note if the file is still the same.

    Args:
        path: the file.
        notes: folder of the notes; that of the user's cache by default.

    Raises:
        FileProblemError: the file cannot be read.
    """
    identity = _identity(path)
    if identity is None:
        return file_sha256(path)
    if identity in _KNOWN:
        return _KNOWN[identity]
    large = is_address(path) or path.stat().st_size >= LARGE
    note = (notes or user_cache() / "digests") / sha256(identity.encode())[:32]
    if large:
        with suppress(OSError, UnicodeDecodeError):
            text = note.read_text()
            if text == _note(identity, text[:64]):
                _KNOWN[identity] = text[:64]
                return text[:64]
    digest = file_sha256(path)
    if _identity(path) == identity:
        _KNOWN[identity] = digest
        if large:
            # A cache that cannot be written makes the next start slower, not wrong.
            with suppress(FileProblemError):
                write_text(note, _note(identity, digest))
    return digest


def _note(identity: str, digest: str) -> str:
    # The second digest tells a damaged note.
    return f"{digest} {sha256(f'{identity} {digest}'.encode())}\n"


def _identity(path: Path) -> str | None:
    """Return what tells a file that has settled from any other; None for the rest.

    Of a file elsewhere its store says so.
    """
    if is_address(path):
        return identity(path)
    try:
        status = path.stat()
    except OSError as error:
        raise FileProblemError(path, os_problem(error)) from error
    if os.name == "nt":
        return None
    changed = max(status.st_ctime, status.st_mtime)
    if not changed < time.time() - SETTLED:
        return None
    numbers = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return " ".join(map(str, numbers))


def work_name(what: object, files: Iterable[Path], cache: Path) -> str:
    """Return a name for what is not finished yet, the same for the same work of this version.

    Args:
        what: what is made, and how, told by its ``repr``.
        files: what it is made from.
        cache: the cache folder, for notes.

    Raises:
        FileProblemError: a file cannot be read.
    """
    known = [f"{resolved(path)} {known_sha256(path, cache / 'digests')}" for path in files]
    return sha256(repr((__version__, what, known)).encode())[:24]


def seal(folder: Path, *, whole: bool = False) -> None:
    """Write the digests of a model's files; the last thing done to the folder.

    What a killed worker left half written goes: nobody writes there any more.

    Args:
        folder: of the model.
        whole: whether subfolders that are sealed themselves go along; otherwise they are left
            out.

    Raises:
        FileProblemError: a file cannot be read, or the disk refuses.
    """
    digests = {}
    for path in _files(folder, whole):
        if is_draft(path):
            path.unlink()
        elif path != folder / FILE:
            digests[path.relative_to(folder).as_posix()] = known_sha256(path)
    write_text(folder / FILE, _text(digests))


def _text(digests: Mapping[str, str]) -> str:
    document = {"format": FORMAT, "version": VERSION, "files": digests}
    return json.dumps(document, indent=1) + "\n"


def _files(folder: Path, whole: bool) -> list[Path]:
    files = []
    for entry in sorted(folder.iterdir()):
        if not entry.is_dir():
            files.append(entry)
        elif whole or not (entry / FILE).is_file():
            files += _files(entry, whole)
    return files


def check_sealed(folder: Path, again: str) -> None:
    """Make sure that a model's files are as they were written.

    Files that were added are no part of the model and are not looked at.

    Args:
        folder: of the model.
        again: what to do where they are not, as ``train the model again``.

    Raises:
        FormatError: a file is missing or another; names it.
    """
    manifest = folder / FILE
    if not manifest.is_file():
        return
    for name, digest in _read(manifest, again).items():
        path = folder / name
        if not path.is_file():
            raise FormatError(path, None, f"is missing, though {FILE} names it: {again}")
        if known_sha256(path) != digest:
            raise FormatError(path, None, f"is damaged (not what {FILE} was written for): {again}")


def sealed_as(folder: Path) -> str:
    """Return what tells a model's files from any others in the same place; "" if not sealed."""
    manifest = folder / FILE
    return sha256(manifest.read_bytes()) if manifest.is_file() else ""


def cached_open(most: int, again: str) -> Callable[[Callable[[Path], T]], Callable[[Path], T]]:
    """Return a decorator of functions that open a model's folder: its files are checked first.

    Of sealed folders those opened last are kept open: systems and stages of a run ask for the
    same ones, one after the other.

    Args:
        most: how many are kept.
        again: the way out, as of :func:`check_sealed`.

    Raises:
        FormatError: (what is decorated) a file is damaged.
    """

    def decorate(opened: Callable[[Path], T]) -> Callable[[Path], T]:
        # What tells it from others in the same place is part of the key.
        kept = lru_cache(most)(lambda folder, _sealed: opened(folder))

        @wraps(opened)
        def checked(folder: Path) -> T:
            check_sealed(folder, again)
            sealed = sealed_as(folder)
            return kept(folder, sealed) if sealed else opened(folder)

        return checked

    return decorate


def _read(manifest: Path, again: str) -> dict[str, str]:
    text = read_text(manifest)
    with well_formed(manifest, "is no list of digests", f": {again} with this version"):
        document = parse_json(text)
        files = document["files"]
        if (document["format"], document["version"]) != (FORMAT, VERSION) or not files:
            raise ValueError("another format or version")
        if not all(isinstance(digest, str) for digest in files.values()):
            raise ValueError("digests are no strings")
        if text != _text(files):
            # Every byte counts, blanks included.
            raise ValueError("written otherwise")
    found: dict[str, str] = files
    return found
