"""Arrays of numbers on disk: mapped into memory, and written without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError
from lexsub.storage.files import writing

BAD_HEADER = (OSError, ValueError, TypeError, SyntaxError, TokenError, OverflowError, EOFError,
              RecursionError)  # fmt: skip
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
    """Say of each number whether it differs from the one before; the first does."""
    new = np.ones(len(numbers), bool)
    np.not_equal(numbers[1:], numbers[:-1], out=new[1:])
    return new
