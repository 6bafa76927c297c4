"""CoInCo (Kremer et al., 2014): substitutes for every content word of running text.

Two splits go by the name of "dev" in the literature.  The official one is the list
``devset-tokenIDs.txt`` (10,179 targets, 65 %).  Melamud et al. (2015), and those who use
their files, swapped the lists: their dev is the official test and their test the official
dev, both without problematic targets.  Here ``dev`` and ``test`` are the official ones and
the others say ``melamud``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lexsub.data.catalogue import FileReader
from lexsub.datasets import Dataset
from lexsub.errors import FormatError, MissingResourceError
from lexsub.formats.coinco import CoincoTarget, parse_coinco
from lexsub.formats.semeval_lines import lines_of
from lexsub.golds import Gold
from lexsub.storage.files import sha256

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
        full = f"coinco/{split}"
        gold = {target.item.id: target.gold for target in kept}
        digest = sha256("".join(read.files.values()).encode())
        return Dataset(
            full, tuple(target.item for target in kept), Gold(full, gold, digest), read.files
        )

    def _ids(
        self, read: FileReader, part: str, xml: Path, targets: Mapping[str, CoincoTarget]
    ) -> list[str]:
        path = read.folder / ID_LISTS[part]
        ids = lines_of(read.text(ID_LISTS[part]))
        digest = sha256("".join(f"{i.strip()}\n" for i in ids).encode())
        if digest != self.digests[part]:
            for other, expected in self.digests.items():
                if digest == expected:
                    raise FormatError(
                        path,
                        None,
                        f"is the official {other} list under the name of the {part} list; the "
                        f"two are swapped in some copies: rename it to {ID_LISTS[other]}",
                    )
            raise FormatError(
                path,
                None,
                f"is not the official {part} list (sha256 {digest[:12]}…, expected "
                f"{self.digests[part][:12]}…): {_HINT}",
            )
        ids = [i.strip() for i in ids]
        missing = [i for i in ids if i not in targets]
        if missing:
            raise FormatError(
                xml,
                None,
                f"holds no token {missing[0]}, which {path.name} lists ({len(missing)} of "
                f"{len(ids)} are missing): expected the whole coinco.xml",
            )
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
