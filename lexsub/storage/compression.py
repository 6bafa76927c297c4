"""Files that may be compressed: as streams, or whole."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from lexsub.errors import FileProblemError, FormatError, needing, os_problem
from lexsub.storage.files import LARGEST_FILE, open_file, read_bytes

# The first bytes tell more than the name: `corpus.txt` may well be a renamed download.
MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_OPEN: dict[str, Callable[[IO[bytes]], Any]] = {
    "gzip": gzip.open,
    "bzip2": bz2.open,
    "xz": lzma.open,
}


@contextmanager
def open_stream(path: Path) -> Iterator[IO[bytes]]:
    """Open a file as a stream of its uncompressed bytes (plain, gzip, bzip2, xz or zstd).

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: the compressed data are damaged or end early.
        MissingExtraError: the file is zstd and its library is not installed.
    """
    with open_measured(path) as (stream, _):
        yield stream


@contextmanager
def open_measured(path: Path) -> Iterator[tuple[IO[bytes], Callable[[], int]]]:
    """Open a file as :func:`open_stream` does; beside it, what tells how far the file is read.

    That is in bytes as they are stored: of a compressed file nothing else is known before its
    end.
    """
    with _open_seekable(path) as raw, _undamaged(raw, path) as stream:
        yield stream, raw.tell


def plain_size(path: Path) -> int | None:
    """Return the bytes of a file that is not compressed; None for one that is.

    Raises:
        FileProblemError: the file cannot be read.
    """
    with _open_seekable(path) as raw:
        return raw.seek(0, io.SEEK_END) if _kind(raw) == "plain" else None


def _open_seekable(path: Path) -> io.BufferedReader:
    try:
        raw = open_file(path)
        if not raw.seekable():
            raw.close()
            raise FileProblemError(path, "is a pipe; expected a file, which is read twice")
    except OSError as error:
        raise FileProblemError(path, os_problem(error)) from error
    return raw


def unpack(data: bytes, path: Path) -> bytes:
    """Return the content of compressed bytes; other bytes as they are.

    Raises:
        FormatError: compressed data that are damaged, end early, or hold more than
            ``LARGEST_FILE`` bytes.
        MissingExtraError: as for :func:`open_stream`.
    """
    with _undamaged(io.BytesIO(data), path) as stream:
        content = stream.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise FormatError(path, None, f"unpacks to more than {LARGEST_FILE} bytes; refused")
    return content


def read_unpacked(path: Path) -> bytes:
    """Read a whole file (``-``: standard input), decompressed where it is compressed.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: compressed data that are damaged or end early.
    """
    return unpack(read_bytes(path), path)


@contextmanager
def _undamaged(raw: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    kind = "plain"
    try:
        kind = _kind(raw)
        with decompressed(raw) as stream:
            yield stream
    except (EOFError, lzma.LZMAError, zlib.error, OSError) as error:
        # gzip and bz2 report damage as an OSError that carries no errno.
        if isinstance(error, OSError) and (kind == "plain" or error.errno is not None):
            raise FileProblemError(path, os_problem(error)) from error
        raise FormatError(
            path,
            None,
            f"the {kind} data are damaged or end early ({error}); expected a whole {kind} "
            "file: copy or download it again",
        ) from error


def _kind(raw: IO[bytes]) -> str:
    head = raw.read(6)
    raw.seek(0)
    return next((name for magic, name in MAGIC.items() if head.startswith(magic)), "plain")


@contextmanager
def decompressed(raw: IO[bytes]) -> Iterator[Any]:
    """Give out a file's uncompressed bytes as a stream; errors are those of the libraries."""
    kind = _kind(raw)
    if kind == "plain":
        yield raw
    elif kind in _OPEN:
        with _OPEN[kind](raw) as stream:
            yield stream
    else:
        zstd = _zstd()
        try:
            with zstd.open(raw) as stream:
                yield stream
        except zstd.ZstdError as error:
            raise EOFError(str(error)) from error


def _zstd() -> Any:
    # In the standard library from Python 3.14 on; the backport has the same names and, unlike
    # the older bindings, notices a file that ends early.
    try:
        return import_module("compression.zstd")
    except ImportError:
        pass
    with needing("backports.zstd", "zstd", "reading .zst files"):
        return import_module("backports.zstd")
