"""Reads WordNet's files from a folder, a zip, or a tar archive, without unpacking any.

The archive libraries are imported where they are used: most machines never need them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from lexsub.errors import FileProblemError, FormatError, os_problem
from lexsub.files import read_bytes, refuse_waiting
from lexsub.wordnet.dict_files import SUFFIXES

REQUIRED = tuple(f"{kind}.{suffix}" for kind in ("data", "index") for suffix in SUFFIXES.values())
OPTIONAL = (
    *(f"{suffix}.exc" for suffix in SUFFIXES.values()),
    "lexnames",
    "cntlist.rev",
    "index.sense",
)
# Everything of any WordNet so far has less than a third of that; more is no dictionary.
_LARGEST = 200_000_000
_MEMBERS = 100_000


def archive_kind(path: Path) -> Literal["zip", "tar"] | None:
    """Return which archive a file is, or None."""
    import tarfile
    import zipfile

    refuse_waiting(path)
    if zipfile.is_zipfile(path):
        return "zip"
    return "tar" if tarfile.is_tarfile(path) else None


def source_files(path: Path) -> list[Path]:
    """Return the files on disk that the database is read from: one, for an archive."""
    if not path.is_dir():
        return [path]
    return [path / name for name in _wanted(entry.name for entry in path.iterdir())]


def read_files(path: Path) -> Mapping[str, bytes]:
    """Return the database files' bytes by name.

    Of several WordNets in one archive the one whose folder sorts first is taken.

    Raises:
        FileProblemError: a file cannot be read.
        FormatError: an archive that is damaged, is none, or holds no complete WordNet.
    """
    if path.is_dir():
        files = {file.name: read_bytes(file) for file in source_files(path)}
    else:
        files = _read_archive(path)
    missing = [name for name in REQUIRED if name not in files]
    if missing:
        raise FormatError(
            path, None, f"lacks {', '.join(missing)}; expected a whole WordNet database folder"
        )
    return files


def _wanted(names: Iterable[str]) -> list[str]:
    present = set(names)
    wanted = [name for name in (*REQUIRED, *OPTIONAL) if name in present]
    # index.sense matters only as a second source of counts, and is large.
    return [name for name in wanted if name != "index.sense" or "cntlist.rev" not in present]


def _read_archive(path: Path) -> dict[str, bytes]:
    import tarfile
    import zipfile
    import zlib

    try:
        kind = archive_kind(path)
        if kind is None:
            raise FormatError(path, None, "is neither a folder nor a zip or tar archive")
        return _read_zip(path) if kind == "zip" else _read_tar(path)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError) as error:
        raise FormatError(path, None, f"is damaged: {error}; fetch it again") from error
    except (RuntimeError, NotImplementedError) as error:
        raise FormatError(path, None, f"cannot be unpacked: {error}") from error
    except OSError as error:
        raise FileProblemError(path, os_problem(error)) from error


Found = dict[str, dict[str, tuple[int, Callable[[], bytes]]]]
"""Of each folder in an archive the files that matter: their sizes, and what reads them."""


def _read_zip(path: Path) -> dict[str, bytes]:
    import zipfile

    found: Found = {}
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            _note(found, entry.filename, entry.file_size, partial(archive.read, entry))
        return _read(found, path)


def _read_tar(path: Path) -> dict[str, bytes]:
    import tarfile

    found: Found = {}
    with tarfile.open(path) as archive:
        for number, entry in enumerate(archive):
            if number == _MEMBERS:
                raise FormatError(path, None, f"holds more than {_MEMBERS} files; refused")
            if entry.isreg():
                _note(found, entry.name, entry.size, partial(_extracted, archive, entry))
        return _read(found, path)


def _extracted(archive: Any, entry: Any) -> bytes:
    data: bytes = archive.extractfile(entry).read()
    return data


def _note(found: Found, name: str, size: int, read: Callable[[], bytes]) -> None:
    place = PurePosixPath(name)
    if place.name in (*REQUIRED, *OPTIONAL):
        found.setdefault(str(place.parent), {})[place.name] = (size, read)


def _read(found: Found, path: Path) -> dict[str, bytes]:
    """Read the files of the first folder that holds a WordNet, if they are not too large."""
    folders = sorted(folder for folder, files in found.items() if "data.noun" in files)
    if not folders:
        raise FormatError(path, None, "holds no WordNet; expected data.noun and its fellows")
    files = {name: found[folders[0]][name] for name in _wanted(found[folders[0]])}
    if sum(size for size, _ in files.values()) > _LARGEST:
        raise FormatError(path, None, f"unpacks to more than {_LARGEST} bytes; refused")
    return {name: read() for name, (_, read) in files.items()}
