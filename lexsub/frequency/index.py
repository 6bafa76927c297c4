"""Indexes of long frequency lists, kept in the user's cache.

Reading a list of two hundred thousand words takes longer than everything else that opening a
system does; whoever asks about a sentence wants a thousand of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

from lexsub.errors import FileProblemError
from lexsub.storage.addresses import resolved
from lexsub.storage.digests import known_sha256
from lexsub.storage.files import read_text, sha256, write_bytes
from lexsub.storage.indexes import connect, is_ready, open_index, open_ready, write_ready

LAYOUT = 2
"""Part of an index's file name; raise it when the tables, or what readers make of lists, change."""

Read = Callable[[str, Path], Mapping[str, int]]
"""Makes counts by word of a list's text and its path."""


FEW = 4_000
"""Words that are looked up one by one, those of some sentences; for more the list is read."""


class CountIndex:
    """Counts on disk, looked up as they are asked for and kept then; read whole for many words."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = connect(path)
        self._database.execute("SELECT count FROM counts LIMIT 1").fetchone()
        self._kept: dict[str, int | None] = {}
        self._whole = False

    def get(self, word: str, default: int, /) -> int:
        """Return the count of a word, or the default where it is not listed.

        Raises:
            FileProblemError: the index is damaged at that very place; says how to mend it.
        """
        if not self._whole and word not in self._kept:
            found = self._rows("SELECT count FROM counts WHERE word = ?", word)
            self._kept[word] = int(found[0][0]) if found else None
            if len(self._kept) > FEW:
                self._kept, self._whole = dict(self._rows("SELECT word, count FROM counts")), True
        count = self._kept.get(word)
        return default if count is None else count

    def _rows(self, query: str, *values: str) -> list[Any]:
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise FileProblemError(
                self._path,
                f"this index of a frequency list is damaged ({error}); delete it, and it is made "
                "anew",
            ) from error


Counts = CountIndex | dict[str, int]
"""Counts by word."""


def open_counts(path: Path, read: Read, cache: Path) -> Counts:
    """Open the index of a list, and write it first where there is none.

    Where the cache cannot be written the list is read whole.

    Args:
        path: the list; when it changes it gets another index.
        read: makes the counts of its text.
        cache: the cache folder.

    Raises:
        FileProblemError: the list cannot be read.
        FormatError: as ``read`` does.
    """
    return _open(resolved(path), known_sha256(path, cache / "digests"), read, cache)


# Several parts of a system ask for the same list.
@lru_cache(maxsize=8)
def _open(path: Path, digest: str, read: Read, cache: Path) -> Counts:
    if is_ready(path):
        return open_ready(path, CountIndex, LAYOUT)
    key = sha256(f"{LAYOUT} {read.__name__} {digest}".encode())[:32]

    def write(draft: Path) -> None:
        write_bytes(draft, _index_of(read(read_text(path), path)))

    try:
        return open_index(cache / "frequency" / f"{key}.sqlite", CountIndex, write)
    except FileProblemError:
        return dict(read(read_text(path), path))


def write_packed(path: Path, read: Read, target: Path) -> None:
    """Write the index of a list that a model brings along; arguments as of :func:`open_counts`."""
    write_ready(_index_of(read(read_text(path), path)), target, LAYOUT)


def _index_of(counts: Mapping[str, int]) -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(
            "CREATE TABLE counts (word TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID"
        )
        database.executemany("INSERT INTO counts VALUES (?, ?)", sorted(counts.items()))
        database.commit()
        return database.serialize()
