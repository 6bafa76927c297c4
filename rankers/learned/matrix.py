"""All families as one matrix for an item, as learners see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset
from lexsub.features import FEATURES, Extractor, Feature, FeatureFamily, Telling, checked
from lexsub.items import Item
from lexsub.parts import build_part
from lexsub.rankers.learned.feature_values import FeatureValues, read_values
from lexsub.rankers.learned.within_item import column_names, with_comparisons
from lexsub.rankings import Candidate
from lexsub.resources import Resources

Floats = NDArray[np.float32]

FamilyTable = str | dict[str, Any]
"""A family: its name alone, or a table with ``name``, options, and a ``label`` that names its
features where two would be called the same."""


def families_of(tables: Sequence[FamilyTable], where: str) -> dict[str, FeatureFamily]:
    """Make feature families by label.

    Raises:
        ConfigError: one is not as declared.
        ValueError: two have the same label.
    """
    found: dict[str, FeatureFamily] = {}
    for place, table in enumerate(tables):
        options = {"name": table} if isinstance(table, str) else dict(table)
        label = str(options.pop("label", options.get("name", "")))
        if label in found:
            raise ValueError(f"{where}: {label} stands twice; give each a label of its own")
        found[label] = build_part(FEATURES, options, f"{where}[{place}]")
    return found


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
class Matrix:
    """Opened families; those whose values are kept in tables are opened when one is missing."""

    columns: Columns
    resources: Resources
    tables: Mapping[str, FeatureValues]
    _opened: dict[str, Extractor]

    @classmethod
    def open(cls, columns: Columns, resources: Resources, data: Dataset | str) -> Matrix:
        """Open the tables that there are for a split."""
        name = data if isinstance(data, str) else data.name
        tables = {
            label: read_values(resources.features[name, repr(family)])
            for label, family in columns.families.items()
            if (name, repr(family)) in resources.features
        }
        return cls(columns, resources, tables, {})

    def raw(self, item: Item, candidates: Sequence[Candidate]) -> Floats:
        """Return the values of all families, shape (candidates, features)."""
        return np.concatenate(
            [self._values(label, item, candidates) for label in self.columns.families], axis=1
        )

    def of(self, item: Item, candidates: Sequence[Candidate]) -> Floats:
        """Return the values and their comparisons, shape (candidates, columns)."""
        return self.compared(self.raw(item, candidates))

    def compared(self, raw: Floats) -> Floats:
        """Set comparisons beside the values of all families."""
        within = np.array([feature.within for feature in self.columns.features], dtype=bool)
        return with_comparisons(raw, within)

    def _values(self, label: str, item: Item, candidates: Sequence[Candidate]) -> Floats:
        if label in self.tables:
            found = self.tables[label].rows(item.id, len(candidates))
            if found is not None:
                return found
        values, family = self._open(label).values(item, candidates), self.columns.families[label]
        return checked(values, len(family.features()), family, item, len(candidates))

    def reasons(self, item: Item, candidates: Sequence[Candidate]) -> list[list[str]]:
        """Return for each candidate what the families say in words, family by family."""
        found: list[list[str]] = [[] for _ in candidates]
        for label in self.columns.families:
            opened = self._open(label)
            if isinstance(opened, Telling):
                for reasons, more in zip(found, opened.reasons(item, candidates), strict=True):
                    reasons += more
        return found

    def _open(self, label: str) -> Extractor:
        if label not in self._opened:
            self._opened[label] = self.columns.families[label].open(self.resources)
        return self._opened[label]
