"""Open a file for reading whatever it is compressed with."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from lzma import LZMAError
from pathlib import Path
from typing import IO, Any

from lexsub.errors import FileProblemError, FormatError, MissingExtraError, os_problem

# The first bytes tell more than the name: `corpus.txt` may well be a renamed download.
MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
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
    kind = "plain"
    try:
        with path.open("rb") as raw:
            head = raw.read(6)
            raw.seek(0)
            kind = next((name for magic, name in MAGIC.items() if head.startswith(magic)), "plain")
            with _decompressed(raw, kind) as stream:
                yield stream, raw.tell
    except (EOFError, LZMAError, zlib.error) as error:
        raise _damaged(path, kind, error) from error
    except OSError as error:
        # gzip and bz2 report damage as an OSError that carries no errno.
        if kind != "plain" and error.errno is None:
            raise _damaged(path, kind, error) from error
        raise FileProblemError(path, os_problem(error)) from error


@contextmanager
def _decompressed(raw: IO[bytes], kind: str) -> Iterator[Any]:
    if kind == "plain":
        yield raw
    elif kind == "gzip":
        import gzip

        with gzip.open(raw) as stream:
            yield stream
    elif kind == "bzip2":
        import bz2

        with bz2.open(raw) as stream:
            yield stream
    elif kind == "xz":
        import lzma

        with lzma.open(raw) as stream:
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
    try:
        return import_module("backports.zstd")
    except ImportError:
        raise MissingExtraError("backports.zstd", "zstd", "reading .zst files") from None


def _damaged(path: Path, kind: str, error: Exception) -> FormatError:
    return FormatError(
        path,
        None,
        f"the {kind} data are damaged or end early ({error}); expected a whole {kind} file: "
        "copy or download it again",
    )
