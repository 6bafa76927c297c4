"""SemEval-2007 Task 10 (McCarthy and Navigli, 2007), and the tutorial set in its lay-out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lexsub.data.catalogue import DATASETS
from lexsub.data.folder import FileReader
from lexsub.datasets import Dataset
from lexsub.errors import FormatError
from lexsub.formats.semeval_lines import numbered_lines
from lexsub.golds import Gold, GoldItem
from lexsub.items import Item
from lexsub.storage.files import sha256
from lexsub.submissions import Task


@dataclass(frozen=True)
class SemEvalRelease:
    """A data set laid out as the official release: trial, test, and both as ``all``.

    Attributes:
        name: the data set's name.
        splits: split name to a one-line description.
        test_xml: the test sentences; also the file by which the folder is recognised.
        trial_xml: the trial sentences.
        normalisation: how answers are compared with its golds unless another way is asked for;
            on ``all`` it is ``clean``.
    """

    name: str
    splits: Mapping[str, str]
    test_xml: str
    trial_xml: str
    normalisation: str = "clean"

    @property
    def marker(self) -> str:
        """The file by which the folder is recognised."""
        return self.test_xml

    def gold_file(self, split: str, task: Task) -> str | None:
        """Return the file that holds a split's gold of a task; None where two files do."""
        place = {"test": "scoring/{}gold", "trial": "trial/{}gold.trial"}.get(split)
        return place and place.format("mw" if task == "mw" else "")

    def read(self, folder: Path, split: str) -> Dataset:
        """Read one split from the unpacked release."""
        read = FileReader(folder)
        items: tuple[Item, ...] = ()
        gold: dict[str, GoldItem] = {}
        multiwords: dict[str, GoldItem] = {}
        ids: frozenset[str] = frozenset()
        manual: frozenset[str] = frozenset()
        if split in ("trial", "all"):
            items += read.xml(self.trial_xml)
            gold |= read.gold("trial/gold.trial")
            multiwords |= read.gold("trial/mwgold.trial")
        if split in ("test", "all"):
            items += read.xml(self.test_xml)
            gold |= read.gold("scoring/gold")
            multiwords |= read.gold("scoring/mwgold")
            ids = read_multiword_ids(read.text("scoring/mwids"), folder / "scoring/mwids")
            manual = read_manual_words(read.text("scoring/MRsamples"), folder / "scoring/MRsamples")
        name = f"{self.name}/{split}"
        digest = sha256("".join(read.files.values()).encode())
        if split != "all":
            digest = read.files[folder / str(self.gold_file(split, "best"))]
        # What is published on both together are rankings, which the official scorer knows not.
        policy = "clean" if split == "all" else self.normalisation
        made = Gold(name, gold, digest, multiwords, ids, manual, normalisation=policy)
        return Dataset(name, items, made, read.files)


def read_multiword_ids(text: str, path: Path) -> frozenset[str]:
    """Read a ``mwids`` file: lines ``id  phrase``, items whose target is part of a multiword.

    Raises:
        FormatError: a line that does not begin with a numeric id.
    """
    ids = set()
    for number, line in numbered_lines(text, path):
        fields = line.split(maxsplit=1)
        if not fields[0].isdecimal() or len(fields) != 2:
            raise FormatError(path, number, f"{line[:60]!r}; expected 'id multiword'")
        ids.add(fields[0])
    return frozenset(ids)


def read_manual_words(text: str, path: Path) -> frozenset[str]:
    """Read an ``MRsamples`` file: lines ``word;pos.man``, targets chosen by hand.

    Raises:
        FormatError: a line of another shape.
    """
    words = set()
    for number, line in numbered_lines(text, path):
        entry = line.strip()
        word, _, rest = entry.partition(";")
        if not word or rest not in {"n.man", "v.man", "a.man", "r.man"}:
            raise FormatError(path, number, f"{entry[:60]!r}; expected 'word;pos.man'")
        words.add(f"{word}.{rest[0]}")
    return frozenset(words)


DATASETS.register("semeval2007")(
    SemEvalRelease(
        "semeval2007",
        {
            "test": "1710 sentences of 171 targets, ids 301-2010",
            "trial": "300 sentences of 34 targets, ids 1-300",
            "all": "trial and test together, as most later papers rank them",
        },
        test_xml="test/lexsub_test.xml",
        trial_xml="trial/lexsub_trial.xml",
        normalisation="official",
    )
)
# The set that comes with lexsub: for trying things out, not a benchmark.
DATASETS.register("tutorial")(
    SemEvalRelease(
        "tutorial",
        {
            "test": "100 sentences of 25 words, written for lexsub; not a benchmark",
            "trial": "22 sentences of 6 words, written for lexsub; not a benchmark",
            "all": "trial and test together",
        },
        test_xml="test/tutorial_test.xml",
        trial_xml="trial/tutorial_trial.xml",
    )
)
