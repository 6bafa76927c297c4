"""Many strings in three memory-mapped arrays."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError
from lexsub.storage.arrays import map_array

SEARCHES = 40
"""When so many times the strings asked for are more than all, all are read at once: a search on
disk costs about as much as reading so many."""


class StringTable:
    """Strings by id and ids by string, read from disk as they are asked for."""

    def __init__(self, folder: Path, name: str, again: str) -> None:
        """Map a table.

        Args:
            folder: where its files are.
            name: how they begin.
            again: what to do where they are damaged.

        Raises:
            FormatError: they are.
        """
        types = {"bytes": "uint8", "ends": "int64", "order": "int32"}
        arrays: dict[str, Any] = {
            part: map_array(folder / f"{name}.{part}.npy", again, (type_,))
            for part, type_ in types.items()
        }
        text, ends, order = arrays.values()
        if not (
            text.ndim == ends.ndim == 1
            and order.shape == ends.shape
            and ends[-1:].tolist() in ([], [len(text)])
            and order.min(initial=0) >= 0
            and order.max(initial=-1) < len(ends)
        ):
            path = folder / f"{name}.ends.npy"
            raise FormatError(path, None, f"does not fit the files beside it: {again}")
        # A search looks at a few numbers here and there: views give them as Python's own, an
        # array would first make an array of each.
        self._bytes, self._ends = memoryview(text), memoryview(ends)
        self._order = memoryview(order)
        self._asked = 0
        self._ids: dict[str, int] | None = None

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, index: int) -> str:
        return self._raw(index).decode(errors="replace")

    def find(self, text: str) -> int | None:
        """Return the id of a string, or None."""
        if self._ids is not None:
            return self._ids.get(text)
        self._asked += 1
        if self._asked * SEARCHES > len(self):
            self._ids = {one: number for number, one in enumerate(self)}
        key = text.encode()
        place = bisect_left(self._order, key, key=self._raw)
        if place == len(self._order) or self._raw(self._order[place]) != key:
            return None
        found: int = self._order[place]
        return found

    def __iter__(self) -> Iterator[str]:
        # All at once: to ask for one by one takes several times as long.
        raw, start = bytes(self._bytes), 0
        for end in self._ends.tolist():
            yield raw[start:end].decode(errors="replace")
            start = end

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
