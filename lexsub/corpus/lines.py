"""The lines of a text file, plain or compressed, one at a time and within bounds."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

from lexsub.errors import FormatError
from lexsub.storage.compression import open_stream
from lexsub.storage.files import LARGEST_FILE, refuse_other_kinds

LONGEST = 1 << 24
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
            more than ``LONGEST`` characters, or more than ``largest`` bytes.
        LookupError: there is no such encoding of texts.
    """
    if encoding.lower().replace("_", "-") in _NO_ENCODINGS or "\0" in encoding:
        raise LookupError(f"unknown encoding: {encoding}")
    with open_stream(path) as stream:
        bounded = io.BufferedReader(_Bounded(stream, path, largest), 1 << 16)
        refuse_other_kinds(bounded.peek(16)[:16], path)
        text = io.TextIOWrapper(bounded, encoding, errors="surrogateescape")
        lines = iter(partial(text.readline, LONGEST + 2), "")
        for number, line in enumerate(lines, start=1):
            line = line.removesuffix("\n")
            if number == 1:
                line = line.removeprefix("\ufeff")
            if len(line) > LONGEST:
                raise FormatError(
                    path, number, f"is a line of more than {LONGEST} characters; expected text"
                )
            if not line.isascii() or "\0" in line:
                _check(line, path, number, encoding)
            yield number, line


def _check(line: str, path: Path, number: int, encoding: str) -> None:
    bad = _BAD.search(line)
    if bad is None:
        return
    if bad[0] == "\0":
        raise FormatError(path, number, "holds a NUL byte; expected text, not a binary file")
    raise FormatError(
        path,
        number,
        f"byte 0x{ord(bad[0]) - 0xDC00:02x} is not {encoding}; expected {encoding} text "
        "(if it is Latin-1: iconv -f ISO-8859-1 -t UTF-8)",
    )


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
            raise FormatError(
                self._path, None, f"holds more than {self._largest} bytes; expected a smaller file"
            )
        buffer[: len(block)] = block
        return len(block)
