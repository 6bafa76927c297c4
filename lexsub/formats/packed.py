"""Whole small files that may be compressed."""

from __future__ import annotations

import io
import zlib
from lzma import LZMAError
from pathlib import Path
from typing import IO, cast

from lexsub.errors import FormatError
from lexsub.files import LARGEST_FILE, read_bytes

_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}


def unpack(data: bytes, path: Path) -> bytes:
    """Return the content of gzip, bzip2 or xz bytes; other bytes as they are.

    Raises:
        FormatError: compressed data that are damaged, end early, or hold more than
            ``LARGEST_FILE`` bytes.
    """
    kind = next((name for magic, name in _MAGIC.items() if data.startswith(magic)), None)
    try:
        if kind == "gzip":
            import gzip

            with gzip.open(io.BytesIO(data)) as stream:
                return _read(cast("IO[bytes]", stream), path)
        if kind == "bzip2":
            import bz2

            with bz2.open(io.BytesIO(data)) as stream:
                return _read(stream, path)
        if kind == "xz":
            import lzma

            with lzma.open(io.BytesIO(data)) as stream:
                return _read(stream, path)
    except (EOFError, OSError, LZMAError, zlib.error) as error:
        raise FormatError(
            path,
            None,
            f"the {kind} data are damaged or end early ({error}); expected a whole {kind} "
            "file: copy or download it again",
        ) from error
    return data


def _read(stream: IO[bytes], path: Path) -> bytes:
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
