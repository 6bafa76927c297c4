"""Archives from elsewhere, unpacked without trusting them."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, cast

from lexsub.errors import FileProblemError, FormatError, os_problem
from lexsub.storage.compression import decompressed
from lexsub.storage.files import open_file, writing

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


@dataclass(frozen=True, slots=True)
class _Member:
    """A file or folder in an archive, or something else that ``kind`` names."""

    name: str
    kind: str
    size: int
    open: Callable[[], IO[bytes]]


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
    try:
        with open_file(archive) as file:
            members = _zip_members if file.read(2) == b"PK" else _tar_members
            file.seek(0)
            budget = _Budget(archive, limits)
            for number, member in enumerate(members(file, budget), 1):
                if number > limits.members:
                    raise FormatError(
                        archive, None, f"holds more than {limits.members} members; refused"
                    )
                if member.kind not in ("file", "folder"):
                    raise FormatError(archive, None, f"member {member.name!r} is {member.kind}; "
                                      "expected only files and folders")  # fmt: skip
                budget.check(member.size)
                _write(member, _place(archive, member.name, folder))
    except _DAMAGED as error:
        reason = str(error) or type(error).__name__
        raise FormatError(
            archive, None, f"is damaged or no tar or zip archive ({reason}); fetch it again"
        ) from error
    except OSError as error:
        raise FileProblemError(archive, os_problem(error)) from error
    # zipfile's words for an encrypted member, and for a compression that Python lacks.
    except (RuntimeError, NotImplementedError) as error:
        raise FormatError(archive, None, f"cannot be unpacked: {error}") from error


def _tar_members(file: IO[bytes], budget: _Budget) -> Iterator[_Member]:
    with decompressed(file) as raw:
        # As a stream, so that nothing is read twice and nothing unpacked unseen; counted
        # below tarfile, because an extended header of any size would be read whole.
        counted = cast("IO[bytes]", _Counted(raw, budget))
        with tarfile.open(fileobj=counted, mode="r|") as tar:
            for member in tar:
                kind = "a device or another special file"
                if member.issym() or member.islnk():
                    kind = "a link"
                elif member.issparse():
                    kind = "a sparse file"
                elif member.isreg() or member.isdir():
                    kind = "file" if member.isreg() else "folder"
                yield _Member(member.name, kind, member.size, partial(_extracted, tar, member))
        while counted.read(1 << 16):  # to the end, where the checksum stands
            pass


def _zip_members(file: IO[bytes], budget: _Budget) -> Iterator[_Member]:
    with zipfile.ZipFile(file) as packed:
        for member in packed.infolist():
            # The upper half of a Unix zip's attributes is st_mode: 4 folder, 8 file, 0 unknown.
            kind = "folder" if member.is_dir() else "file"
            if member.external_attr >> 28 not in (0, 4, 8):
                kind = "a link or a special file"
            yield _Member(
                member.filename, kind, member.file_size, partial(_counted, packed, member, budget)
            )


def _extracted(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    return cast("IO[bytes]", tar.extractfile(member))  # None for what is no file


def _counted(packed: zipfile.ZipFile, member: zipfile.ZipInfo, budget: _Budget) -> IO[bytes]:
    return cast("IO[bytes]", _Counted(packed.open(member), budget))


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


def _write(member: _Member, target: Path) -> None:
    if member.kind == "folder":
        with writing(target):
            target.mkdir(parents=True, exist_ok=True)
        return
    source = member.open()
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            while block := source.read(1 << 16):
                file.write(block)


class _Budget:
    """Counts what an archive unpacks to."""

    def __init__(self, archive: Path, limits: Limits) -> None:
        self.archive, self.limits = archive, limits
        self.bytes = 0

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
        try:
            data = self._file.read(size)
        except OSError as error:
            # gzip and bz2 report damage as an OSError that carries no errno.
            if error.errno is None:
                raise EOFError(str(error)) from error
            raise
        self._budget.read(len(data))
        return data
