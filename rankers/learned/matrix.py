"""All families as one matrix for an item, as learners see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lexsub.features import Extractor, Feature, FeatureFamily, Telling, checked
from lexsub.items import Item
from lexsub.rankers.learned.feature_values import FeatureValues, read_values
from lexsub.rankers.learned.within_item import column_names, with_comparisons
from lexsub.rankings import Candidate
from lexsub.resources import Resources

Floats = NDArray[np.float32]


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
        plain = [f"{label}/{feature.name}" for label, family in families.items()
                 for feature in family.features()]  # fmt: skip
        return cls(families, features, column_names(plain, [f.within for f in features]))


@dataclass
class Families:
    """Opened families, each once, and what they have said of the item asked about last.

    Rankers that are opened side by side share one, so that none computes again what another
    has.  Families whose values are kept in tables are opened when one is missing.
    """

    resources: Resources
    data: str
    _tables: dict[str, FeatureValues | None] = field(default_factory=dict)
    _opened: dict[str, Extractor] = field(default_factory=dict)
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
        table = self._table(key)
        rows = None if table is None else table.rows(item.id, len(candidates))
        if rows is not None:
            return rows
        values = self.open(family).values(item, candidates)
        return checked(values, len(family.features()), family, item, len(candidates))

    def open(self, family: FeatureFamily) -> Extractor:
        """Return the working family."""
        key = repr(family)
        if key not in self._opened:
            self._opened[key] = family.open(self.resources)
        return self._opened[key]

    def _table(self, key: str) -> FeatureValues | None:
        if key not in self._tables:
            folder = self.resources.features.get((self.data, key))
            self._tables[key] = None if folder is None else read_values(folder)
        return self._tables[key]


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
            if isinstance(opened, Telling):
                for reasons, more in zip(found, opened.reasons(item, candidates), strict=True):
                    reasons += more
        return found
