"""TSAR-2022, lexical simplification of English, Spanish and Portuguese (Saggion et al., 2022)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lexsub.data.catalogue import DATASETS
from lexsub.data.own_files import read_simplification
from lexsub.datasets import Dataset
from lexsub.storage.files import read_bytes

_SIZES = {
    "en-trial": 10, "es-trial": 12, "pt-trial": 10, "en-test": 373, "es-test": 368, "pt-test": 374,
}  # fmt: skip
_LANGUAGES = {"en": "English", "es": "Spanish", "pt": "Portuguese"}


class Tsar2022:
    """Sentences with a complex word, and the simpler ones that 25 people gave for it."""

    splits: Mapping[str, str] = {
        split: f"{size} sentences, {_LANGUAGES[split[:2]]}" for split, size in _SIZES.items()
    }
    marker = "tsar2022_en_test_gold.tsv"

    def read(self, folder: Path, split: str) -> Dataset:
        """Read the file of gold annotations of a split."""
        language, part = split.split("-")
        path = folder / f"tsar2022_{language}_{part}_gold.tsv"
        name = f"tsar2022/{split}"
        # What people gave is read with the sentences; WordNet's files may lie beside the set.
        return read_simplification(read_bytes(path), path, (folder.parent,), language, name)


DATASETS.register("tsar2022")(Tsar2022())
