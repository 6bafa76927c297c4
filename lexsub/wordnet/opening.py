"""From resources to an opened WordNet: find the files, build the index once, open it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from lexsub.errors import FileProblemError, os_problem
from lexsub.files import sha256, write_bytes, write_text
from lexsub.resources import Resources
from lexsub.wordnet.archives import read_files, source_files
from lexsub.wordnet.build import LAYOUT, build_index, digest_of
from lexsub.wordnet.places import Place, find_place
from lexsub.wordnet.reader import WordNet


@dataclass(frozen=True, slots=True)
class Edition:
    """Which WordNet is in use, for manifests.

    Attributes:
        version: as the files' licence header has it (3.0), whatever the folder is called.
        path: the folder or archive.
        origin: how it was found.
        sha256: digest over the database files that are used: the sha256 of what ``sha256sum``
            prints for them, sorted by file name.
        counts: the file the tag counts come from, or ``none``.
        index: the sqlite file made from it.
    """

    version: str
    path: str
    origin: str
    sha256: str
    counts: str
    index: str

    def as_dict(self) -> Mapping[str, str]:
        """Return the fields, for JSON."""
        return asdict(self)


def inputs(resources: Resources) -> list[Path]:
    """Return the files on disk that decide what WordNet answers.

    Raises:
        MissingResourceError: WordNet is not found; says how to get it.
    """
    return source_files(find_place(resources).path)


def open_wordnet(resources: Resources) -> WordNet:
    """Open WordNet, building its index first if there is none for these very files.

    Raises:
        MissingResourceError: WordNet is not found; says how to get it.
        FormatError: the files are not what they should be.
        FileProblemError: they cannot be read, or the cache cannot be written.
    """
    return _open(find_place(resources), resources)


def describe(resources: Resources) -> Edition:
    """Say which WordNet :func:`open_wordnet` opens (which builds the index where needed)."""
    place = find_place(resources)
    wordnet = _open(place, resources)
    return Edition(
        version=wordnet.version,
        path=str(place.path),
        origin=place.origin,
        sha256=wordnet.meta["digest"],
        counts=wordnet.meta["counts"],
        index=str(wordnet.index),
    )


def rebuild(resources: Resources) -> Edition:
    """Build the index anew, whether there is one or not."""
    _build(find_place(resources), resources)
    return describe(resources)


def _open(place: Place, resources: Resources) -> WordNet:
    # Hashing 35 MB takes longer than everything else, so a note remembers the digest of files
    # of this name, size and time.
    note = _note(place, resources)
    try:
        index = _index(note.read_text(), resources)
        if index.is_file():
            return WordNet(index)
    except FileNotFoundError:
        pass
    except sqlite3.DatabaseError:
        # A damaged cache is no reason to stop: what is in it can be made again.
        pass
    except OSError as error:
        raise FileProblemError(note, os_problem(error)) from error
    return WordNet(_build(place, resources))


def _build(place: Place, resources: Resources) -> Path:
    """Write index and note; two processes at once write the same bytes, and the last one stays."""
    note = _note(place, resources)
    files = read_files(place.path)
    digest = digest_of(files)
    index = _index(digest, resources)
    write_bytes(index, build_index(files, place.path))
    write_text(note, digest)
    return index


def _index(digest: str, resources: Resources) -> Path:
    return resources.cache / "wordnet" / f"layout{LAYOUT}-{digest[:20]}.sqlite"


def _note(place: Place, resources: Resources) -> Path:
    states = [
        (str(path.absolute()), status.st_size, status.st_mtime_ns)
        for path in source_files(place.path)
        for status in [path.stat()]
    ]
    return resources.cache / "wordnet" / f"{sha256(repr(states).encode())[:20]}.digest"
