"""SemDis 2014, French lexical substitution (Fabre et al., 2014; Tanguy et al., 2016)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from lexsub.data.catalogue import DATASETS
from lexsub.data.folder import FileReader
from lexsub.datasets import Dataset
from lexsub.formats.semdis import parse_mapping
from lexsub.golds import Gold, GoldItem

SENTENCES = "lexsubfr_semdis2014_test.xml"
# Gold 2 was published later and apart from gold 1; whoever has it puts it beside gold 1.
GOLD_1 = ("semdis2014_lexsub_gold.txt", "semdis2014_lexsub_gold1.txt")
GOLD_2 = ("semdis2014_lexsub_gold2.txt", "gold2.txt")
# Left out of the figures of Tanguy et al. (2016), with every multiword substitute.
LEFT_OUT = "compris.a"


class SemDis2014:
    """300 sentences of 30 targets, with one or the other gold."""

    splits: Mapping[str, str] = {
        "test": "300 sentences, gold 1: how many of 7 annotators gave a substitute",
        "test-290": "gold 1 without compris.a and multiword substitutes, as published figures are",
        "test-gold2": "300 sentences, gold 2: mean ratings 0-3 of pooled substitutes",
        "test-gold2-290": "gold 2 without compris.a and multiword substitutes",
    }
    marker = SENTENCES
    language = "fr"

    def read(self, folder: Path, split: str) -> Dataset:
        """Read the sentences with the gold that the split names."""
        read = FileReader(folder)
        items = read.xml(SENTENCES)
        if "gold2" in split:
            name = read.first(GOLD_2, "gold 2 is not part of the 2014 release; put its file there")
        else:
            name = read.first(GOLD_1, "take it from the SemDis 2014 evaluation archive")
        gold = read.gold(name)
        if split.endswith("-290"):
            items = tuple(item for item in items if str(item.lexelt) != LEFT_OUT)
            gold = single_words(gold)
        mapping = {}
        if (folder / "mapping.txt").is_file():
            mapping = parse_mapping(read.text("mapping.txt"), folder / "mapping.txt")
        full = f"semdis2014/{split}"
        digest = read.files[folder / name]
        gold_read = Gold(full, gold, digest, mapping=mapping)
        return Dataset(full, items, gold_read, read.files, self.language)


def single_words(gold: Mapping[str, GoldItem]) -> dict[str, GoldItem]:
    """Return the gold without ``compris.a`` and without substitutes that hold a blank.

    ``source`` is emptied, since it no longer is what the file says.
    """
    return {
        item.id: replace(
            item,
            weights={name: weight for name, weight in item.weights.items() if " " not in name},
            source="",
        )
        for item in gold.values()
        if item.lexelt != LEFT_OUT
    }


DATASETS.register("semdis2014")(SemDis2014())
