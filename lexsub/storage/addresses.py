"""Addresses: files that are not on this machine, read in blocks where they lie.

An address is a path that begins with a scheme: ``s3://bucket/corpus``, ``gs://…``,
``hdfs://host/…``, ``https://…``, ``memory://…``.  It travels through the program as an ordinary
:class:`~pathlib.Path` (which writes one slash for two); whoever opens, lists or writes files asks
here.  fsspec does the work, and is imported for addresses alone.  What a scheme needs to know
(keys, endpoints, time limits) it finds as its own package does: in ``AWS_…`` variables and files,
in ``FSSPEC_…`` variables, in ``~/.config/fsspec``.

universal-pathlib was tried in its place: it takes a second to import, and its paths are no
``pathlib.Path``, which most of what is given one asks for.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn
from uuid import uuid4

from lexsub.errors import FileProblemError, LexsubError, needing, one_line
from lexsub.printable import is_address, spelled

_PACKAGES = {
    scheme: package
    for package, schemes in {
        "s3fs": "s3 s3a",
        "gcsfs": "gs gcs",
        "hdfs-native": "hdfs",
        "requests": "webhdfs",
        "adlfs": "abfs abfss az",
        "aiohttp": "http https",
        "paramiko": "sftp ssh",
    }.items()
    for scheme in schemes.split()
}
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
            address,
            f"unknown kind of address {kind}://; expected one that fsspec knows "
            "(s3, gs, hdfs, http, https …), or a path",
        ) from None
    except Exception as error:
        _refused(path, error, "read")
    return system, str(inner)


@contextmanager
def store_errors(path: Path, what: str = "read", *, missing: bool = False) -> Iterator[None]:
    """Turn whatever a store's package raises into one line that names the address."""
    try:
        yield
    except LexsubError:
        raise
    except FileNotFoundError as error:
        if missing:
            raise
        raise FileProblemError(path, "no such file, folder or bucket") from error
    except Exception as error:
        _refused(path, error, what)


def _refused(path: Path, error: Exception, what: str) -> NoReturn:
    said = one_line(_JAVA.split(str(error), 1)[0].strip(), 300) or type(error).__name__
    hint = ""
    if isinstance(error, PermissionError) or "redential" in said:
        hint = " (are the store's keys set, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY?)"
    if "libjvm" in said or "libhdfs" in said:  # pyarrow's client is a part of Hadoop
        hint = " (pip install hdfs-native: a client that needs neither Java nor Hadoop here)"
    raise FileProblemError(path, f"cannot be {what}: {said}{hint}") from error


BLOCK = 1 << 22
"""Bytes asked for at once; a file being read holds about two of these."""

_IDENTITY = (
    *("ETag", "etag", "md5Hash", "content_md5", "Content-MD5", "Digest", "checksum"),
    *("LastModified", "Last-Modified", "mtime", "modified", "created"),
    *("last_modified", "modification_time", "modificationTime"),
)
"""What the stores tell of a file that changes with its content."""


def resolved(path: Path) -> Path:
    """Return a path from the root, links followed.

    Links that go round in a circle are no error here (``Path.resolve`` has one of its own for them,
    another one by version): whoever opens the path says so.
    """
    return Path(os.path.realpath(path))


def found_from(folder: Path, name: str) -> str:
    """Return a name that stands in a file of a folder as whole path; an address as it is."""
    if "\0" in name:
        return name  # No path; refused by whoever checks or opens it.
    return spelled(name) if is_address(name) else str(resolved(folder / name))


def open_address(path: Path) -> io.BufferedReader:
    """Open a file to read its bytes, a block at a time; it can be sought in.

    Raises:
        FileProblemError: there is none, the store does not answer or gives no parts of files.
        LexsubError: the scheme is unknown, or its package is not installed.
    """
    system, inner = client(path)
    bare = scheme(path) in BARE
    with store_errors(path):
        file = system.open(inner, "rb", **({} if bare else {"block_size": BLOCK}))
    try:  # What a server without them sends says that it can be sought in, and cannot.
        file.seek(0, io.SEEK_END)
        file.seek(0)
    except ValueError:
        file.close()
        raise FileProblemError(
            path, "this server gives no parts of files (ranges); fetch the file, and name it here"
        ) from None
    return io.BufferedReader(_Remote(file, path), BLOCK if bare else 1 << 16)


def exists(path: Path) -> bool:
    """Return True if there is a file or folder at a path or address."""
    if not is_address(path):
        return path.exists()
    return _info(path) is not None


def is_file(path: Path) -> bool:
    """Return True if there is a file at a path or address."""
    if not is_address(path):
        return path.is_file()
    return (_info(path) or {}).get("type") == "file"


def size(path: Path) -> int:
    """Return the bytes of a file; of one whose server does not say how many, 0.

    Raises:
        FileProblemError: there is none.
    """
    if is_address(path):
        return int(_told(path).get("size") or 0)
    try:
        return path.stat().st_size
    except OSError as error:
        raise FileProblemError(path, "no such file") from error


