"""An index of a hand-made thesaurus, written into the cache on first use.

Reading a large thesaurus takes seconds; from its index a word is there at once.  Words go by
numbers there, and lists of numbers by the steps from one to the next, in two bytes each where
they fit: a list mostly is in alphabetical order, as words are met.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexsub import indexes
from lexsub.candidates.thesaurus_formats import FORMATS, Entry
from lexsub.errors import FileProblemError, FormatError
from lexsub.files import file_sha256, sha256

LAYOUT = 4
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

    def words(self) -> list[str]:
        """Return all its words, in lower case, by their numbers."""
        return [
            row[0] for row in self._connection.execute("SELECT word FROM words ORDER BY number")
        ]

    def numbered(self, word: str) -> Numbered:
        """Return what lists a word (lower case) and what it lists, as numbers of words."""
        number, own, above = self._word(word)
        starts, targets = self._targets
        lower = self._arrays["lower"]
        listed = [
            lower[unpacked(substitutes)]
            for substitutes, votes in self._rows("substitutes, votes", own)
            if votes
        ]
        lists = [targets[starts[one] : starts[one + 1]] for one in above.tolist()]
        return Numbered(number, _union(listed), _union(lists))

    def _ask(self, word: str) -> tuple[Entry, ...]:
        _, own, _ = self._word(word)
        return tuple(
            Entry((word,), self._spelled(substitutes), pos, group, relation, tuple(scores))
            for substitutes, value in self._rows("substitutes, value", own)
            for pos, group, relation, scores in (json.loads(value),)
        )

    def _spelled(self, substitutes: bytes) -> tuple[str, ...]:
        query = "SELECT text FROM spelled WHERE number = ?"
        ask = self._connection.execute
        return tuple([ask(query, (one,)).fetchone()[0] for one in unpacked(substitutes).tolist()])

    def _word(self, word: str) -> tuple[int, NDArray[np.int32], NDArray[np.int32]]:
        """Return a word's number, the entries it is a target of, and those that list it."""
        query = "SELECT number, own, above FROM words WHERE word = ?"
        row = self._connection.execute(query, (word,)).fetchone()
        number, own, above = row or (-1, packed([]), packed([]))
        return number, unpacked(own), unpacked(above)

    def _rows(self, columns: str, numbers: NDArray[np.int32]) -> Iterator[tuple[Any, Any]]:
        query = f"SELECT {columns} FROM entries WHERE number = ?"
        for number in numbers.tolist():
            yield self._connection.execute(query, (number,)).fetchone()

    @cached_property
    def _arrays(self) -> dict[str, NDArray[np.int32]]:
        rows = self._connection.execute("SELECT name, value FROM arrays")
        return {name: np.frombuffer(value, "<i4") for name, value in rows}

    @cached_property
    def _targets(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Where the targets of each entry begin, and the targets of all entries."""
        return self._arrays["starts"], self._arrays["targets"]


def packed(numbers: Sequence[int] | NDArray[Any]) -> bytes:
    """Return numbers as bytes: how wide a step is, then the steps from each to the next."""
    steps = np.diff(np.asarray(numbers, np.int64), prepend=0)
    small = bool(len(steps) == 0 or (abs(steps) < 1 << 15).all())
    return (b"2" + steps.astype("<i2").tobytes()) if small else b"4" + steps.astype("<i4").tobytes()


def unpacked(data: bytes) -> NDArray[np.int32]:
    """Return the numbers that :func:`packed` has written."""
    numbers: NDArray[np.int32] = np.cumsum(
        np.frombuffer(data, f"<i{data[:1].decode()}", offset=1), dtype=np.int32
    )
    return numbers


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
    if indexes.is_ready(path):
        return indexes.open_ready(path, ThesaurusIndex, LAYOUT)
    key = sha256(f"{LAYOUT} {kind} {file_sha256(path)}".encode())[:32]
    index = cache / "thesaurus-files" / f"{key}.sqlite"
    write = partial(_index_of, path, kind)
    try:
        return indexes.open_index(index, ThesaurusIndex, write)
    except FileProblemError:
        # The cache cannot be written (or the file not read, which now says so).
        return ThesaurusIndex(write(":memory:"))


def write_packed(path: Path, kind: str, target: Path) -> None:
    """Write the index of a thesaurus, or the one that it is, for a model to bring along."""
    with tempfile.TemporaryDirectory() as folder:
        index = path
        if not indexes.is_ready(path):
            index = Path(folder) / "index"
            _index_of(path, kind, index)
        indexes.write_ready(index, target, LAYOUT)


def _index_of(path: Path, kind: str, draft: Path | Literal[":memory:"]) -> bytes:
    with closing(sqlite3.connect(draft)) as connection:
        if not _write(connection, FORMATS[kind](path)):
            raise FormatError(path, None, f"holds no entries; expected a thesaurus ({kind})")
        return connection.serialize() if draft == ":memory:" else b""


def _write(connection: sqlite3.Connection, entries: Iterable[Entry]) -> int:
    """Write an index; entries pass through one by one.  Returns how many there were."""
    numbers: dict[str, int] = {}  # of words in lower case
    spelled: dict[str, int] = {}  # of words as they are written
    # Pairs of numbers: an entry and a word that is its target, or that it lists.
    own, above = _Pairs(), _Pairs()
    connection.execute(
        "CREATE TABLE entries (number INTEGER PRIMARY KEY, value TEXT, substitutes BLOB, votes)"
    )

    def rows() -> Iterator[tuple[int, str, bytes, bool]]:
        for place, entry in enumerate(entries):
            number_of = [
                sorted({numbers.setdefault(word.lower(), len(numbers)) for word in words})
                for words in (entry.targets, entry.substitutes)
            ]
            own.add(place, number_of[0])
            votes = entry.relation != "antonym"
            above.add(place, number_of[1] if votes else [])
            value = json.dumps(
                (entry.pos, entry.group, entry.relation, entry.scores), ensure_ascii=False
            )
            listed = [spelled.setdefault(word, len(spelled)) for word in entry.substitutes]
            yield place, value, packed(listed), votes

    count = connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows()).rowcount
    connection.execute("CREATE TABLE words (word TEXT PRIMARY KEY, number, own BLOB, above BLOB)")
    connection.executemany(
        "INSERT INTO words VALUES (?, ?, ?, ?)",
        zip(numbers, numbers.values(), own.by_word(len(numbers)), above.by_word(len(numbers)),
            strict=True),
    )  # fmt: skip
    connection.execute("CREATE TABLE spelled (number INTEGER PRIMARY KEY, text TEXT)")
    connection.executemany(
        "INSERT INTO spelled VALUES (?, ?)", zip(spelled.values(), spelled, strict=True)
    )
    starts = np.searchsorted(own.places, np.arange(max(count, 0) + 1)).astype("<i4")
    targets = np.asarray(own.words, "<i4")
    lower = np.array([numbers[word.lower()] for word in spelled], "<i4")
    connection.execute("CREATE TABLE arrays (name TEXT PRIMARY KEY, value BLOB)")
    connection.executemany(
        "INSERT INTO arrays VALUES (?, ?)",
        (("starts", starts.tobytes()), ("targets", targets.tobytes()), ("lower", lower.tobytes())),
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
        numbers, places = np.asarray(self.words), np.asarray(self.places)
        order = np.argsort(numbers, kind="stable")
        ends = np.cumsum(np.bincount(numbers, minlength=words))
        start = 0
        for end in ends.tolist():
            yield packed(places[order[start:end]])
            start = end
