"""The data sets beside SemEval-2007: CoInCo, GermEval, SemDis, SWORDS, TSAR-2022, TWSI.

CoInCo (Kremer et al., 2014) has substitutes for every content word of running text.  Two splits go
by the name of "dev" in the literature.  The official one is the list ``devset-tokenIDs.txt``
(10,179 targets, 65 %).  Melamud et al. (2015), and those who use their files, swapped the lists:
their dev is the official test and their test the official dev, both without problematic targets.
Here ``dev`` and ``test`` are the official ones and the others say ``melamud``.

GermEval 2015 (German; Miller, Benikova and Abualhaija, 2015) is laid out as SemEval-2007 is:
sentences, from Wikipedia (Cholakov et al., 2014), in its XML, golds in its lines.  SemDis 2014 is
French (Fabre et al., 2014; Tanguy et al., 2016).  SWORDS v1.1 (Lee et al., 2021) has substitutes
of CoInCo and a thesaurus, judged in context.  TSAR-2022 is lexical simplification of English,
Spanish and Portuguese (Saggion et al., 2022).  TWSI 2.0, the Turk Bootstrap Word Sense Inventory
(Biemann, 2012), has English nouns in Wikipedia sentences with crowd-sourced substitutions, in the
layout of the release's ``lexsub_task`` folder: SemEval XML and gold lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from lexsub.data.catalogue import FileReader
from lexsub.data.own_files import read_simplification
from lexsub.datasets import Dataset, GoldItem, Item
from lexsub.errors import FormatError, MissingResourceError, Place
from lexsub.formats.coinco import CoincoTarget, parse_coinco
from lexsub.formats.semeval_lines import lines_of
from lexsub.formats.variants import parse_mapping, parse_twsi_gold
from lexsub.storage.files import read_bytes, sha256

WHOLE = ("coinco.xml", "coinco.xml.gz")
DEV_ONLY = ("coinco_dev.xml", "coinco_dev.xml.gz")
ID_LISTS = {"dev": "devset-tokenIDs.txt", "test": "testset-tokenIDs.txt"}
# sha256 of the official lists, so that a swapped or edited one cannot pass for either.
OFFICIAL = {
    "dev": "f6d31675564bb538f54668eb7834dd73a3b0c1dfa530e01c815d6ee773ea0e31",
    "test": "8a824e57313e2f5ba8ede3e904969a88eb9384d351f22a9ad5607d4ec3b43bf8",
}
_HINT = "take it from the CoInCo download of the University of Stuttgart (IMS)"
# split → (official list or "" for both, whether problematic targets are left out, what it is)
_SPLITS = {
    "dev": ("dev", False, "official dev list: 10,179 targets"),
    "dev-no-problematic": ("dev", True, "official dev without problematic targets: 10,027"),
    "test": ("test", False, "official test list: 5,450 targets (needs the whole coinco.xml)"),
    "test-no-problematic": ("test", True, "official test without problematic targets: 5,388"),
    "melamud-dev": ("test", True, "dev of Melamud et al. (2015) = official test-no-problematic"),
    "melamud-test": ("dev", True, "test of Melamud et al. (2015) = official dev-no-problematic"),
    "all": ("", False, "all 15,629 targets (needs the whole coinco.xml)"),
    "all-no-problematic": ("", True, "all without problematic targets: 15,415"),
}


@dataclass(frozen=True)
class CoInCo:
    """The release, by its official lists of token ids.

    Attributes:
        digests: sha256 of the id list of each official split.
    """

    digests: Mapping[str, str] = field(default_factory=lambda: OFFICIAL)

    marker = ID_LISTS["dev"]

    @property
    def splits(self) -> Mapping[str, str]:
        """Split name to a one-line description."""
        return {split: about for split, (_, _, about) in _SPLITS.items()}

    def read(self, folder: Path, split: str) -> Dataset:
        """Read one split.

        Raises:
            MissingResourceError: the XML or the id list that the split needs is not there.
            FormatError: a file that is not what it should be, an id list that is the other
                one or was edited, or a listed target that the XML does not hold.
        """
        part, no_problematic, _ = _SPLITS[split]
        read = FileReader(folder)
        name = _file(folder, split, part)
        targets = {
            target.item.id: target for target in parse_coinco(read.unpacked(name), folder / name)
        }
        wanted = self._ids(read, part, folder / name, targets) if part else list(targets)
        kept = [targets[i] for i in wanted if not (no_problematic and targets[i].problematic)]
        # The XML's order, which is the text's; the lists sort ids as strings.
        kept.sort(key=lambda target: target.gold.line)
        gold = {target.item.id: target.gold for target in kept}
        digest = sha256("".join(read.files.values()).encode())
        items = (target.item for target in kept)
        return read.dataset(f"coinco/{split}", items, gold, sha256=digest)

    def _ids(
        self, read: FileReader, part: str, xml: Path, targets: Mapping[str, CoincoTarget]
    ) -> list[str]:
        path = read.folder / ID_LISTS[part]
        ids = lines_of(read.text(ID_LISTS[part]))
        digest = sha256("".join(f"{i.strip()}\n" for i in ids).encode())
        if digest != self.digests[part]:
            for other, expected in self.digests.items():
                if digest == expected:
                    raise Place(path).fault(
                        f"is the official {other} list under the name of the {part} list; the "
                        f"two are swapped in some copies: rename it to {ID_LISTS[other]}"
                    )
            expected = f"expected {self.digests[part][:12]}…"
            problem = f"is not the official {part} list (sha256 {digest[:12]}…, {expected})"
            raise FormatError(path, None, f"{problem}: {_HINT}")
        ids = [i.strip() for i in ids]
        if missing := [i for i in ids if i not in targets]:
            share = f"{len(missing)} of {len(ids)} are missing"
            problem = f"holds no token {missing[0]}, which {path.name} lists ({share})"
            raise FormatError(xml, None, f"{problem}: expected the whole coinco.xml")
        return ids


def _file(folder: Path, split: str, part: str) -> str:
    """Return the name of the XML that holds a split; say all that is missing for it at once."""
    names = (*WHOLE, *DEV_ONLY) if part == "dev" else WHOLE
    name = next((name for name in names if (folder / name).is_file()), None)
    missing = [] if name else [f"{WHOLE[0]} (or {', '.join(names[1:])})"]
    if part and not (folder / ID_LISTS[part]).is_file():
        missing.append(ID_LISTS[part])
    if name is None or missing:
        raise MissingResourceError(
            f"{folder} holds no {' and no '.join(missing)}, of which split {split} is made: {_HINT}"
        )
    return name


COINCO = CoInCo()


class GermEval2015:
    """The shared task's training and test sets."""

    splits: Mapping[str, str] = {
        "train": "1040 sentences of 78 targets",
        "test": "1000 sentences of 75 targets",
        "all": "both, 2040 sentences of 153 targets",
    }
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
        digest = "+".join(digests)
        return read.dataset(
            f"germeval2015/{split}", items, gold, sha256=digest, language=self.language
        )


