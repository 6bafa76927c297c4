"""Arrays of numbers on disk, mapped into memory."""

from __future__ import annotations

from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any

import numpy as np

from lexsub.errors import FormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
        # numpy reads the header as Python text, which may go wrong in every way.
        array: NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError, TypeError, SyntaxError, TokenError, OverflowError) as error:
        raise FormatError(path, None, f"is missing or damaged ({error}): {again}") from error
    if types and array.dtype.name not in types:
        wanted = " or ".join(types)
        raise FormatError(path, None, f"holds {array.dtype}; expected {wanted}: {again}")
    if shape is not None and array.shape != shape:
        found, wanted = (" by ".join(map(str, one)) for one in (array.shape, shape))
        raise FormatError(
            path, None, f"holds {found} numbers; expected {wanted}, as its header says: {again}"
        )
    return array
