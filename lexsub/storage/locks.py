"""One process at a time where several would be in each other's way."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lexsub.storage.files import writing

_log = logging.getLogger(__name__)


@contextmanager
def locked(place: Path, what: str) -> Iterator[bool]:
    """Keep other processes away from a place while the block works there; wait for one that is.

    The system gives the lock back when a process ends, however it ends.  Its file, ``.NAME.lock``
    beside the place, is removed in the end.  What is given out says whether there was one to
    wait for.

    Args:
        place: file or folder, there or not.
        what: what is done there, for whoever waits.

    Raises:
        FileProblemError: the lock cannot be written.
    """
    from filelock import FileLock, Timeout

    path = place.with_name(f".{place.name}.lock")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path)
        try:
            waited = False
            lock.acquire(timeout=0)
        except Timeout:
            _log.warning("lexsub: another process is %s at %s: waiting for it", what, place)
            waited = True
            lock.acquire()
    try:
        yield waited
    finally:
        # Whoever waits for a file that is gone is told so by filelock, and makes another.  Windows
        # removes no open file.
        with suppress(OSError):
            path.unlink()
        lock.release()
