"""Many strings in three memory-mapped arrays."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class StringTable:
    """Strings by id and ids by string, read from disk as they are asked for."""

    def __init__(self, folder: Path, name: str) -> None:
        # A search looks at a few numbers here and there: views give them as Python's own, an
        # array would first make an array of each.
        self._bytes, self._ends, self._order = (
            memoryview(np.load(folder / f"{name}.{part}.npy", mmap_mode="r", allow_pickle=False))
            for part in ("bytes", "ends", "order")
        )

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, index: int) -> str:
        return self._raw(index).decode()

    def find(self, text: str) -> int | None:
        """Return the id of a string, or None."""
        key = text.encode()
        place = bisect_left(self._order, key, key=self._raw)
        if place == len(self._order) or self._raw(self._order[place]) != key:
            return None
        found: int = self._order[place]
        return found

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(len(self)))

    def _raw(self, index: int) -> bytes:
        start = self._ends[index - 1] if index else 0
        return bytes(self._bytes[start : self._ends[index]])


def write_strings(folder: Path, name: str, strings: Iterable[str]) -> None:
    """Write a table of different strings, ids in the order given."""
    encoded = [text.encode() for text in strings]
    ends = np.cumsum([len(raw) for raw in encoded], dtype=np.int64)
    order: NDArray[np.int32] = np.array(
        sorted(range(len(encoded)), key=encoded.__getitem__), dtype=np.int32
    )
    np.save(folder / f"{name}.bytes.npy", np.frombuffer(b"".join(encoded), np.uint8))
    np.save(folder / f"{name}.ends.npy", ends)
    np.save(folder / f"{name}.order.npy", order)
