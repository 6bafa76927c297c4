"""A data set split as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lexsub.golds import Gold
from lexsub.items import Item
from lexsub.rankings import Candidate
from lexsub.tables import Table, Tabular


@dataclass(frozen=True, slots=True, repr=False)
class Dataset(Tabular):
    """Sentences and gold of one split.

    Attributes:
        name: ``dataset/split``, as ``semeval2007/test``; the split is part of the name.
        items: the items in file order, items without gold included.
        gold: the gold standard.
        files: every file that was read, with its sha256.
        language: ISO 639-1 code; the gold has the same.
    """

    name: str
    items: tuple[Item, ...]
    gold: Gold
    files: Mapping[Path, str] = field(default_factory=dict)
    language: str = "en"

    def __post_init__(self) -> None:
        if self.gold.language != self.language:
            object.__setattr__(self, "gold", replace(self.gold, language=self.language))

    def under(self, normalisation: str | None) -> Dataset:
        """Return the same with its gold under another policy; None changes nothing."""
        if normalisation is None:
            return self
        return replace(self, gold=replace(self.gold, normalisation=normalisation))

    def records(self) -> list[dict[str, Any]]:
        """Return a row an item."""
        columns = ("id", "lexelt", "text", "target", "start", "end")
        rows = [{name: getattr(item, name) for name in columns} for item in self.items]
        return [{**row, "lexelt": str(row["lexelt"])} for row in rows]

    def view(self) -> Table:
        """Return the sentences, their targets in brackets."""
        cells = [
            [one.id, str(one.lexelt), f"{one.text[: one.start]}[{one.target}]{one.text[one.end :]}"]
            for one in self.items
        ]
        title = f"{self.name}, {len(self.items)} items, {len(self.gold.items)} with gold"
        return Table(title, ["id", "lexelt", "sentence"], cells)


@dataclass(frozen=True, slots=True)
class Pooled:
    """A split with the candidates of its items, to learn from.

    Attributes:
        data: the split.
        pools: candidates by item id.
    """

    data: Dataset
    pools: Mapping[str, Sequence[Candidate]]