def identity(path: Path) -> str | None:
    """Return what tells a file's content from any other at its address, if the store says so.

    Raises:
        FileProblemError: there is none.
    """
    return _identity(path, _told(path))


def listing(folder: Path) -> dict[str, str | None]:
    """Return the files below an address by their names from there, each with its identity.

    Of a file the name is "".  The web has no folders: of what is there, a list by the name of
    ``digests.json`` speaks.

    Raises:
        FileProblemError: there is nothing.
    """
    told = _told(folder)
    if told["type"] == "file":
        return {"": _identity(folder, told)}
    system, inner = client(folder)
    with store_errors(folder):
        found = system.find(inner, detail=True)
    base = inner.rstrip("/")
    return {
        name[len(base) :].lstrip("/"): _identity(folder, one) for name, one in sorted(found.items())
    }


def matching(pattern: Path) -> list[Path]:
    """Return the files that a pattern (``s3://bucket/texts/**/*.xz``) stands for, sorted."""
    fixed = pattern
    while any(sign in str(fixed) for sign in "*?["):
        fixed = fixed.parent
    system, inner = client(pattern)
    base = client(fixed)[1].rstrip("/")
    with store_errors(pattern):
        found = system.glob(inner, detail=True)
    return sorted(
        fixed / name[len(base) :].lstrip("/")
        for name, one in found.items()
        if one["type"] == "file"
    )


def put(file: Path, address: Path) -> None:
    """Copy a file of this machine to an address.

    Stores show a file when it is whole.  In folders it grows where all can see it, so there it is
    written under a hidden name, and renamed; what was there before stays until then.

    Raises:
        FileProblemError: the store does not take it.
    """
    system, inner = client(address)
    with store_errors(address, "written"):
        if scheme(address) in FLAT:
            system.put_file(str(file), inner)
            return
        place = PurePosixPath(inner)
        system.makedirs(place.parent.as_posix(), exist_ok=True)
        draft = place.with_name(f".{place.name}.{uuid4().hex[:8]}.part").as_posix()
        try:
            system.put_file(str(file), draft)
            with suppress(FileNotFoundError):
                system.rm_file(inner)  # not all rename over what is there
        except BaseException:
            with suppress(Exception):
                system.rm_file(draft)
            raise
        try:
            system.mv(draft, inner)
        except Exception as error:  # the draft is all that is left
            raise FileProblemError(
                address, f"cannot be renamed: the whole file is {draft} there ({error})"
            ) from error


def put_folder(folder: Path, address: Path, last: tuple[str, ...] = ()) -> None:
    """Copy all files below a folder of this machine to an address.

    Args:
        folder: of this machine.
        address: the place of its files.
        last: names of files that are copied when all others are there: without them, the rest is
            not whole.

    Raises:
        FileProblemError: the store does not take them.
    """
    names = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    for name in sorted(names, key=lambda one: (one.as_posix() in last, one.name in last, one)):
        put(folder / name, address / name)


def remove(path: Path) -> None:
    """Remove the file at an address, if it is there.

    Raises:
        FileProblemError: the store refuses.
    """
    system, inner = client(path)
    with suppress(FileNotFoundError), store_errors(path, "removed", missing=True):
        system.rm_file(inner)


def check_writable(folder: Path) -> None:
    """Make sure, by writing and removing a file, that an address takes files.

    Raises:
        FileProblemError: it does not.
    """
    probe = folder / ".lexsub-writable"
    system, inner = client(probe)
    with store_errors(folder, "written"):
        if scheme(probe) not in FLAT:
            system.makedirs(PurePosixPath(inner).parent.as_posix(), exist_ok=True)
        system.pipe_file(inner, b"")
        system.rm_file(inner)


def _told(path: Path) -> dict[str, Any]:
    found = _info(path)
    if found is None:
        raise FileProblemError(path, "no such file, folder or bucket")
    return found


def _info(path: Path) -> dict[str, Any] | None:
    system, inner = client(path)
    try:
        with store_errors(path, missing=True):
            found: dict[str, Any] = system.info(inner)
    except FileNotFoundError:
        return None
    return found


def _identity(path: Path, told: dict[str, Any]) -> str | None:
    marks = [f"{key}={told[key]}" for key in _IDENTITY if told.get(key)]
    return f"{spelled(path)} {told.get('size')} {' '.join(marks)}" if marks else None


class _Remote(io.RawIOBase):
    """A file elsewhere whose errors are ours, in the middle of reading, too."""

    def __init__(self, file: Any, path: Path) -> None:
        self._file, self._path = file, path

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        block = self._call(self._file.read, len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._call(self._file.seek, offset, whence)  # not all say where they are now
        return self.tell()

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()

    def _call(self, method: Callable[..., Any], *given: int) -> Any:
        with store_errors(self._path):
            return method(*given)
