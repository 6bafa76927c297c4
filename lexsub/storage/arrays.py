"""Arrays of numbers on disk, and many strings in three of them: mapped into memory, and written."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError
from lexsub.storage.files import writing

BAD_HEADER = (
    OSError,
    ValueError,
    TypeError,
    SyntaxError,
    TokenError,
    OverflowError,
    EOFError,
    RecursionError,
)
"""What numpy raises at damaged files: it reads their header as Python text."""


def map_array(
    path: Path, again: str, types: tuple[str, ...] = (), shape: tuple[int, ...] | None = None
) -> NDArray[Any]:
    """Map an array of a model's folder.

    Args:
        path: a ``.npy`` file.
        again: what to do where it is damaged, as ``train the model again``.
        types: of what type it may be, as ``int64``; of any where none is given.
        shape: the shape that it should have.

    Raises:
        FormatError: it is missing, damaged, or not of the type and shape.
    """
    try:
        array: NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
    except BAD_HEADER as error:
        raise FormatError(path, None, f"is missing or damaged ({error}): {again}") from error
    if types and array.dtype.name not in types:
        wanted = " or ".join(types)
        raise FormatError(path, None, f"holds {array.dtype}; expected {wanted}: {again}")
    if shape is not None and array.shape != shape:
        found, wanted = (" by ".join(map(str, one)) for one in (array.shape, shape))
        raise FormatError(
            path, None, f"holds {found} numbers; expected {wanted}, as its header says: {again}"
        )
    # As plain numbers: every slice of a map is made by Python.
    return np.asarray(array)


@contextmanager
def array_file(path: Path, kind: Any, shape: tuple[int, ...]) -> Iterator[IO[bytes]]:
    """Open a ``.npy`` file for the numbers of an array; its header stands there already.

    For arrays larger than memory: where one is mapped to be written, its pages count as the
    process's memory, and on a full disk they end the process instead of raising an error.

    Raises:
        FileProblemError: the disk refuses.
    """
    with writing(path), path.open("wb") as file:
        header = {"descr": np.dtype(kind).str, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, header)
        yield file


def spans(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of some spans, one span behind the other."""
    ends = np.cumsum(lengths)
    places: NDArray[np.int64] = np.arange(lengths.sum()) + np.repeat(
        starts - ends + lengths, lengths
    )
    return places


def changes(numbers: NDArray[Any]) -> NDArray[np.bool_]:
    """Return for each number whether it differs from the one before; the first does."""
    new = np.ones(len(numbers), bool)
    np.not_equal(numbers[1:], numbers[:-1], out=new[1:])
    return new


class Lists:
    """Lists of numbers, one behind the other.

    Attributes:
        numbers: of all lists.
        starts: where each begins, and where the last one ends.
    """

    def __init__(self, numbers: NDArray[Any], sizes: NDArray[Any]) -> None:
        """Part numbers into lists.

        Raises:
            ValueError: the sizes are those of other lists.
        """
        self.numbers = numbers
        self.starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])
        if self.starts[-1] != len(numbers):
            raise ValueError("lists of other sizes than their numbers")

    def __getitem__(self, place: int) -> NDArray[Any]:
        return self.numbers[self.starts[place] : self.starts[place + 1]]

    def of(
        self, places: NDArray[Any], owners: NDArray[Any]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers in the lists at some places, and for each the owner of its list.

        Args:
            places: of the lists, in any order and as often as wanted, shape (lists,).
            owners: a number for each list, the same shape.
        """
        starts = self.starts[places]
        sizes = self.starts[places + 1] - starts
        return self.numbers[spans(starts, sizes)].astype(np.int64), np.repeat(owners, sizes)


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
        found = self.find_all([text])[0]
        return None if found < 0 else found

    def find_all(self, texts: Sequence[str]) -> list[int]:
        """Return the ids of many strings, -1 for those that are not there."""
        if self._ids is None:
            self._asked += len(texts)
            if self._asked * SEARCHES <= len(self):
                return list(map(self._search, texts))
            self._ids = {one: number for number, one in enumerate(self)}
        ids = self._ids
        return [ids.get(text, -1) for text in texts]

    def _search(self, text: str) -> int:
        key = text.encode()
        place = bisect_left(self._order, key, key=self._raw)
        if place == len(self._order) or self._raw(self._order[place]) != key:
            return -1
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
