"""An index of a hand-made thesaurus, written into the cache on first use.

Reading a large thesaurus takes seconds; from its index a word is there at once.  Words go by their
numbers in byte order, and the words that all entries list stand in one array of numbers, each as
the step from the one before, lowest bytes first: mostly an entry is in that order, too, so that
the steps are small, and their upper bytes, all 0, take no room where a model is compressed.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.thesaurus_formats import FORMATS, Entry
from lexsub.errors import FileProblemError, FormatError
from lexsub.storage import indexes
from lexsub.storage.arrays import Lists, changes
from lexsub.storage.digests import known_sha256
from lexsub.storage.files import file_sha256, sha256

LAYOUT = 5
"""Of the index; it changes with what is written."""

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

_PLAIN = '["", "", "synonym", []]'
"""What most entries say of themselves: part of speech, group, relation and scores."""


FEW = 20
"""Targets whose words are looked for in all lists; who asks about more turns these round once."""


class ThesaurusIndex:
    """The entries of a thesaurus by word."""

    def __init__(self, index: Path | bytes) -> None:
        self._connection = indexes.connect(index)
        rows = self._connection.execute("SELECT name, value FROM arrays")
        arrays = {name: np.frombuffer(value, "u1") for name, value in rows}
        try:
            self._words = bytes(arrays["words"])
            # A single word is sooner found by Python's own numbers than by those of an array.
            self._ends = np.cumsum(whole(arrays, "word sizes"), dtype=np.int64).data
            self._others = bytes(arrays["others"]).decode().split("\n")[:-1]
            own = np.arange(self.size, dtype=np.int32)
            self._lower = np.concatenate([own, whole(arrays, "lower")])
            steps = whole(arrays, "steps")
            self._substitutes = Lists(np.cumsum(steps, out=steps), whole(arrays, "sizes"))
            self._targets = Lists(whole(arrays, "targets"), whole(arrays, "target sizes"))
        except (KeyError, UnicodeDecodeError, ValueError) as error:
            raise sqlite3.DatabaseError(f"no whole index of a thesaurus ({error})") from error
        self._asked = 0

    @property
    def size(self) -> int:
        """How many words, whatever their case, the thesaurus has, listed ones included."""
        return len(self._ends)

    def entries(self, word: str) -> tuple[Entry, ...]:
        """Return the entries of a target word (lower case), in the thesaurus's order."""
        found = []
        for place in _of(self._owned, self.numbers([word]))[0].tolist():
            pos, group, relation, scores = json.loads(self._value(place))
            substitutes = tuple(map(self._spelled, self._substitutes[place].tolist()))
            found.append(Entry((word,), substitutes, pos, group, relation, tuple(scores)))
        return tuple(found)

    def words(self) -> list[str]:
        """Return all its words, in lower case, by their numbers."""
        return list(map(self._spelled, range(self.size)))

    def numbers(self, words: Sequence[str]) -> Longs:
        """Return the numbers of words (lower case), -1 for those that are not there."""
        return np.array(list(map(self._number, words)), np.int64)

    def listed(self, numbers: Longs) -> tuple[Longs, Longs]:
        """Return what the entries of some words list, antonyms not among it.

        Args:
            numbers: of the words, -1 for one that is not there.

        Returns:
            Numbers of words, and the place of the word whose entries list each; word by word,
            rising, each once.
        """
        entries, owners = _of(self._owned, numbers)
        voting = self._votes[entries]
        return self._distinct(*self._substitutes.of(entries[voting], owners[voting]))

    def listing(self, numbers: Longs) -> tuple[Longs, Longs]:
        """Return the words whose entries list some words, in the way of :meth:`listed`."""
        return self._distinct(*self._targets.of(*self._above(numbers)))

    def _distinct(self, numbers: Longs, owners: Longs) -> tuple[Longs, Longs]:
        pairs = np.sort(owners * self.size + self._lower[numbers])
        owner, number = np.divmod(pairs[changes(pairs)], max(self.size, 1))
        return number, owner

    def _above(self, numbers: Longs) -> tuple[Longs, Longs]:
        """Return the entries that list each of some words, antonyms not among them."""
        self._asked += 1
        if self._asked > FEW:
            return _of(self._turned, numbers)
        # Looking through all lists takes some milliseconds for any number of words; to turn them
        # round for good takes as long as for many targets, and as much memory again.
        marked = np.zeros(len(self._lower), bool)
        marked[numbers[numbers >= 0]] = True
        if self._others:
            marked = marked[self._lower]
        places = np.flatnonzero(marked[self._substitutes.numbers])
        entries = np.searchsorted(self._substitutes.starts, places, "right") - 1
        kept = self._votes[entries]
        met = self._lower[self._substitutes.numbers[places[kept]]]
        return _of(self._by_word(met, entries[kept]), numbers)

    def _by_word(self, words: Ints, entries: NDArray[Any]) -> Lists:
        """Return for each word the entries that list it, which come rising."""
        # Sorted as one number: a fifth of the time that their order by word alone takes.
        pairs = words.astype(np.int64) << 32
        pairs |= entries
        pairs.sort()
        return Lists(pairs.astype(np.int32), np.bincount(words, minlength=self.size))

    def _number(self, word: str) -> int:
        key = word.encode("utf-8", "surrogatepass")
        place = bisect_left(range(self.size), key, key=self._raw)
        return place if place < self.size and self._raw(place) == key else -1

    def _raw(self, number: int) -> bytes:
        return self._words[self._ends[number - 1] if number else 0 : self._ends[number]]

    def _spelled(self, number: int) -> str:
        if number < self.size:
            return self._raw(number).decode()
        return self._others[number - self.size]

    def _value(self, place: int) -> str:
        query = "SELECT value FROM entries WHERE number = ?"
        row = self._connection.execute(query, (place,)).fetchone()
        return _PLAIN if row is None else row[0]

    @cached_property
    def _turned(self) -> Lists:
        """The entries that list each word, antonyms not among them."""
        sizes = np.diff(self._substitutes.starts)
        entries = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        kept = np.repeat(self._votes, sizes)
        return self._by_word(self._lower[self._substitutes.numbers[kept]], entries[kept])

    @cached_property
    def _owned(self) -> Lists:
        """The entries that each word is a target of."""
        targets = self._targets
        entries = np.repeat(np.arange(len(targets.starts) - 1), np.diff(targets.starts))
        return self._by_word(targets.numbers, entries.astype(np.int32))

    @cached_property
    def _votes(self) -> NDArray[np.bool_]:
        votes = np.ones(len(self._substitutes.starts) - 1, bool)
        query = "SELECT number FROM entries WHERE NOT votes"
        votes[[number for (number,) in self._connection.execute(query)]] = False
        return votes


