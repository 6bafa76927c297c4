"""Files: read with clear errors, written whole or not at all."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from lexsub.errors import FileProblemError, FormatError, os_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

STDIN = Path("-")


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file (``-``: standard input).

    Raises:
        FileProblemError: the file is missing, a folder, or not readable.
    """
    if path == STDIN:
        import sys

        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileProblemError(path, os_problem(error)) from error


def decode(data: bytes, path: Path, encoding: str = "utf-8") -> str:
    """Decode a file's bytes, or say on which line the first bad byte stands.

    Raises:
        FormatError: bytes that are not of the encoding, or NUL bytes.
    """
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            path,
            line,
            f"byte 0x{data[error.start]:02x} is not {encoding}; expected {encoding} text",
        ) from error
    nul = data.find(b"\0")
    if nul >= 0:
        line = data.count(b"\n", 0, nul) + 1
        raise FormatError(path, line, "holds a NUL byte; expected text, not a binary file")
    return text


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """Return a file's text with its line ends as they are (CR included)."""
    return decode(read_bytes(path), path, encoding)


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, read in blocks.

    Raises:
        FileProblemError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise FileProblemError(path, os_problem(error)) from error


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name only when the block ends without an error.

    The bytes go to a temporary file in the same folder, are flushed to disk and
    renamed, so a reader sees the old file or the new one, never half of either,
    whatever kills the writer.

    Raises:
        FileProblemError: the folder cannot be made, or the disk refuses (full, read-only).
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise FileProblemError(path, f"cannot be written: {os_problem(error)}") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


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
