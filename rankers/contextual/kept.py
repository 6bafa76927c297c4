"""Values that took long, kept by what they were made from: work that was stopped goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.digests import known_sha256
from lexsub.files import atomic_write, sha256

Table = NDArray[np.float64]


@dataclass(frozen=True)
class Kept:
    """One small table a file, in a folder of the cache; it can be deleted at any time.

    Attributes:
        folder: where they are.
    """

    folder: Path

    @classmethod
    def of(cls, cache: Path, room: str, files: Sequence[Path], made_by: str) -> Kept:
        """Return the tables that some files and options have made.

        Args:
            cache: the cache folder.
            room: whose tables they are.
            files: whose content decides the values (a model's).
            made_by: what else does, as text: options, versions of libraries.
        """
        digests = [known_sha256(file, cache / "digests") for file in files]
        return cls(cache / room / sha256("\n".join([made_by, *digests]).encode())[:32])

    def table(self, given: str, shape: tuple[int, int], make: Callable[[], Table]) -> Table:
        """Return what was made from a text before, or make it and keep it."""
        path = self.folder / f"{sha256(given.encode())[:32]}.npy"
        try:
            found: Table = np.load(path, allow_pickle=False)
            if found.shape == shape:
                return found
        except (OSError, ValueError, EOFError):
            pass
        found = make()
        with atomic_write(path) as file:
            np.save(file, found)
        return found