def _of(lists: Lists, numbers: Longs) -> tuple[Longs, Longs]:
    """Return what is in the lists of some words, and the place of the word of each list."""
    there = np.flatnonzero(numbers >= 0)
    return lists.of(numbers[there], there)


def split(numbers: Any) -> bytes:
    """Return numbers as bytes: how many each takes, the lowest of all, the next of all, and so on.

    The sign goes into the lowest bit, so that small numbers are small whatever their sign.
    """
    wide = np.asarray(numbers, np.int64)
    plain = ((wide << 1) ^ (wide >> 63)).astype("<u4")
    planes = plain.view("u1").reshape(-1, 4).T
    used = max((place + 1 for place in range(4) if planes[place].any()), default=1)
    return bytes([used]) + planes[:used].tobytes()


def whole(arrays: Mapping[str, NDArray[np.uint8]], name: str) -> Ints:
    """Return the numbers that :func:`split` has written.

    Raises:
        KeyError, ValueError: there are none.
    """
    data = arrays[name]
    if not len(data) or not 1 <= data[0] <= 4 or (len(data) - 1) % int(data[0]):
        raise ValueError(f"no numbers in {name}")
    planes = data[1:].reshape(int(data[0]), -1)
    plain = planes[0].astype("<u4")
    for place, plane in enumerate(planes[1:], start=1):
        plain |= np.left_shift(plane, 8 * place, dtype="<u4")
    signed: Ints = plain.view("<i4")
    lowest = signed & 1
    # In place: of a large thesaurus each copy takes as long as the sum.
    np.right_shift(plain, 1, out=plain)
    signed ^= np.negative(lowest, out=lowest)
    return signed


