"""SWORDS v1.1 (Lee et al., 2021): substitutes of CoInCo and a thesaurus, judged in context."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lexsub.data.catalogue import DATASETS
from lexsub.data.folder import FileReader
from lexsub.datasets import Dataset
from lexsub.formats.swords import parse_swords
from lexsub.golds import Gold


class Swords:
    """The released splits; weights are shares of favourable labels, 0 included."""

    splits: Mapping[str, str] = {
        "dev": "370 targets, 22,978 substitutes",
        "test": "762 targets, 45,705 substitutes",
        "test-subset": "89 targets of test, 5,369 substitutes",
        "test-subset_reannotated": "the same 89 targets judged anew, 5,384 substitutes",
    }
    marker = "swords-v1.1_dev.json.gz"

    def read(self, folder: Path, split: str) -> Dataset:
        """Read one split, from ``swords-v1.1_SPLIT.json.gz`` or the same unpacked."""
        read = FileReader(folder)
        packed = f"swords-v1.1_{split}.json.gz"
        name = read.first(
            (packed, packed.removesuffix(".gz")),
            "take it from assets/parsed/ of the p-lambda/swords repository on GitHub",
        )
        items, gold = parse_swords(read.unpacked(name), folder / name)
        full = f"swords/{split}"
        return Dataset(full, items, Gold(full, gold, read.files[folder / name]), read.files)


DATASETS.register("swords")(Swords())
