"""Indexes in the user's cache: SQLite files that are made once and only read from then on.

A model brings its indexes along, ready-made: those say which layout they have, because no name in
a cache does.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from lexsub.errors import FileProblemError, FormatError, Place
from lexsub.storage.files import folder_beside, writing

T = TypeVar("T")

Write = Callable[[Path], object]
"""Writes an index to the path it is given."""


def connect(index: Path | bytes) -> sqlite3.Connection:
    """Open a finished index, or the bytes of one, for reading, from any thread.

    Raises:
        sqlite3.Error: there is none.
    """
    if isinstance(index, bytes):
        held = sqlite3.connect(":memory:", check_same_thread=False)
        held.deserialize(index)
        return held
    # Nobody ever writes to a finished index, so no lock is needed to read it.
    uri = f"{index.absolute().as_uri()}?mode=ro&immutable=1"
    database = sqlite3.connect(uri, uri=True, check_same_thread=False)
    # Mapped, a first look at an entry costs a third of what reading its pages would.
    database.execute("PRAGMA mmap_size = 268435456").close()
    return database


def open_index(index: Path, opened: Callable[[Path], T], write: Write) -> T:
    """Open an index, and write it first where there is none, or a damaged one.

    Args:
        index: where it is; the name says what it was made from.
        opened: opens it, and raises an ``sqlite3.Error`` if it cannot be used.
        write: writes it.

    Raises:
        FileProblemError: the cache cannot be written.
    """
    with suppress(sqlite3.Error):
        return opened(index)
    write_index(index, write)
    return opened(index)


def write_index(index: Path, write: Write) -> None:
    """Write an index, whole or not at all; of two processes at once the last one's stays.

    Raises:
        FileProblemError: the cache cannot be written.
    """
    try:
        with folder_beside(index) as folder:
            draft = folder / "index"
            write(draft)
            draft.replace(index)
    except sqlite3.Error as error:
        raise FileProblemError(index, f"cannot be written: {error}") from error


MAGIC = b"SQLite format 3\0"


def is_ready(path: Path) -> bool:
    """Return True if a file is an index itself, not something to make one of."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def open_ready(index: Path, opened: Callable[[Path], T], layout: int) -> T:
    """Open an index that came with a model.

    Raises:
        FormatError: it has another, or is damaged.
    """
    try:
        with connect(index) as database:
            found = database.execute("PRAGMA user_version").fetchone()[0]
        if found != layout:
            raise Place(index).fault(
                f"is an index of layout {found}; this version of lexsub reads layout {layout}: "
                "build the model again, or take one that was made for this version"
            )
        return opened(index)
    except sqlite3.Error as error:
        raise FormatError(index, None, f"is damaged ({error}): install the model again") from error


def write_ready(index: Path | bytes, ready: Path, layout: int, *changes: str) -> None:
    """Copy a finished index to where a model keeps it.

    Args:
        index: the finished one, or its bytes.
        ready: where the copy goes.
        layout: what it says of itself.
        changes: statements that leave out what is not looked up there.

    Raises:
        FileProblemError: it cannot be written.
    """
    with writing(ready):
        ready.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(index, bytes):
            ready.write_bytes(index)
        else:
            shutil.copyfile(index, ready)
    with closing(sqlite3.connect(ready, isolation_level=None)) as database:
        for statement in (*changes, f"PRAGMA user_version = {layout}", "VACUUM"):
            database.execute(statement)
