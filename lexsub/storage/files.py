"""Files: read with clear errors, written whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import socket
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

from lexsub.errors import FileProblemError, FormatError, os_problem
from lexsub.printable import is_address
from lexsub.progress import remark
from lexsub.storage.addresses import check_writable, exists, open_address, put, put_folder

STDIN = Path("-")
LARGEST_FILE = 1 << 29
"""Bytes; a larger file is not read whole (an endless one, as /dev/zero, would never end)."""

_OTHER_KINDS = {
    b"\x1f\x8b": "is gzip data; unpack it first (gzip -d)",
    b"BZh": "is bzip2 data; unpack it first (bzip2 -d)",
    b"\xfd7zXZ\x00": "is xz data; unpack it first (xz -d)",
    b"PK\x03\x04": "is a zip archive; unpack it first (unzip)",
    b"%PDF": "is a PDF; expected plain text",
    b"\xff\xfe": "is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
    b"\xfe\xff": "is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
}
"""First bytes of files that are easily given in place of a text, and what to do then."""


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file (``-``: standard input).

    Raises:
        FileProblemError: the file is missing, a folder, not readable, or larger than
            ``LARGEST_FILE``.
    """
    try:
        if path == STDIN:
            if sys.stdin.isatty():
                remark("reading standard input, which is a terminal: end with Ctrl-D")
            data = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with open_file(path) as file:
                data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise FileProblemError(path, os_problem(error)) from error
    except ValueError as error:  # a NUL in the name
        raise FileProblemError(repr(str(path)), f"is no file name: {error}") from error
    if len(data) > LARGEST_FILE:
        raise FileProblemError(
            path, f"is larger than {LARGEST_FILE} bytes; expected a smaller file"
        )
    return data


def open_file(path: Path) -> BufferedReader:
    """Open a file to read its bytes, here or at an address (:mod:`lexsub.storage.addresses`).

    Raises:
        FileProblemError: it is a named pipe or a terminal, which would wait for ever for
            somebody to write (a shell's ``<(…)`` is read), or a device as ``/dev/zero``, which
            never ends; or nothing can be had at the address.
        OSError: it cannot be opened.
    """
    if is_address(path):
        return open_address(path)
    refuse_endless(path)
    return path.open("rb")


def refuse_endless(path: Path) -> None:
    """Make sure that reading a file comes to an end, and waits for no other program to write.

    Raises:
        FileProblemError: it is a named pipe, a terminal, or another device than ``/dev/null``.
    """
    try:
        status = path.stat()
    except (OSError, ValueError):
        return  # Opening it says so.
    mode, waits = status.st_mode, ""
    if stat.S_ISFIFO(mode) and path.absolute().parent not in _OPENED and path != _DEV_STDIN:
        waits = "a named pipe"
    elif stat.S_ISCHR(mode):
        try:
            number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        except OSError:
            return
        empty = status.st_rdev == Path(os.devnull).stat().st_rdev
        waits = "a terminal" if os.isatty(number) else "" if empty else "a device"
        os.close(number)
    elif stat.S_ISBLK(mode):
        waits = "a device"
    if waits:
        raise FileProblemError(path, f"is {waits}; expected a file (- reads standard input)")


_OPENED = (Path("/dev/fd"), Path("/proc/self/fd"))
"""Where a shell leaves pipes that another program writes to."""

_DEV_STDIN = Path("/dev/stdin")


def parse_json(text: str) -> Any:
    """Read JSON.

    Raises:
        ValueError: it is no JSON, or nested so deeply that Python does not read it.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


CARRIAGE_RETURNS = "lines end with a carriage return alone; expected LF (tr '\\r' '\\n')"
"""What is said of a file that would else be one line."""


def decode(data: bytes, path: Path, encoding: str = "utf-8") -> str:
    """Decode a file's bytes, or say on which line the first bad byte stands.

    A byte order mark at the beginning is no part of the text.

    Raises:
        FormatError: bytes that are not of the encoding, or NUL bytes; a file of another
            kind (compressed, UTF-16) is recognised.
    """
    refuse_other_kinds(data, path)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(path, line, not_text(data[error.start], encoding)) from error
    nul = data.find(b"\0")
    if nul >= 0:
        line = data.count(b"\n", 0, nul) + 1
        raise FormatError(path, line, "holds a NUL byte; expected text, not a binary file")
    return text.removeprefix("\ufeff")


def not_text(byte: int, encoding: str) -> str:
    """Say that a byte is not of the encoding of a text."""
    return (
        f"byte 0x{byte:02x} is not {encoding}; expected {encoding} text "
        "(if it is Latin-1: iconv -f ISO-8859-1 -t UTF-8)"
    )


def refuse_other_kinds(data: bytes, path: Path) -> None:
    """Make sure that bytes are not of a kind that is easily given in place of a text.

    Raises:
        FormatError: compressed, UTF-16 and the like; says how to turn it into a text.
    """
    for magic, what in _OTHER_KINDS.items():
        if data.startswith(magic):
            raise FormatError(path, None, what)


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """Return a file's text with its line ends as they are (CR included)."""
    return decode(read_bytes(path), path, encoding)


