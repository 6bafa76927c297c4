"""An index of a hand-made thesaurus, written into the cache on first use.

Reading a large thesaurus takes seconds; from its index a word is there at once.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from candidates.thesaurus_formats import FORMATS, Entry
from lexsub.errors import FileProblemError, os_problem
from lexsub.files import file_sha256, sha256

LAYOUT = 2
"""Of the index; it changes with what is written."""


class Numbered(NamedTuple):
    """A word among the others of a thesaurus.

    Attributes:
        number: its own, -1 for a word that is not there.
        listed: of the words that its entries list, rising.
        lists: of the words whose entries list it, rising.
    """

    number: int
    listed: NDArray[np.int32]
    lists: NDArray[np.int32]


class ThesaurusIndex:
    """The entries of a thesaurus by word, read as they are asked for."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(
            f"file:{path.as_posix()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        self._connection.execute("SELECT word FROM numbers LIMIT 1").fetchone()
        self._of: Callable[[str], str] = lru_cache(maxsize=1 << 12)(self._ask)

    def entries(self, word: str) -> list[Entry]:
        """Return the entries of a target word (lower case), in the thesaurus's order."""
        return [
            Entry(target, pos, tuple(substitutes), group, tuple(scores))
            for target, pos, substitutes, group, scores in json.loads(self._of(word))
        ]

    @cached_property
    def size(self) -> int:
        """How many words, whatever their case, the thesaurus has, listed ones included."""
        return int(self._connection.execute("SELECT count(*) FROM numbers").fetchone()[0])

    def numbered(self, word: str) -> Numbered:
        """Return what lists a word (lower case) and what it lists, as numbers of words."""
        query = "SELECT number, listed, lists FROM numbers WHERE word = ?"
        row = self._connection.execute(query, (word,)).fetchone()
        number, *blobs = row or (-1, b"", b"")
        return Numbered(number, *(np.frombuffer(blob, "<i4") for blob in blobs))

    def _ask(self, word: str) -> str:
        row = self._connection.execute("SELECT value FROM entries WHERE word = ?", (word,))
        found = row.fetchone()
        return "[]" if found is None else str(found[0])


def open_index(path: Path, kind: str, cache: Path) -> ThesaurusIndex:
    """Open the index of a thesaurus, and write it first where there is none.

    Args:
        path: the thesaurus.
        kind: its format.
        cache: the cache folder.

    Raises:
        FormatError: the thesaurus is not of the format; names the line.
        FileProblemError: it cannot be read, or the cache cannot be written.
    """
    key = sha256(f"{LAYOUT} {kind} {file_sha256(path)}".encode())[:32]
    index = cache / "thesaurus-files" / f"{key}.sqlite"
    try:
        return ThesaurusIndex(index)
    except sqlite3.Error:
        # None there, or a damaged one: what is in it can be made again.
        pass
    entries = list(FORMATS[kind](path))
    try:
        index.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".index.", dir=index.parent) as folder:
            draft = Path(folder) / "index"
            _write(draft, entries)
            draft.replace(index)
        return ThesaurusIndex(index)
    except OSError as error:
        raise FileProblemError(index, f"cannot be written: {os_problem(error)}") from error
    except sqlite3.Error as error:
        raise FileProblemError(index, f"cannot be written: {error}") from error


def _write(path: Path, entries: Sequence[Entry]) -> None:
    by_target: defaultdict[str, list[Entry]] = defaultdict(list)
    listed: defaultdict[str, set[str]] = defaultdict(set)
    lists: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        target = entry.target.lower()
        by_target[target].append(entry)
        lower = [text.lower() for text in entry.substitutes]
        listed[target].update(lower)
        for text in lower:
            lists[text].add(target)
    numbers = {word: number for number, word in enumerate(sorted({*by_target, *lists}))}

    def packed(words: set[str]) -> bytes:
        return np.array(sorted(numbers[word] for word in words), "<i4").tobytes()

    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE entries (word TEXT PRIMARY KEY, value TEXT)")
    connection.executemany(
        "INSERT INTO entries VALUES (?, ?)",
        ((word, json.dumps(by_target[word], ensure_ascii=False)) for word in sorted(by_target)),
    )
    connection.execute(
        "CREATE TABLE numbers (word TEXT PRIMARY KEY, number INTEGER, listed BLOB, lists BLOB)"
    )
    connection.executemany(
        "INSERT INTO numbers VALUES (?, ?, ?, ?)",
        ((word, number, packed(listed[word]), packed(lists[word]))
         for word, number in numbers.items()),
    )  # fmt: skip
    connection.commit()
    connection.close()
