"""Computed features on disk: one folder for a family, a split and its candidates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError
from lexsub.items import Item
from lexsub.parts.base import FeatureFamily
from lexsub.storage.arrays import map_array
from lexsub.storage.files import read_text, write_text

FILE = "features.json"


@dataclass(frozen=True)
class FeatureValues:
    """The features of many items.

    Attributes:
        names: of the features.
        starts: first row of each item, by item id; and behind the last.
        values: shape (rows, features), memory-mapped.
    """

    names: Sequence[str]
    starts: dict[str, tuple[int, int]]
    values: NDArray[np.float32]

    def rows(self, item: str, number: int) -> NDArray[np.float32] | None:
        """Return an item's values, None where there are none for so many candidates."""
        start, stop = self.starts.get(item, (0, 0))
        return self.values[start:stop] if stop - start == number else None


def write_values(
    folder: Path,
    family: FeatureFamily,
    items: Sequence[Item],
    blocks: Sequence[NDArray[np.float32]],
) -> None:
    """Write the values of a family, one block an item."""
    width = len(family.features())
    values = np.concatenate([np.zeros((0, width), np.float32), *blocks])
    np.save(folder / "values.npy", values)
    header = {
        "names": [feature.name for feature in family.features()],
        "items": [item.id for item in items],
        "rows": [len(block) for block in blocks],
    }
    write_text(folder / FILE, json.dumps(header) + "\n")


def read_values(folder: Path) -> FeatureValues:
    """Open a table.

    Raises:
        FormatError: it is damaged.
    """
    try:
        header = json.loads(read_text(folder / FILE))
        values = map_array(folder / "values.npy", "delete its folder")
        ends = np.cumsum(header["rows"]).tolist()
        starts = dict(zip(header["items"], zip([0, *ends], ends, strict=False), strict=True))
        if values.shape != (ends[-1] if ends else 0, len(header["names"])):
            raise ValueError("values of another shape than its header says")
    except (ValueError, KeyError, OSError, EOFError) as error:
        kind = type(error).__name__
        problem = f"is no whole table of features ({kind}); delete its folder, and it is made anew"
        raise FormatError(folder / FILE, None, problem) from error
    return FeatureValues(header["names"], starts, values)
