"""Trees of any learner as arrays of numbers: what scikit-learn's models are kept as.

A model that is handed on is such, too, whatever its learner: it needs no library of a learner, and
is open at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, is_zipfile

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError
from lexsub.rankers.learned.learners.bits import Forest
from lexsub.rankers.learned.learners.trees import TYPES, Trees, check_trees
from lexsub.storage.files import atomic_write


@dataclass
class PackedModel(Forest):
    """Models as arrays.

    Attributes:
        widest: the last column that there is.
    """

    widest: int = -1

    def save(self, path: Path) -> None:
        """Write the arrays, one behind the other, as ``.npz``."""
        arrays: dict[str, Any] = {
            "models": np.array(len(self.trees)), "widest": np.array(self.widest),
        }  # fmt: skip
        for number, trees in enumerate(self.trees):
            arrays |= {f"{name}{number}": getattr(trees, name) for name in TYPES}
        with atomic_write(path) as file:
            np.savez(file, **arrays)


def load(path: Path, way_out: str = "install the model again") -> PackedModel:
    """Read a model; the way out is for one that is damaged.

    Raises:
        FormatError: it is not one.
    """
    try:
        if not is_zipfile(path):  # numpy would take it for a pickle, and say how to trust it
            raise ValueError("it is no archive of arrays")
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            number, widest = int(arrays["models"]), int(arrays["widest"])
            trees = [
                Trees(**{name: _typed(arrays[f"{name}{model}"], kind)
                         for name, kind in TYPES.items()})
                for model in range(number)
            ]  # fmt: skip
        for one in trees:
            check_trees(one, widest)
        if not trees:
            raise ValueError("no model")
    except (ValueError, KeyError, OSError, EOFError, TypeError, IndexError, BadZipFile) as error:
        raise FormatError(path, None, f"holds no trees ({error}): {way_out}") from error
    return PackedModel(path, trees, widest=widest)


def _typed(array: NDArray[Any], kind: str) -> NDArray[Any]:
    if array.dtype.name != kind:
        raise ValueError(f"{array.dtype} where {kind} was expected")
    return array
