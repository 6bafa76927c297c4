"""All families as one matrix for an item, as learners see it: values, and comparisons of these."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Item
from lexsub.errors import FormatError
from lexsub.parts.base import Extractor, Feature, FeatureFamily
from lexsub.parts.checked import checked_values
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.arrays import map_array
from lexsub.storage.files import read_text, write_text
from lexsub.storage.memory import BoundedCache

Floats = NDArray[np.float32]

FAMILIES = "families"
"""Name under which rankers that are opened side by side share what they have opened."""

SUFFIXES = ("", ":rank", ":z", ":gap")
"""The value, its place among the candidates, its z-score, its distance to the best."""


@dataclass(frozen=True)
class Columns:
    """What the columns of the matrix are.

    Attributes:
        families: by label.
        features: of all families, in order.
        names: of all columns, comparisons included.
    """

    families: Mapping[str, FeatureFamily]
    features: Sequence[Feature]
    names: Sequence[str]

    @classmethod
    def of(cls, families: Mapping[str, FeatureFamily]) -> Columns:
        """Lay the features of some families side by side."""
        features = [feature for family in families.values() for feature in family.features()]
        plain = [f"{label}/{one.name}" for label, of in families.items() for one in of.features()]
        return cls(families, features, column_names(plain, [f.within for f in features]))


@dataclass
class Families:
    """Opened families, each once, and what they have said of the item asked about last.

    Rankers that are opened side by side share one, so that none computes again what another
    has.  Families whose values are kept in tables are opened when one is missing.
    """

    resources: Resources
    data: str
    _tables: BoundedCache[str, FeatureValues | None] = field(default_factory=BoundedCache)
    _opened: BoundedCache[str, Extractor] = field(default_factory=BoundedCache)
    _last: tuple[Item | None, Sequence[Candidate], dict[str, Floats]] = (None, (), {})

    def values(self, family: FeatureFamily, item: Item, candidates: Sequence[Candidate]) -> Floats:
        """Return the values of a family, shape (candidates, features)."""
        last = self._last
        if last[0] is not item or last[1] is not candidates:
            last = self._last = (item, candidates, {})
        found, key = last[2], repr(family)
        if key not in found:
            found[key] = self._computed(family, key, item, candidates)
        return found[key]

    def _computed(
        self, family: FeatureFamily, key: str, item: Item, candidates: Sequence[Candidate]
    ) -> Floats:
        table = self._tables.once(key, lambda: self._table(key))
        rows = None if table is None else table.rows(item.id, len(candidates))
        if rows is not None:
            return rows
        values = self.open(family).values(item, candidates)
        return checked_values(values, len(family.features()), family, item, len(candidates))

    def open(self, family: FeatureFamily) -> Extractor:
        """Return the working family."""
        shared = {FAMILIES: self}
        return self._opened.once(repr(family), lambda: family.open_beside(self.resources, shared))

    def _table(self, key: str) -> FeatureValues | None:
        folder = self.resources.features.get((self.data, key))
        return None if folder is None else read_values(folder)


@dataclass(frozen=True)
class Matrix:
    """The values of a model's families side by side."""

    columns: Columns
    families: Families

    def raw(self, item: Item, candidates: Sequence[Candidate]) -> Floats:
        """Return the values of all families, shape (candidates, features)."""
        families = self.columns.families.values()
        return np.concatenate(
            [self.families.values(one, item, candidates) for one in families], axis=1
        )

    def of(self, item: Item, candidates: Sequence[Candidate]) -> Floats:
        """Return the values and their comparisons, shape (candidates, columns)."""
        return self.compared(self.raw(item, candidates))

    def compared(self, raw: Floats) -> Floats:
        """Set comparisons beside the values of all families."""
        within = np.array([feature.within for feature in self.columns.features], dtype=bool)
        return with_comparisons(raw, within)

    def reasons(self, item: Item, candidates: Sequence[Candidate]) -> list[list[str]]:
        """Return for each candidate what the families say in words, family by family."""
        found: list[list[str]] = [[] for _ in candidates]
        for family in self.columns.families.values():
            opened = self.families.open(family)
            for reasons, more in zip(found, opened.reasons(item, candidates), strict=True):
                reasons += more
        return found


def column_names(names: Sequence[str], within: Sequence[bool]) -> list[str]:
    """Return the names of the columns that :func:`with_comparisons` makes."""
    compared = [name for name, used in zip(names, within, strict=True) if used]
    return [*names, *(f"{name}{suffix}" for suffix in SUFFIXES[1:] for name in compared)]


def column_features(within: Sequence[bool]) -> list[int]:
    """Return the feature that each column of :func:`with_comparisons` is made of."""
    compared = [place for place, used in enumerate(within) if used]
    return [*range(len(within)), *(place for _ in SUFFIXES[1:] for place in compared)]


def with_comparisons(values: Floats, within: NDArray[np.bool_]) -> Floats:
    """Return an item's values with rank, z-score and gap of those that are to be compared.

    Args:
        values: shape (candidates, features); NaN where nothing is known.
        within: which features are compared, shape (features,).

    Returns:
        Shape (candidates, features + 3 × compared): the values, then for each compared
        feature the share of candidates that are better (ties share their mean place), (x -
        mean) / standard deviation, and x - max; NaN stays NaN.
    """
    compared = values[:, within].astype(np.float64)
    if not len(compared):
        return np.zeros((0, values.shape[1] + 3 * compared.shape[1]), np.float32)
    known = ~np.isnan(compared)
    number = np.maximum(known.sum(axis=0), 1)
    filled = np.where(known, compared, 0.0)
    mean = filled.sum(axis=0) / number
    centred = np.where(known, compared - mean, 0.0)
    deviation = np.sqrt((centred**2).sum(axis=0) / number)
    z = np.where(known, centred / np.maximum(deviation, 1e-9), np.nan)
    gap = compared - np.fmax.reduce(compared, axis=0)  # which passes over nan
    places = _places(values[:, within], known)
    return np.concatenate([values, places, z, gap], axis=1).astype(np.float32)


def _places(values: Floats, known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the share of known candidates with a greater value, equal ones counting half."""
    columns = np.ascontiguousarray(values.T)
    order = np.argsort(columns, axis=1)
    ordered = np.take_along_axis(columns, order, axis=1)  # nan at the end
    index = np.arange(columns.shape[1])
    # A run of equal values begins where one differs from that before it.
    differs = ordered[:, 1:] != ordered[:, :-1]
    edge = np.ones((len(columns), 1), bool)
    first = np.maximum.accumulate(np.where(np.hstack([edge, differs]), index, 0), axis=1)
    last = np.where(np.hstack([differs, edge]), index, columns.shape[1])
    last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    number = known.sum(axis=0)[:, None]
    shares = np.full(columns.shape, np.nan)
    # Behind the run values are greater; from its beginning on they are greater or equal.
    above, atleast = number - (last + 1), number - first
    np.put_along_axis(shares, order, (above + atleast - 1) / 2 / np.maximum(number, 1), axis=1)
    return np.where(known, shares.T, np.nan)


FILE = "features.json"


@dataclass(frozen=True)
class FeatureValues:
    """The features of many items.

    Attributes:
        starts: first row of each item, by item id; and behind the last.
        values: shape (rows, features), memory-mapped.
    """

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
    return FeatureValues(starts, values)