def text_lines(text: str) -> list[str]:
    """Split at LF, CR LF and CR; ``splitlines`` also splits at U+2028, U+0085 and the like."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, read in blocks.

    Raises:
        FileProblemError: the file cannot be read.
    """
    try:
        with open_file(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise FileProblemError(path, os_problem(error)) from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Do some writing; where the disk refuses, say that ``path`` cannot be written.

    Raises:
        FileProblemError: an ``OSError`` of the block.
    """
    try:
        yield
    except OSError as error:
        raise FileProblemError(path, f"cannot be written: {os_problem(error)}") from error


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name only when the block ends without an error.

    The bytes go to a temporary file in the same folder, are flushed to disk and
    renamed, so a reader sees the old file or the new one, never half of either,
    whatever kills the writer.  A device or pipe (``/dev/null``) is written to as it is; what
    is to lie at an address is written here first, and then put there.

    Raises:
        FileProblemError: the folder cannot be made, the name is a folder's, or the disk
            refuses (full, read-only).
    """
    if is_address(path):
        with _drafted(path) as draft:
            with draft.open("wb") as file:
                yield file
            put(draft, path)
        return
    with writing(path):
        if path.is_dir():
            raise IsADirectoryError
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                yield device
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep_once(path.parent)
        handle, name = tempfile.mkstemp(prefix=draft_prefix(path), suffix=PART, dir=path.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def write_folder(path: Path) -> Iterator[Path]:
    """Give out an empty folder that appears as ``path`` when the block ends without an error.

    At an address its files appear one by one, ``digests.json`` the last.

    Raises:
        FileProblemError: something is there already, or is there in the end, made by another
            process; or the disk refuses.
    """
    if is_address(path):
        if exists(path):
            raise FileProblemError(path, "is there already; remove it, or name another address")
        check_writable(path)
        with _drafted(path) as draft:
            draft.mkdir()
            yield draft
            put_folder(draft, path, LAST)
        return
    with writing(path):
        if path.exists() and not (path.is_dir() and not any(path.iterdir())):
            raise FileProblemError(path, "is there already; remove it, or name another folder")
    with folder_beside(path) as folder:
        draft = folder / path.name
        draft.mkdir()
        yield draft
        try:
            draft.replace(path)
        except OSError as error:
            if not path.exists() or error.errno not in _OCCUPIED:
                raise
            raise FileProblemError(
                path, "was made by another process meanwhile, and is left as that made it"
            ) from error


@contextmanager
def folder_beside(path: Path) -> Iterator[Path]:
    """Give out an empty folder to make ``path`` in, which goes with all that is left in it.

    It lies beside its place, so that moving what is finished there is a rename.  What killed
    processes left beside it is removed first.

    Raises:
        FileProblemError: the disk refuses.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep_once(path.parent)
        with tempfile.TemporaryDirectory(
            PART, draft_prefix(path), path.parent, ignore_cleanup_errors=True
        ) as folder:
            yield Path(folder)


@contextmanager
def _drafted(path: Path) -> Iterator[Path]:
    """Give out a place on this machine for what is to lie at an address."""
    with writing(path), tempfile.TemporaryDirectory(prefix="lexsub-") as folder:
        yield Path(folder) / path.name


LAST = ("digests.json", "manifest.json")
"""Files that are put when all that they speak of is there."""

_OCCUPIED = (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR)

PART = ".part"
"""Ends the name of what is not finished."""

_DRAFT = re.compile(r"\..*\.(?P<machine>[0-9a-f]{8})\.(?P<process>\d+)\.\w*(\.old)?\.part")


def draft_prefix(path: Path) -> str:
    """Return how the name of a draft beside its place begins: it says which process writes it."""
    return f".{path.name[:100]}.{_machine()}.{os.getpid()}."


def is_draft(path: Path) -> bool:
    """Return True if a name is that of something unfinished."""
    return _DRAFT.fullmatch(path.name) is not None


def sweep(folder: Path) -> None:
    """Remove from a folder the drafts of processes of this machine that live no longer."""
    for path in folder.glob(f".*{PART}"):
        draft = _DRAFT.fullmatch(path.name)
        if draft and draft["machine"] == _machine() and not _alive(int(draft["process"])):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                with suppress(OSError):
                    path.unlink()


@cache
def sweep_once(folder: Path) -> None:
    """Sweep a folder, but only the first time that this process writes there."""
    sweep(folder)


@cache
def _machine() -> str:
    """Return what tells this machine (and container) from another of the same name."""
    known = [socket.gethostname()]
    with suppress(OSError):
        known.append(Path("/etc/machine-id").read_text("utf-8"))
    with suppress(OSError):
        known.append(str(Path("/proc/self/ns/pid").readlink()))
    return sha256("\n".join(known).encode())[:8]


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file atomically; see :func:`atomic_write`."""
    with atomic_write(path) as file:
        file.write(data)


def write_text(path: Path, text: str) -> None:
    """Write a whole UTF-8 file atomically, line ends as given."""
    write_bytes(path, text.encode())


def _umask() -> int:
    # There is no way to read the mask without setting it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
