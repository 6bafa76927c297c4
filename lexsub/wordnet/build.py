"""Writes the index: one sqlite file made from WordNet's database files.

A synset is kept as its line of the data file, checked here and parsed again when asked for,
with the tag counts of its words behind it, all lines as one piece of text; that keeps the index as
small as the files.  What
is wanted of very many synsets at once stands apart, so that nothing need be parsed for it: tag
counts and lexicographer files of a word's senses beside the word, and what is above each synset
and the words of each gloss in arrays.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.parts.limits import whole_number
from lexsub.storage.files import decode, sha256
from lexsub.wordnet import model
from lexsub.wordnet.arrays import pack

# Part of the index's file name; raise it when the tables or their meaning change.
LAYOUT = 5

# Texts of the index, by their ids.
LINES, GLOSS_WORDS = 1, 2

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE texts (id INTEGER PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE words (lemma TEXT, pos TEXT, offsets TEXT NOT NULL, tagged INTEGER NOT NULL,
    counts TEXT NOT NULL, lexfiles TEXT NOT NULL, PRIMARY KEY (lemma, pos)) WITHOUT ROWID;
CREATE TABLE arrays (name TEXT PRIMARY KEY, numbers BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE exceptions (form TEXT, pos TEXT, bases TEXT NOT NULL, PRIMARY KEY (form, pos))
    WITHOUT ROWID;
"""


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return the digest that names a database: the sha256 of ``sha256sum``'s lines of its files."""
    lines = (f"{sha256(data)}  {name}\n" for name, data in sorted(files.items()))
    return sha256("".join(lines).encode())


def build_index(files: Mapping[str, bytes], place: Path, *, glosses: bool = True) -> bytes:
    """Return the bytes of the sqlite file.

    Args:
        files: the database files by name.
        place: where they come from, for messages.
        glosses: whether to keep their text; their words are kept in any case.

    Raises:
        FormatError: a line of another shape, or a reference to a synset that is not there.
    """
    texts = {name: decode(data, place / name) for name, data in files.items()}
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_TABLES)
        senses = _write_synsets(database, texts, place, glosses)
        _write_words(database, texts, place, senses)
        _write_exceptions(database, texts)
        meta = {
            "version": model.find_version(texts["data.noun"]),
            "digest": digest_of(files),
            "lexnames": " ".join(_lexnames(texts, place)),
            "counts": next((n for n in ("cntlist.rev", "index.sense") if n in texts), "none"),
        }
        database.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
        database.commit()
        return database.serialize()