GERMEVAL2015 = GermEval2015()


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
        more = {"sha256": read.files[folder / name], "mapping": mapping, "language": self.language}
        return read.dataset(f"semdis2014/{split}", items, gold, **more)


def single_words(gold: Mapping[str, GoldItem]) -> dict[str, GoldItem]:
    """Return the gold without ``compris.a`` and without substitutes that hold a blank.

    ``source`` is emptied, since it no longer is what the file says.
    """
    kept = {}
    for item in gold.values():
        if item.lexelt != LEFT_OUT:
            weights = {name: one for name, one in item.weights.items() if " " not in name}
            kept[item.id] = replace(item, weights=weights, source="")
    return kept


SEMDIS2014 = SemDis2014()


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
        # Imported here, because the checks of its shape take a third of a second to build.
        from lexsub.formats.swords import parse_swords

        items, gold = parse_swords(read.unpacked(name), folder / name)
        return read.dataset(f"swords/{split}", items, gold, sha256=read.files[folder / name])


SWORDS = Swords()


class Tsar2022:
    """Sentences with a complex word, and the simpler ones that 25 people gave for it."""

    splits: Mapping[str, str] = {
        "en-trial": "10 sentences, English",
        "es-trial": "12 sentences, Spanish",
        "pt-trial": "10 sentences, Portuguese",
        "en-test": "373 sentences, English",
        "es-test": "368 sentences, Spanish",
        "pt-test": "374 sentences, Portuguese",
    }
    marker = "tsar2022_en_test_gold.tsv"

    def read(self, folder: Path, split: str) -> Dataset:
        """Read the file of gold annotations of a split."""
        language, part = split.split("-")
        path = folder / f"tsar2022_{language}_{part}_gold.tsv"
        name = f"tsar2022/{split}"
        # What people gave is read with the sentences; WordNet's files may lie beside the set.
        return read_simplification(read_bytes(path), path, (folder.parent,), language, name)


TSAR2022 = Tsar2022()


class Twsi:
    """TWSI 2.0 in the layout of its ``lexsub_task`` folder."""

    splits: Mapping[str, str] = {"all": "sentences of 1,012 frequent English nouns"}
    marker = "twsi2.xml"

    def read(self, folder: Path, split: str) -> Dataset:
        """Read ``twsi2.xml`` and ``twsi2.gold``."""
        read = FileReader(folder)
        items = read.xml("twsi2.xml")
        path = folder / "twsi2.gold"
        gold = parse_twsi_gold(read.text("twsi2.gold"), path)
        return read.dataset(f"twsi2/{split}", items, gold, sha256=read.files[path])


TWSI2 = Twsi()