def open_index(path: Path, kind: str, cache: Path) -> ThesaurusIndex:
    """Open the index of a thesaurus, and write it first where there is none.

    Where the cache cannot be written the index is made anew each time, and held in memory.

    Raises:
        FormatError: the thesaurus is not of the format (names the line), or empty.
        FileProblemError: it cannot be read.
    """
    if indexes.is_ready(path):
        return _open_ready(path.absolute(), known_sha256(path))
    key = sha256(f"{LAYOUT} {kind} {file_sha256(path)}".encode())[:32]
    index = cache / "thesaurus-files" / f"{key}.sqlite"
    write = partial(_index_of, path, kind)
    try:
        return indexes.open_index(index, ThesaurusIndex, write)
    except FileProblemError:
        # The cache cannot be written. (If the thesaurus cannot be read, this raises again.)
        return ThesaurusIndex(write(":memory:"))


# Candidate source and features of a system ask for the same one.
@lru_cache(maxsize=2)
def _open_ready(path: Path, digest: str) -> ThesaurusIndex:
    del digest  # another file under the same name
    return indexes.open_ready(path, ThesaurusIndex, LAYOUT)


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
    spelled: dict[str, int] = {}  # words as they are listed, by when they are met
    roots: dict[str, int] = {}  # target words in lower case, likewise
    listed, sizes, targets, target_sizes = array("i"), array("i"), array("i"), array("i")
    connection.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, value TEXT, votes)")

    def rows() -> Iterator[tuple[int, str, bool]]:
        for place, entry in enumerate(entries):
            listed.extend([spelled.setdefault(word, len(spelled)) for word in entry.substitutes])
            sizes.append(len(entry.substitutes))
            own = dict.fromkeys(word.lower() for word in entry.targets)
            targets.extend([roots.setdefault(word, len(roots)) for word in own])
            target_sizes.append(len(own))
            told = entry.pos, entry.group, entry.relation, entry.scores
            value = json.dumps(told, ensure_ascii=False)
            if value != _PLAIN:
                yield place, value, entry.relation != "antonym"

    connection.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows())
    lower = sorted({*roots, *(word.lower() for word in spelled)}, key=str.encode)
    numbers = {word: number for number, word in enumerate(lower)}
    others = sorted((word for word in spelled if word != word.lower()), key=str.encode)
    places = {word: number for number, word in enumerate(others, start=len(lower))}
    of_spelled = np.array([places.get(word, numbers.get(word, 0)) for word in spelled], np.int32)
    of_roots = np.array([numbers[word] for word in roots], np.int32)
    raw = [word.encode() for word in lower]
    arrays = {
        "words": b"".join(raw),
        "word sizes": split(list(map(len, raw))),
        "others": "".join(f"{word}\n" for word in others).encode(),
        "lower": split([numbers[word.lower()] for word in others]),
        "steps": split(np.diff(of_spelled[np.asarray(listed)], prepend=0)),
        "sizes": split(sizes),
        "targets": split(of_roots[np.asarray(targets)]),
        "target sizes": split(target_sizes),
    }
    connection.execute("CREATE TABLE arrays (name TEXT PRIMARY KEY, value BLOB)")
    connection.executemany("INSERT INTO arrays VALUES (?, ?)", sorted(arrays.items()))
    connection.commit()
    return len(sizes)
