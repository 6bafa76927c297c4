"""TWSI 2.0, the Turk Bootstrap Word Sense Inventory (Biemann, 2012).

English nouns in Wikipedia sentences with crowd-sourced substitutions, in the layout of the
release's ``lexsub_task`` folder: SemEval XML and gold lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lexsub.data.catalogue import DATASETS
from lexsub.data.folder import FileReader
from lexsub.datasets import Dataset
from lexsub.formats.twsi import parse_twsi_gold
from lexsub.golds import Gold


@dataclass(frozen=True)
class Twsi:
    """TWSI 2.0 in the layout of its ``lexsub_task`` folder."""

    splits: Mapping[str, str]
    marker = "twsi2.xml"

    def read(self, folder: Path, split: str) -> Dataset:
        """Read ``twsi2.xml`` and ``twsi2.gold``."""
        read = FileReader(folder)
        items = read.xml("twsi2.xml")
        path = folder / "twsi2.gold"
        gold = parse_twsi_gold(read.text("twsi2.gold"), path)
        full = f"twsi2/{split}"
        return Dataset(full, items, Gold(full, gold, read.files[path]), read.files)


DATASETS.register("twsi2")(Twsi({"all": "sentences of 1,012 frequent English nouns"}))
