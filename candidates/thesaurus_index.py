"""An index of a hand-made thesaurus, written into the cache on first use.

Reading a large thesaurus takes seconds; from its index a word is there at once.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from candidates.thesaurus_formats import FORMATS, Entry
from lexsub.errors import FileProblemError, os_problem
from lexsub.files import file_sha256, sha256

LAYOUT = 1
"""Of the index; it changes with what is written."""


class ThesaurusIndex:
    """The entries of a thesaurus by word, read as they are asked for."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(
            f"file:{path.as_posix()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        self._connection.execute("SELECT count(*) FROM lists")
        ask = lru_cache(maxsize=1 << 14)(self._ask)
        self._of: Callable[[str, str], str | None] = ask

    def entries(self, word: str) -> list[Entry]:
        """Return the entries of a target word (lower case), in the thesaurus's order."""
        found = self._of("entries", word)
        return [
            Entry(target, pos, tuple(substitutes), group, tuple(scores))
            for target, pos, substitutes, group, scores in json.loads(found or "[]")
        ]

    def listed(self, word: str) -> frozenset[str]:
        """Return the words (lower case) that the entries of a word list."""
        return frozenset(text.lower() for entry in self.entries(word) for text in entry.substitutes)

    def lists(self, word: str) -> frozenset[str]:
        """Return the words (lower case) whose entries list a word."""
        return frozenset(json.loads(self._of("lists", word) or "[]"))

    def _ask(self, table: str, word: str) -> str | None:
        row = self._connection.execute(f"SELECT value FROM {table} WHERE word = ?", (word,))
        found = row.fetchone()
        return None if found is None else str(found[0])


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
    lists: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for entry in entries:
        target = entry.target.lower()
        by_target[target].append(entry)
        for text in entry.substitutes:
            lists[text.lower()][target] = None
    connection = sqlite3.connect(path)
    for table, rows in (("entries", by_target), ("lists", lists)):
        connection.execute(f"CREATE TABLE {table} (word TEXT PRIMARY KEY, value TEXT)")
        connection.executemany(
            f"INSERT INTO {table} VALUES (?, ?)",
            ((word, json.dumps(list(rows[word]), ensure_ascii=False)) for word in sorted(rows)),
        )
    connection.commit()
    connection.close()
