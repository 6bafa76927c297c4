"""A run's folder becomes new as a whole, or says that it is not finished.

All that goes into the folder is made before any of it is written.  While files are replaced, a
file ``UNFINISHED`` stands beside them; if a call is killed then, old and new files are mixed, and
whoever reads the folder refuses it.  Files of an earlier run that this one does not write are
removed: the manifest lists what a run has written.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lexsub.errors import FormatError, LexsubError
from lexsub.printable import is_address
from lexsub.storage.addresses import check_writable, exists, put_folder, remove, resolved
from lexsub.storage.files import LAST, read_text, sweep, write_text

MARK = "UNFINISHED"

_TEXT = """\
lexsub is replacing the files of this run's folder, or was stopped while it did: old and new ones
may be mixed. Run it again. It writes or removes:

"""


@contextmanager
def renewing(folder: Path, names: Iterable[str]) -> Iterator[None]:
    """Mark a run's folder as unfinished until the block ends without an error.

    Args:
        folder: the run's.
        names: all files that are written or removed, so that the next run knows them.

    Raises:
        FileProblemError: the disk refuses.
    """
    write_text(folder / MARK, _TEXT + "".join(f"{name}\n" for name in sorted(names)))
    for inside in (folder, *(path for path in folder.iterdir() if path.is_dir())):
        sweep(inside)
    # The report describes all the other files: an old one must not stand beside new ones.
    (folder / "report.html").unlink(missing_ok=True)
    yield
    (folder / MARK).unlink(missing_ok=True)


@contextmanager
def published(folder: Path) -> Iterator[Path]:
    """Give out the folder to write a run's files into; they are put to an address in the end.

    There, too, ``UNFINISHED`` stands beside the files while they are replaced, the manifest comes
    last, and files of an earlier run are removed.

    Args:
        folder: of the run, here or an address.

    Raises:
        FileProblemError: nothing can be written at the address; said before the block begins.
    """
    if not is_address(folder):
        yield folder
        return
    check_writable(folder)
    with tempfile.TemporaryDirectory(prefix="lexsub-") as home:
        made = Path(home) / folder.name
        made.mkdir()
        yield made
        before = written_before(folder)
        names = {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()}
        write_text(folder / MARK, _TEXT + "".join(f"{one}\n" for one in sorted(before | names)))
        put_folder(made, folder, LAST)
        for name in before - names:
            if ".." not in Path(name).parts and not Path(name).is_absolute():
                remove(folder / name)
        remove(folder / MARK)


def refuse_unfinished(folder: Path) -> None:
    """Make sure that a run's folder is one run's.

    Raises:
        FormatError: it says that it is not finished.
    """
    if exists(folder / MARK):
        raise FormatError(
            folder, None, f"this run is not finished (it holds {MARK}): it is under way, or was "
            "stopped while its files were written; run it again"
        )  # fmt: skip


def written_before(folder: Path) -> frozenset[str]:
    """Return the files that earlier runs wrote: their manifest lists them, or their mark."""
    names: list[object] = []
    with suppress(LexsubError, ValueError, KeyError, TypeError, RecursionError):
        names += json.loads(read_text(folder / "manifest.json"))["files"]
    with suppress(LexsubError):
        names += read_text(folder / MARK).partition("\n\n")[2].splitlines()
    return frozenset(name for name in names if isinstance(name, str))


def remove_stale(folder: Path, names: Iterable[str]) -> None:
    """Remove files of an earlier run; nothing outside the folder, whatever a manifest says."""
    home = resolved(folder)
    for name in names:
        path = resolved(folder / name)
        if path.is_relative_to(home) and path.is_file():
            path.unlink()
