"""GermEval 2015, German lexical substitution (Miller, Benikova and Abualhaija, 2015).

Laid out as SemEval-2007 is: sentences, from Wikipedia (Cholakov et al., 2014), in its XML,
golds in its lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lexsub.data.catalogue import DATASETS
from lexsub.data.folder import FileReader
from lexsub.datasets import Dataset
from lexsub.golds import Gold, GoldItem
from lexsub.items import Item


@dataclass(frozen=True)
class GermEval2015:
    """The shared task's training and test sets."""

    splits: Mapping[str, str]
    marker = "train-dataset.xml"
    language = "de"

    def read(self, folder: Path, split: str) -> Dataset:
        """Read ``SPLIT-dataset.xml`` and ``SPLIT-dataset.gold``."""
        read = FileReader(folder)
        items: tuple[Item, ...] = ()
        gold: dict[str, GoldItem] = {}
        digests = []
        for part in ("train", "test") if split == "all" else (split,):
            items += read.xml(f"{part}-dataset.xml")
            gold |= read.gold(f"{part}-dataset.gold")
            digests.append(read.files[folder / f"{part}-dataset.gold"])
        full = f"germeval2015/{split}"
        return Dataset(full, items, Gold(full, gold, "+".join(digests)), read.files, self.language)


DATASETS.register("germeval2015")(
    GermEval2015(
        {
            "train": "1040 sentences of 78 targets",
            "test": "1000 sentences of 75 targets",
            "all": "both, 2040 sentences of 153 targets",
        }
    )
)
