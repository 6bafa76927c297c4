"""What holds files elsewhere: its client, what that wants to be asked, and its errors as ours.

fsspec does the work; it is imported for addresses alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from lexsub.errors import FileProblemError, LexsubError, needing, one_line
from lexsub.printable import spelled

_PACKAGES = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "hdfs": "hdfs-native",
             "webhdfs": "requests", "abfs": "adlfs", "abfss": "adlfs", "az": "adlfs",
             "http": "aiohttp", "https": "aiohttp", "sftp": "paramiko",
             "ssh": "paramiko"}  # fmt: skip
"""What else a scheme needs."""

FLAT = ("s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "http", "https")
"""Stores without folders: to make one would make a bucket of a misspelt name."""

BARE = ("hdfs", "viewfs")
"""Their clients keep neither listings nor blocks of a file, and take no word about them."""

_JAVA = re.compile(r"(?:\\n|\n)(?:\\t|\s)*at ")
"""Where in a server's word the list of its own functions begins."""


def scheme(path: Path) -> str:
    """Return how an address begins: ``s3``, ``hdfs``."""
    return spelled(path).partition(":")[0]


def client(path: Path) -> tuple[Any, str]:
    """Return what reads and writes an address, and its name there.

    Raises:
        FileProblemError: the store does not answer, or its client cannot read such a name.
        LexsubError: the scheme is unknown, or its package is not installed.
    """
    address = spelled(path)
    kind = scheme(path)
    if kind in BARE and any(sign in address for sign in "#?"):  # They would cut the name there.
        raise FileProblemError(address, "clients of hdfs read no names that hold # or ?")
    with needing("fsspec", "remote", address):
        from fsspec.core import url_to_fs
    settled = {} if kind in BARE else {"use_listings_cache": False}
    try:
        system, inner = url_to_fs(address, **settled)
    except ImportError as error:
        package = _PACKAGES.get(kind)
        way = f"pip install {package}" if package else one_line(str(error))
        raise LexsubError(f"{address}: addresses {kind}:// need another package: {way}") from None
    except ValueError:
        raise FileProblemError(
            address, f"unknown kind of address {kind}://; expected one that fsspec knows "
            "(s3, gs, hdfs, http, https …), or a path"
        ) from None  # fmt: skip
    except Exception as error:
        _refused(path, error, "read")
    return system, str(inner)


@contextmanager
def asking(path: Path, what: str = "read", *, missing: bool = False) -> Iterator[None]:
    """Turn whatever a store's package raises into one line that names the address."""
    try:
        yield
    except LexsubError:
        raise
    except FileNotFoundError as error:
        if missing:
            raise
        raise FileProblemError(spelled(path), "no such file, folder or bucket") from error
    except Exception as error:
        _refused(path, error, what)


def _refused(path: Path, error: Exception, what: str) -> NoReturn:
    said = one_line(_JAVA.split(str(error), 1)[0].strip(), 300) or type(error).__name__
    hint = ""
    if isinstance(error, PermissionError) or "redential" in said:
        hint = " (are the store's keys set, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY?)"
    if "libjvm" in said or "libhdfs" in said:  # pyarrow's client is a part of Hadoop
        hint = " (pip install hdfs-native: a client that needs neither Java nor Hadoop here)"
    raise FileProblemError(spelled(path), f"cannot be {what}: {said}{hint}") from error
