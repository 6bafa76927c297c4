"""Archives from elsewhere, unpacked without trusting them."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from lexsub.errors import FileProblemError, FormatError, os_problem

_BLOCK = 1 << 16
_DAMAGED = (EOFError, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile)
_OPENERS: dict[bytes, Callable[[Path], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an archive may unpack to.

    Attributes:
        bytes: unpacked size of everything together, headers included.
        members: number of files and folders.
    """

    bytes: int = 1 << 27
    members: int = 20_000


def unpack(archive: Path, folder: Path, limits: Limits = Limits()) -> None:
    """Unpack a tar (plain, gz, bz2, xz) or zip archive into an existing, empty folder.

    Only regular files and folders are accepted, and only below ``folder``; their modes,
    owners and times are not taken over.

    Raises:
        FileProblemError: the archive cannot be read or the disk refuses.
        FormatError: not an archive, damaged, larger than the limits, or a member that is a
            link, a device, an absolute path, or leads out of the folder.  What was unpacked
            so far is left for the caller to remove.
    """
    try:
        with archive.open("rb") as file:
            magic = file.read(6)
    except OSError as error:
        raise FileProblemError(archive, os_problem(error)) from error
    try:
        if magic.startswith(b"PK"):
            _unpack_zip(archive, folder, limits)
        else:
            _unpack_tar(archive, folder, limits, magic)
    except (*_DAMAGED, gzip.BadGzipFile) as error:
        reason = str(error) or type(error).__name__
        raise FormatError(
            archive, None, f"is damaged or no tar or zip archive ({reason}); fetch it again"
        ) from error
    except RuntimeError as error:  # zipfile's word for an encrypted member
        raise FormatError(archive, None, f"cannot be unpacked: {error}") from error
    except NotImplementedError as error:  # a zip compression that Python lacks
        raise FormatError(archive, None, f"cannot be unpacked: {error}") from error


def _unpack_tar(archive: Path, folder: Path, limits: Limits, magic: bytes) -> None:
    unzip = next((how for start, how in _OPENERS.items() if magic.startswith(start)), None)
    with archive.open("rb") if unzip is None else unzip(archive) as raw:
        budget = _Budget(archive, limits)
        # As a stream, so that nothing is read twice and nothing unpacked unseen; counted
        # below tarfile, because an extended header of any size would be read whole.
        counted = cast("IO[bytes]", _Counted(raw, budget))
        with tarfile.open(fileobj=counted, mode="r|") as tar:
            for member in tar:
                budget.member()
                _check_kind(archive, member)
                target = _place(archive, member.name, folder)
                if member.isdir():
                    with _writing(target):
                        target.mkdir(parents=True, exist_ok=True)
                    continue
                budget.check(member.size)
                try:
                    tarfile.data_filter(member, str(folder))
                except tarfile.FilterError as error:
                    raise FormatError(archive, None, f"refused: {error}") from error
                source = tar.extractfile(member)
                if source is not None:
                    _write(target, source)
        while counted.read(_BLOCK):  # to the end, where the checksum stands
            pass


def _check_kind(archive: Path, member: tarfile.TarInfo) -> None:
    if member.issym() or member.islnk():
        kind = "a link"
    elif member.issparse():
        kind = "a sparse file"
    elif not (member.isreg() or member.isdir()):
        kind = "a device or another special file"
    else:
        return
    raise FormatError(
        archive, None, f"member {member.name!r} is {kind}; expected only files and folders"
    )


def _unpack_zip(archive: Path, folder: Path, limits: Limits) -> None:
    budget = _Budget(archive, limits)
    with zipfile.ZipFile(archive) as packed:
        for member in packed.infolist():
            budget.member()
            kind = member.external_attr >> 28
            # The upper half of a Unix zip's attributes is st_mode: 4 folder, 8 file, 0 unknown.
            if kind not in (0, 4, 8):
                raise FormatError(
                    archive,
                    None,
                    f"member {member.filename!r} is a link or a special file; "
                    "expected only files and folders",
                )
            target = _place(archive, member.filename, folder)
            if member.is_dir():
                with _writing(target):
                    target.mkdir(parents=True, exist_ok=True)
                continue
            budget.check(member.file_size)
            with packed.open(member) as source:
                _write(target, cast("IO[bytes]", _Counted(source, budget)))


def _place(archive: Path, name: str, folder: Path) -> Path:
    """Return where a member goes; refuse every name that is not plainly below the folder."""
    parts = PurePosixPath(name).parts
    if (
        name.startswith("/")
        or "\\" in name
        or ".." in parts
        or any(ord(char) < 32 for char in name)
        or (parts and ":" in parts[0])
    ):
        raise FormatError(
            archive, None, f"member {name!r} would leave the folder; expected plain relative names"
        )
    return folder.joinpath(*parts)


def _write(target: Path, source: IO[bytes]) -> None:
    with _writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            while block := source.read(_BLOCK):
                file.write(block)


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    try:
        yield
    except gzip.BadGzipFile:  # an OSError, but of the archive, not of the disk
        raise
    except OSError as error:
        raise FileProblemError(target, f"cannot be written: {os_problem(error)}") from error


class _Budget:
    """Counts what an archive unpacks to."""

    def __init__(self, archive: Path, limits: Limits) -> None:
        self.archive, self.limits = archive, limits
        self.bytes = self.members = 0

    def member(self) -> None:
        self.members += 1
        if self.members > self.limits.members:
            raise FormatError(
                self.archive, None, f"holds more than {self.limits.members} members; refused"
            )

    def check(self, more: int) -> None:
        if self.bytes + more > self.limits.bytes:
            raise FormatError(
                self.archive, None, f"unpacks to more than {self.limits.bytes} bytes; refused"
            )

    def read(self, count: int) -> None:
        self.check(count)
        self.bytes += count


class _Counted:
    """A file that may be read only as far as the budget goes."""

    def __init__(self, file: IO[bytes], budget: _Budget) -> None:
        self._file, self._budget = file, budget

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._budget.read(len(data))
        return data
