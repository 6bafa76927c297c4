"""From resources to an opened WordNet: find the files, build the index once, open it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from lexsub.errors import FileProblemError
from lexsub.resources import Resources
from lexsub.storage.digests import known_sha256
from lexsub.storage.files import read_text, sha256, write_bytes
from lexsub.storage.indexes import is_ready, open_index, open_ready, write_index, write_ready
from lexsub.wordnet.build import LAYOUT, build_index
from lexsub.wordnet.places import Place, find_place, read_files, source_files
from lexsub.wordnet.reader import GLOSSES, WordNet


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
        index: the sqlite file made from it, or the remark that it is in memory.
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
        MissingResourceError: WordNet is not where the user said.
    """
    return source_files(find_place(resources).path)


def gloss_files(resources: Resources) -> list[Path]:
    """Return the files on disk that decide what the glosses are.

    Raises:
        MissingResourceError: WordNet is not where the user said.
    """
    files = inputs(resources)
    if is_ready(files[0]):
        return [*files, GLOSSES]
    return [path for path in files if path.name.startswith("data.")] or files


def open_wordnet(resources: Resources) -> WordNet:
    """Open WordNet, building its index first if there is none for these very files.

    Where the cache cannot be written the index is made anew each time, and held in memory.

    Raises:
        MissingResourceError: WordNet is not where the user said.
        FormatError: the files are not what they should be.
        FileProblemError: they cannot be read.
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
        index=wordnet.index,
    )


def rebuild(resources: Resources) -> Edition:
    """Build the index anew, whether there is one or not; one that came ready-made stays."""
    place = find_place(resources)
    if not is_ready(place.path):
        write_index(_index(place, resources), partial(_write, place))
    return describe(resources)


def write_packed(resources: Resources, target: Path) -> None:
    """Write the index that a model brings along: without the glosses, whose words stay."""
    path = find_place(resources).path
    index = path if is_ready(path) else build_index(read_files(path), path, glosses=False)
    write_ready(index, target, LAYOUT)


def licence(resources: Resources) -> str:
    """Return the licence that stands at the head of WordNet's files; "" where there is none."""
    path = find_place(resources).path
    if is_ready(path):
        beside = path.parent.parent / "licences" / "WordNet.txt"
        return read_text(beside) if beside.is_file() else ""
    lines = read_files(path)["data.noun"].decode("utf-8", "replace").splitlines()
    # Each line begins with its number.
    numbered = (line.split(None, 1)[1:] for line in lines if line.startswith("  "))
    return "".join(f"{text[0].rstrip() if text else ''}\n" for text in numbered)


def _open(place: Place, resources: Resources) -> WordNet:
    index = _index(place, resources)
    if index in _HELD:
        return _HELD[index]
    if index == place.path:
        _HELD[index] = open_ready(index, WordNet, LAYOUT)
        return _HELD[index]
    try:
        return open_index(index, WordNet, partial(_write, place))
    except FileProblemError:
        # The cache cannot be written. (If WordNet's files cannot be read, this raises again.)
        _HELD[index] = WordNet(build_index(read_files(place.path), place.path))
        return _HELD[index]


_HELD: dict[Path, WordNet] = {}
"""Those that could not be written (making one takes seconds, and many parts ask for it), and
those that came ready-made."""


def _write(place: Place, draft: Path) -> None:
    write_bytes(draft, build_index(read_files(place.path), place.path))


def _index(place: Place, resources: Resources) -> Path:
    if is_ready(place.path):
        return place.path
    files = source_files(place.path)
    digests = [(path.name, known_sha256(path, resources.cache / "digests")) for path in files]
    name = f"layout{LAYOUT}-{sha256(repr(digests).encode())[:20]}.sqlite"
    return resources.cache / "wordnet" / name
