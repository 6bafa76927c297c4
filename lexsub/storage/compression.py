"""Files that may be compressed: as streams, line by line within bounds, or whole."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from lexsub.errors import FileProblemError, FormatError, Place, needing, os_problem
from lexsub.storage.files import LARGEST_FILE, not_text, open_file, read_bytes, refuse_other_kinds

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
        problem = f"the {kind} data are damaged or end early ({error})"
        way = f"expected a whole {kind} file: copy or download it again"
        raise FormatError(path, None, f"{problem}; {way}") from error


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


def look_for_reader(path: Path) -> None:
    """Miss what reads a compressed file, by its name, before any work is done.

    Raises:
        MissingExtraError: it is not installed.
    """
    if path.suffix == ".zst":
        _zstd()


def _zstd() -> Any:
    # In the standard library from Python 3.14 on; the backport has the same names and, unlike
    # the older bindings, notices a file that ends early.
    try:
        return import_module("compression.zstd")
    except ImportError:
        pass
    with needing("backports.zstd", "zstd", "reading .zst files"):
        return import_module("backports.zstd")


LONGEST_LINE = 1 << 24
"""Characters; a longer line is a file without line ends."""

_BAD = re.compile("[\0\udc80-\udcff]")
# Refused encodings: they decode in quadratic time, or do not yield text.
_NO_ENCODINGS = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"}


def read_lines(
    path: Path, encoding: str = "utf-8", largest: int = LARGEST_FILE
) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers (from 1), without their line ends.

    Lines end at LF, CR LF or CR and nowhere else: U+2028, U+0085 and form feeds are text.  A
    byte order mark at the beginning is none.

    Args:
        path: the file; gzip, bzip2, xz and zstd data are unpacked.
        encoding: of the text.
        largest: how many bytes the file may unpack to.

    Raises:
        FileProblemError: it cannot be read.
        FormatError: bytes that are not of the encoding, NUL bytes, no text at all, a line of
            more than ``LONGEST_LINE`` characters, or more than ``largest`` bytes.
        LookupError: there is no such encoding of texts.
    """
    if encoding.lower().replace("_", "-") in _NO_ENCODINGS or "\0" in encoding:
        raise LookupError(f"unknown encoding: {encoding}")
    with open_stream(path) as stream:
        bounded = io.BufferedReader(_Bounded(stream, path, largest), 1 << 16)
        refuse_other_kinds(bounded.peek(16)[:16], path)
        text = io.TextIOWrapper(bounded, encoding, errors="surrogateescape")
        lines = iter(partial(text.readline, LONGEST_LINE + 2), "")
        for number, line in enumerate(lines, start=1):
            line = line.removesuffix("\n")
            if number == 1:
                line = line.removeprefix("\ufeff")
            if len(line) > LONGEST_LINE:
                problem = f"is a line of more than {LONGEST_LINE} characters; expected text"
                raise FormatError(path, number, problem)
            if not line.isascii() or "\0" in line:
                _check_line(line, path, number, encoding)
            yield number, line


def _check_line(line: str, path: Path, number: int, encoding: str) -> None:
    bad = _BAD.search(line)
    if bad is None:
        return
    if bad[0] == "\0":
        raise FormatError(path, number, "holds a NUL byte; expected text, not a binary file")
    raise Place(path, number).fault(not_text(ord(bad[0]) - 0xDC00, encoding))


class _Bounded(io.RawIOBase):
    """A stream that refuses to give more than so many bytes."""

    def __init__(self, stream: IO[bytes], path: Path, largest: int) -> None:
        self._stream, self._path, self._largest = stream, path, largest
        self._given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        block = self._stream.read(len(buffer))
        self._given += len(block)
        if self._given > self._largest:
            problem = f"holds more than {self._largest} bytes; expected a smaller file"
            raise FormatError(self._path, None, problem)
        buffer[: len(block)] = block
        return len(block)
