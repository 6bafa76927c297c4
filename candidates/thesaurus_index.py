"""An index of a hand-made thesaurus, written into the cache on first use.

Reading a large thesaurus takes seconds; from its index a word is there at once.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexsub import indexes
from lexsub.candidates.thesaurus_formats import FORMATS, Entry
from lexsub.errors import FileProblemError, FormatError
from lexsub.files import file_sha256, sha256

LAYOUT = 3
"""Of the index; it changes with what is written."""


class Numbered(NamedTuple):
    """A word among the others of a thesaurus.

    Attributes:
        number: its own, -1 for a word that is not there.
        listed: of the words that its entries list, rising; antonyms are not among them.
        lists: of the words whose entries list it, rising.
    """

    number: int
    listed: NDArray[np.int32]
    lists: NDArray[np.int32]


class ThesaurusIndex:
    """The entries of a thesaurus by word, read as they are asked for."""

    def __init__(self, index: Path | bytes) -> None:
        self._connection = indexes.connect(index)
        self._connection.execute("SELECT word FROM words LIMIT 1").fetchone()
        self._of: Callable[[str], tuple[Entry, ...]] = lru_cache(maxsize=1 << 12)(self._ask)

    def entries(self, word: str) -> tuple[Entry, ...]:
        """Return the entries of a target word (lower case), in the thesaurus's order."""
        return self._of(word)

    @cached_property
    def size(self) -> int:
        """How many words, whatever their case, the thesaurus has, listed ones included."""
        return int(self._connection.execute("SELECT count(*) FROM words").fetchone()[0])

    def numbered(self, word: str) -> Numbered:
        """Return what lists a word (lower case) and what it lists, as numbers of words."""
        number, own, above = self._word(word)
        starts, targets = self._targets
        listed = [np.frombuffer(row[0], "<i4") for row in self._rows("listed", own)]
        lists = [targets[starts[one] : starts[one + 1]] for one in above.tolist()]
        return Numbered(number, _union(listed), _union(lists))

    def _ask(self, word: str) -> tuple[Entry, ...]:
        _, own, _ = self._word(word)
        return tuple(
            Entry((word,), tuple(substitutes), pos, group, relation, tuple(scores))
            for substitutes, pos, group, relation, scores in (
                json.loads(row[0]) for row in self._rows("value", own)
            )
        )

    def _word(self, word: str) -> tuple[int, NDArray[np.int32], NDArray[np.int32]]:
        """Return a word's number, the entries it is a target of, and those that list it."""
        query = "SELECT number, own, above FROM words WHERE word = ?"
        row = self._connection.execute(query, (word,)).fetchone()
        number, own, above = row or (-1, b"", b"")
        return number, np.frombuffer(own, "<i4"), np.frombuffer(above, "<i4")

    def _rows(self, column: str, numbers: NDArray[np.int32]) -> Iterator[tuple[bytes]]:
        query = f"SELECT {column} FROM entries WHERE number = ?"
        for number in numbers.tolist():
            yield self._connection.execute(query, (number,)).fetchone()

    @cached_property
    def _targets(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Where the targets of each entry begin, and the targets of all entries."""
        rows = dict(self._connection.execute("SELECT name, value FROM arrays"))
        return np.frombuffer(rows["starts"], "<i4"), np.frombuffer(rows["targets"], "<i4")


def _union(sets: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    return np.unique(np.concatenate(sets)) if sets else np.zeros(0, np.int32)


def open_index(path: Path, kind: str, cache: Path) -> ThesaurusIndex:
    """Open the index of a thesaurus, and write it first where there is none.

    Where the cache cannot be written the index is made anew each time, and held in memory.

    Args:
        path: the thesaurus.
        kind: its format.
        cache: the cache folder.

    Raises:
        FormatError: the thesaurus is not of the format (names the line), or empty.
        FileProblemError: it cannot be read.
    """
    key = sha256(f"{LAYOUT} {kind} {file_sha256(path)}".encode())[:32]
    index = cache / "thesaurus-files" / f"{key}.sqlite"

    def write(draft: Path | Literal[":memory:"]) -> bytes:
        with closing(sqlite3.connect(draft)) as connection:
            if not _write(connection, FORMATS[kind](path)):
                raise FormatError(path, None, f"holds no entries; expected a thesaurus ({kind})")
            return connection.serialize() if draft == ":memory:" else b""

    try:
        return indexes.open_index(index, ThesaurusIndex, write)
    except FileProblemError:
        # The cache cannot be written (or the file not read, which now says so).
        return ThesaurusIndex(write(":memory:"))


def _write(connection: sqlite3.Connection, entries: Iterable[Entry]) -> int:
    """Write an index; entries pass through one by one.  Returns how many there were."""
    numbers: dict[str, int] = {}
    # Pairs of numbers: an entry and a word that is its target, or that it lists.
    own, above = _Pairs(), _Pairs()
    connection.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, value TEXT, listed BLOB)")

    def rows() -> Iterator[tuple[int, str, bytes]]:
        for place, entry in enumerate(entries):
            number_of = [
                sorted({numbers.setdefault(word.lower(), len(numbers)) for word in words})
                for words in (entry.targets, entry.substitutes)
            ]
            own.add(place, number_of[0])
            listed = [] if entry.relation == "antonym" else number_of[1]
            above.add(place, listed)
            value = json.dumps(
                (entry.substitutes, entry.pos, entry.group, entry.relation, entry.scores),
                ensure_ascii=False,
            )
            yield place, value, np.array(listed, "<i4").tobytes()

    count = connection.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows()).rowcount
    connection.execute("CREATE TABLE words (word TEXT PRIMARY KEY, number, own BLOB, above BLOB)")
    connection.executemany(
        "INSERT INTO words VALUES (?, ?, ?, ?)",
        zip(numbers, numbers.values(), own.by_word(len(numbers)), above.by_word(len(numbers)),
            strict=True),
    )  # fmt: skip
    starts = np.searchsorted(own.places, np.arange(max(count, 0) + 1)).astype("<i4")
    targets = np.asarray(own.words, "<i4")
    connection.execute("CREATE TABLE arrays (name TEXT PRIMARY KEY, value BLOB)")
    connection.executemany(
        "INSERT INTO arrays VALUES (?, ?)",
        (("starts", starts.tobytes()), ("targets", targets.tobytes())),
    )
    connection.commit()
    return max(count, 0)


class _Pairs:
    """Pairs of an entry's place and a word's number, by rising place."""

    def __init__(self) -> None:
        self.places, self.words = array("i"), array("i")

    def add(self, place: int, words: list[int]) -> None:
        self.places.extend([place] * len(words))
        self.words.extend(words)

    def by_word(self, words: int) -> Iterator[bytes]:
        """Yield the places of each word, rising, as bytes."""
        numbers, places = np.asarray(self.words), np.asarray(self.places, "<i4")
        order = np.argsort(numbers, kind="stable")
        ends = np.cumsum(np.bincount(numbers, minlength=words))
        start = 0
        for end in ends.tolist():
            yield places[order[start:end]].tobytes()
            start = end