def _entries(text: str) -> Iterator[tuple[int, str]]:
    """Yield line number and line of what is neither licence (indented) nor empty."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line and line[0] != " " and line != "\r":
            yield number, line.rstrip()


@dataclass
class _Senses:
    """What was met while the synsets were written.

    Attributes:
        lexfiles: number of the lexicographer file, by key.
        above: keys of the synsets right above, by key.
        glosses: words of the gloss, by key.
        tagged: how often a word was tagged in a sense, by word and key; of a word that stands
            twice in a synset, written otherwise, the first.
        totals: how often it was tagged as a part of speech.
    """

    lexfiles: dict[int, int] = field(default_factory=dict)
    above: dict[int, list[int]] = field(default_factory=dict)
    glosses: dict[int, frozenset[str]] = field(default_factory=dict)
    tagged: dict[tuple[str, int], int] = field(default_factory=dict)
    totals: Counter[tuple[str, str]] = field(default_factory=Counter)


def _write_synsets(
    database: sqlite3.Connection, texts: Mapping[str, str], place: Path, glosses: bool
) -> _Senses:
    """Write the synsets, what is above each, and the words of the glosses."""
    tagged = _tag_counts(texts, place)
    heads = {
        synset.key: synset.words[0]
        for synset, _ in _synsets(texts, "data.adj", place)
        if synset.kind == "a"
    }
    senses = _Senses()
    pointed_from: dict[int, int] = {}

    lines: dict[int, bytes] = {}

    def read(name: str) -> None:
        for synset, line in _synsets(texts, name, place):
            senses.lexfiles[synset.key] = synset.lexfile
            senses.above[synset.key] = [*synset.targets("@"), *synset.targets("@i")]
            senses.glosses[synset.key] = model.gloss_words(synset, line.partition("|")[2])
            for pointer in synset.pointers:
                pointed_from[pointer.target] = synset.key
            counts = _counts_of(synset, heads, tagged)
            for word, count in zip(synset.words, counts, strict=True):
                lemma = word.lemma.lower()
                senses.totals[lemma, synset.pos] += count
                senses.tagged.setdefault((lemma, synset.key), count)
            told = _joined(counts) if any(counts) else ""
            kept = line if glosses else line[: line.index("|") + 1]
            lines[synset.key] = f"{kept}\t{told}\n".encode()

    for suffix in model.SUFFIXES.values():
        read(f"data.{suffix}")
    dangling = pointed_from.keys() - senses.lexfiles.keys()
    if dangling:
        source, target = pointed_from[min(dangling)] % 100_000_000, min(dangling) % 100_000_000
        problem = f"synset {source:08d} points to {target:08d}, which is not there"
        raise FormatError(place, None, f"{problem}; are the data files of one version?")
    _write_arrays(database, senses, lines)
    return senses


def _write_arrays(
    database: sqlite3.Connection, senses: _Senses, lines: Mapping[int, bytes]
) -> None:
    words = sorted(frozenset().union(*senses.glosses.values()))
    numbers = {word: number for number, word in enumerate(words)}
    glosses = {
        key: sorted(numbers[word] for word in gloss) for key, gloss in senses.glosses.items()
    }
    ordered = [lines[key] for key in sorted(lines)]
    texts = (
        (LINES, b"".join(ordered)),
        (GLOSS_WORDS, "".join(f"{word}\n" for word in words).encode()),
    )
    database.executemany("INSERT INTO texts VALUES (?, ?)", texts)
    packed = pack(senses.above, glosses, map(len, ordered))
    database.executemany("INSERT INTO arrays VALUES (?, ?)", packed.items())


def _synsets(
    texts: Mapping[str, str], name: str, place: Path
) -> Iterator[tuple[model.Synset, str]]:
    seen: set[int] = set()
    for number, line in _entries(texts[name]):
        try:
            synset = model.parse_synset(line)
        except (ValueError, LookupError) as error:
            raise FormatError(place / name, number, f"not a synset: {error}") from error
        if synset.key in seen:
            raise FormatError(place / name, number, f"offset {synset.offset:08d} stands twice")
        seen.add(synset.key)
        yield synset, line


def _counts_of(
    synset: model.Synset, heads: Mapping[int, model.Word], tagged: Mapping[str, int]
) -> list[int]:
    """Return how often each word was tagged in this sense."""
    head = None
    if synset.kind == "s":
        head = next((heads[key] for key in synset.targets("&") if key in heads), None)
    return [tagged.get(model.sense_key(word, synset, head), 0) for word in synset.words]


def _tag_counts(texts: Mapping[str, str], place: Path) -> dict[str, int]:
    """Read sense keys and counts: first and last field in cntlist.rev as in index.sense."""
    name = "cntlist.rev" if "cntlist.rev" in texts else "index.sense"
    counts = {}
    for number, line in _entries(texts.get(name, "")):
        fields = line.split()
        if len(fields) < 3 or (count := whole_number(fields[-1])) is None:
            raise FormatError(place / name, number, f"{line!r}; expected 'sense_key … count'")
        if count:
            counts[fields[0]] = count
    return counts


def _write_words(
    database: sqlite3.Connection, texts: Mapping[str, str], place: Path, senses: _Senses
) -> None:
    rows = {}
    for suffix in model.SUFFIXES.values():
        name = f"index.{suffix}"
        for number, line in _entries(texts[name]):
            try:
                lemma, pos, offsets = model.parse_index_line(line)
                keys = [model.synset_key(pos, offset) for offset in offsets]
                missing = [
                    o for o, key in zip(offsets, keys, strict=True) if key not in senses.lexfiles
                ]
            except (ValueError, LookupError) as error:
                raise FormatError(place / name, number, f"not an index line: {error}") from error
            if missing:
                problem = f"sense {missing[0]:08d} is not in data.{suffix}"
                way = "are the index and data files of one version?"
                raise FormatError(place / name, number, f"{problem}; {way}")
            counts = [senses.tagged.get((lemma, key), 0) for key in keys]
            rows[lemma, pos] = (
                _joined(offsets),
                senses.totals[lemma, pos],
                _joined(counts) if any(counts) else "",
                _joined(senses.lexfiles[key] for key in keys),
            )
    database.executemany(
        "INSERT INTO words VALUES (?, ?, ?, ?, ?, ?)",
        ((*word, *row) for word, row in sorted(rows.items())),
    )


def _joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _write_exceptions(database: sqlite3.Connection, texts: Mapping[str, str]) -> None:
    rows = {}
    for pos, suffix in model.SUFFIXES.items():
        for _, line in _entries(texts.get(f"{suffix}.exc", "")):
            form, *bases = line.split()
            rows[form, pos] = " ".join(bases)
    database.executemany(
        "INSERT INTO exceptions VALUES (?, ?, ?)",
        ((form, pos, bases) for (form, pos), bases in sorted(rows.items())),
    )


def _lexnames(texts: Mapping[str, str], place: Path) -> tuple[str, ...]:
    if "lexnames" not in texts:
        return model.LEXNAMES
    names: list[str] = []
    for number, line in _entries(texts["lexnames"]):
        fields = line.split()
        if len(fields) < 2 or fields[0] != f"{len(names):02d}":
            expected = f"'{len(names):02d} name pos'"
            raise FormatError(place / "lexnames", number, f"{line!r}; expected {expected}")
        names.append(fields[1])
    return tuple(names)
