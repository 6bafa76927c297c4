"""Indexes of long frequency lists, kept in the user's cache.

Reading a list of two hundred thousand words takes longer than everything else that opening a
system does; whoever asks about a sentence wants a thousand of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from lexsub.errors import FileProblemError, os_problem
from lexsub.files import file_sha256, read_text, sha256, write_bytes

LAYOUT = 1
"""Part of an index's file name; raise it when the tables, or what readers make of lists, change."""

Read = Callable[[str, Path], Mapping[str, int]]
"""Makes counts by word of a list's text and its path."""


class Counts(Protocol):
    """Counts by word."""

    def get(self, word: str, default: int, /) -> int:
        """Return the count of a word, or the default where it is not listed."""
        ...


class CountIndex:
    """Counts on disk, looked up as they are asked for and kept then."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # Nobody ever writes to a finished index, so no lock is needed to read it.
        self._database = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        # Mapped, a first look at a word costs less than reading its page would.
        self._database.execute("PRAGMA mmap_size = 268435456").close()
        self._database.execute("SELECT count FROM counts LIMIT 1").fetchone()
        self._kept: dict[str, int | None] = {}

    def get(self, word: str, default: int, /) -> int:
        """Return the count of a word, or the default where it is not listed.

        Raises:
            FileProblemError: the index is damaged at that very place; says how to mend it.
        """
        if word not in self._kept:
            self._kept[word] = self._look_up(word)
        count = self._kept[word]
        return default if count is None else count

    def _look_up(self, word: str) -> int | None:
        query = "SELECT count FROM counts WHERE word = ?"
        try:
            row = self._database.execute(query, (word,)).fetchone()
        except sqlite3.DatabaseError as error:
            raise FileProblemError(
                self._path,
                f"this index of a frequency list is damaged ({error}); delete it, and it is made "
                "anew",
            ) from error
        return None if row is None else int(row[0])


def open_counts(path: Path, read: Read, cache: Path) -> Counts:
    """Open the index of a list, and write it first where there is none.

    Where the cache cannot be written, or a count is too large for it, the list is read whole.

    Args:
        path: the list; when it changes it gets another index.
        read: makes the counts of its text.
        cache: the cache folder.

    Raises:
        FileProblemError: the list cannot be read.
        FormatError: as ``read`` does.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise FileProblemError(path, os_problem(error)) from error
    return _open(path.resolve(), status.st_size, status.st_mtime_ns, read, cache)


# Several parts of a system ask for the same list.
@lru_cache(maxsize=8)
def _open(path: Path, size: int, changed: int, read: Read, cache: Path) -> Counts:
    del size, changed
    key = sha256(f"{LAYOUT} {read.__name__} {file_sha256(path)}".encode())[:32]
    index = cache / "frequency" / f"{key}.sqlite"
    try:
        return CountIndex(index)
    except sqlite3.Error:
        # None there, or a damaged one: what is in it can be made again.
        pass
    counts = read(read_text(path), path)
    try:
        write_bytes(index, _index_of(counts))
        return CountIndex(index)
    except (FileProblemError, sqlite3.Error, OverflowError):
        return dict(counts)


def _index_of(counts: Mapping[str, int]) -> bytes:
    database = sqlite3.connect(":memory:")
    try:
        database.execute(
            "CREATE TABLE counts (word TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID"
        )
        database.executemany("INSERT INTO counts VALUES (?, ?)", sorted(counts.items()))
        database.commit()
        return database.serialize()
    finally:
        database.close()
