"""Putting a data set into its folder: fetched or at hand, checked, whole or not at all.

Archives come from elsewhere, and are unpacked without trusting them.
"""

from __future__ import annotations

import json
import lzma
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple, cast

from lexsub.data.sources import RemoteFile, Source
from lexsub.errors import FileProblemError, FormatError, Place, os_problem
from lexsub.storage import files as disk
from lexsub.storage.compression import decompressed

_DAMAGED = (EOFError, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an archive may unpack to.

    Attributes:
        bytes: unpacked size of everything together, headers included.
        members: number of files and folders.
    """

    bytes: int = 1 << 27
    members: int = 20_000


_Open = Callable[[], IO[bytes]]


class _Member(NamedTuple):
    """A file or folder in an archive, or something else that ``kind`` names."""

    name: str
    kind: str
    size: int
    open: _Open


def unpack(archive: Path, folder: Path, limits: Limits = Limits()) -> None:
    """Unpack a tar (plain or compressed) or zip archive into an existing, empty folder.

    Only regular files and folders are accepted, and only below ``folder``; their modes,
    owners and times are not taken over.

    Raises:
        FileProblemError: the archive cannot be read or the disk refuses.
        FormatError: not an archive, damaged, larger than the limits, or a member that is a
            link, a device, an absolute path, or leads out of the folder.  What was unpacked
            so far is left for the caller to remove.
    """
    whole = Place(archive)
    try:
        with disk.open_file(archive) as file:
            members = _zip_members if file.read(2) == b"PK" else _tar_members
            file.seek(0)
            budget = _Budget(whole, limits.bytes)
            for number, member in enumerate(members(file, budget), 1):
                if number > limits.members:
                    raise whole.fault(f"holds more than {limits.members} members; refused")
                if member.kind not in ("file", "folder"):
                    found = f"member {member.name!r} is {member.kind}"
                    raise whole.fault(f"{found}; expected only files and folders")
                budget.check(member.size)
                _write(member, _place(whole, member.name, folder))
    except _DAMAGED as error:
        reason = str(error) or type(error).__name__
        problem = f"is damaged or no tar or zip archive ({reason}); fetch it again"
        raise whole.fault(problem) from error
    except OSError as error:
        raise FileProblemError(archive, os_problem(error)) from error
    # zipfile's words for an encrypted member, and for a compression that Python lacks.
    except (RuntimeError, NotImplementedError) as error:
        raise whole.fault(f"cannot be unpacked: {error}") from error


def _tar_members(file: IO[bytes], budget: _Budget) -> Iterator[_Member]:
    with decompressed(file) as raw:
        # As a stream, so that nothing is read twice and nothing unpacked unseen; counted
        # below tarfile, because an extended header of any size would be read whole.
        counted = cast("IO[bytes]", _Budgeted(raw, budget))
        # Not by tarfile's filter "data": it bounds no size, and takes links that we refuse.
        with tarfile.open(fileobj=counted, mode="r|") as tar:
            for member in tar:
                kind = "a device or another special file"
                if member.issym() or member.islnk():
                    kind = "a link"
                elif member.issparse():
                    kind = "a sparse file"
                elif member.isreg() or member.isdir():
                    kind = "file" if member.isreg() else "folder"
                opened = cast("_Open", partial(tar.extractfile, member))  # None for no file
                yield _Member(member.name, kind, member.size, opened)
        while counted.read(1 << 16):  # to the end, where the checksum stands
            pass


def _zip_members(file: IO[bytes], budget: _Budget) -> Iterator[_Member]:
    with zipfile.ZipFile(file) as packed:
        for member in packed.infolist():
            # The upper half of a Unix zip's attributes is st_mode: 4 folder, 8 file, 0 unknown.
            kind = "folder" if member.is_dir() else "file"
            if member.external_attr >> 28 not in (0, 4, 8):
                kind = "a link or a special file"
            opened = partial(_counted, packed, member, budget)
            yield _Member(member.filename, kind, member.file_size, opened)


def _counted(packed: zipfile.ZipFile, member: zipfile.ZipInfo, budget: _Budget) -> IO[bytes]:
    return cast("IO[bytes]", _Budgeted(packed.open(member), budget))


def _place(archive: Place, name: str, folder: Path) -> Path:
    """Return where a member goes; refuse every name that is not plainly below the folder."""
    parts = PurePosixPath(name).parts
    if (
        name.startswith("/")
        or "\\" in name
        or ".." in parts
        or any(ord(char) < 32 for char in name)
        or (parts and ":" in parts[0])
    ):
        raise archive.fault(
            f"member {name!r} would leave the folder; expected plain relative names"
        )
    return folder.joinpath(*parts)


def _write(member: _Member, target: Path) -> None:
    if member.kind == "folder":
        with disk.writing(target):
            target.mkdir(parents=True, exist_ok=True)
        return
    source = member.open()
    with disk.writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            while block := source.read(1 << 16):
                file.write(block)


class _Budget:
    """Counts what an archive unpacks to."""

    def __init__(self, archive: Place, most: int) -> None:
        self.archive, self.most = archive, most
        self.bytes = 0

    def check(self, more: int) -> None:
        if self.bytes + more > self.most:
            raise self.archive.fault(f"unpacks to more than {self.most} bytes; refused")

    def read(self, count: int) -> None:
        self.check(count)
        self.bytes += count


class _Budgeted:
    """A file that may be read only as far as the budget goes."""

    def __init__(self, file: IO[bytes], budget: _Budget) -> None:
        self._file, self._budget = file, budget

    def read(self, size: int = -1) -> bytes:
        try:
            data = self._file.read(size)
        except OSError as error:
            # gzip and bz2 report damage as an OSError that carries no errno.
            if error.errno is None:
                raise EOFError(str(error)) from error
            raise
        self._budget.read(len(data))
        return data


Fetch = Callable[[RemoteFile, Path], None]
"""Brings a file to a place, checked; see :func:`lexsub.data.download.download`."""

RECEIPT = "lexsub-source.json"
"""Written into every installed folder: what it was made from."""


def is_installed(source: Source, folder: Path) -> bool:
    """Return True if a data set is in ``folder`` already."""
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
        if not (place.is_file() and disk.file_sha256(place) == file.sha256):
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
        digest = disk.file_sha256(path)
        if digest != file.sha256:
            expected = f"{file.sha256}: not the released {file.name}"
            raise FormatError(path, None, f"has sha256 {digest}, expected {expected}")
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
    with disk.folder_beside(target) as scratch:
        content = scratch / "content"
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
            expected = f"the {source.name} release"
            first = next(iter(files.values()))
            raise FormatError(first, None, f"holds no {source.marker}; expected {expected}")
        record = {
            "name": source.name,
            "licence": source.licence,
            "files": [asdict(file) for file in files],
        }
        disk.write_text(root / RECEIPT, json.dumps(record, indent=2) + "\n")
        old = scratch / "old"
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
