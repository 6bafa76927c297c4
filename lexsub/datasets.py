"""A data set split as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lexsub.golds import Gold
from lexsub.items import Item
from lexsub.rankings import Candidate


@dataclass(frozen=True, slots=True)
class Dataset:
    """Sentences and gold of one split.

    Attributes:
        name: ``dataset/split``, as ``semeval2007/test``; the split is part of the name.
        items: the items in file order, items without gold included.
        gold: the gold standard.
        files: every file that was read, with its sha256.
        language: ISO 639-1 code.
    """

    name: str
    items: tuple[Item, ...]
    gold: Gold
    files: Mapping[Path, str] = field(default_factory=dict)
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Pooled:
    """A split with the candidates of its items, to learn from.

    Attributes:
        data: the split.
        pools: candidates by item id.
    """

    data: Dataset
    pools: Mapping[str, Sequence[Candidate]]
