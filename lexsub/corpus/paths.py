"""Which files a corpus is made of."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from pathlib import Path

from lexsub.errors import FileProblemError
from lexsub.printable import is_address
from lexsub.storage.addresses import exists, listing, matching

COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")
TEXT_SUFFIXES = (".txt",)


def corpus_files(
    sources: Iterable[Path | str], suffixes: tuple[str, ...] = TEXT_SUFFIXES
) -> tuple[Path, ...]:
    """Return the files that ``sources`` stand for, each once.

    A source is a file, whatever its name; a glob (``texts/**/*.xz``); or a folder, which
    stands for every file below it that ends in one of ``suffixes``, compressed or not,
    hidden ones left out.  Each of these may be an address (``s3://bucket/texts``).  What a
    glob or folder stands for is sorted by path, so that a
    corpus is the same sequence of lines on every machine.

    Raises:
        FileProblemError: a source stands for no file.
    """
    found: dict[Path, None] = {}
    for source in sources:
        for path in _files(source, suffixes):
            found.setdefault(path)
    return tuple(found)


def _files(source: Path | str, suffixes: tuple[str, ...]) -> list[Path]:
    path = Path(source)
    distant = is_address(path)
    there = listing(path) if distant and not glob.has_magic(str(source)) else {}
    if (there and "" not in there) or path.is_dir():
        every = [path / name for name in there] or path.rglob("*")
        files = sorted(file for file in every if _belongs(file, path, suffixes))
        if not files:
            wanted = ", ".join(f"*{suffix}" for suffix in suffixes)
            raise FileProblemError(
                path,
                f"the folder holds no corpus file; expected {wanted} (also with "
                f"{' '.join(COMPRESSIONS)} behind it): name the files, or a glob",
            )
        return files
    if exists(path):
        return [path]
    if not glob.has_magic(str(source)):
        raise FileProblemError(path, "no such file")
    if distant:
        files = matching(path)
    else:
        # Not Path.glob: the pattern may be absolute, which that refuses.
        files = sorted(Path(name) for name in glob.glob(str(source), recursive=True))  # noqa: PTH207
        files = [file for file in files if file.is_file()]
    if not files:
        raise FileProblemError(source, "the pattern matches no file")
    return files


def _belongs(file: Path, folder: Path, suffixes: tuple[str, ...]) -> bool:
    if any(part.startswith(".") for part in file.relative_to(folder).parts):
        return False
    name = file.name.lower()
    for compression in COMPRESSIONS:
        name = name.removesuffix(compression)
    return name.endswith(suffixes) and (is_address(file) or file.is_file())
