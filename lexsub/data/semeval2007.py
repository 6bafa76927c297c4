"""SemEval-2007 Task 10 (McCarthy and Navigli, 2007), its entrants, the tutorial set in its lay-out.

The lay-out of the archive of the entrants' outputs (``semeval2007-systems``) is not documented, so
a file's system and task are told by the names of the file and its folders: ``KU.best``,
``SWAG-1/oot``, ``hit_mw.txt``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.data.catalogue import FileReader
from lexsub.datasets import Dataset, Gold, GoldItem, Item
from lexsub.errors import LexsubError
from lexsub.formats.semeval_lines import placed_lines
from lexsub.rankings import Task
from lexsub.resources import Resources
from lexsub.storage.files import read_bytes, sha256


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
        ids = manual = frozenset[str]()
        parts = {"trial": self.trial_xml, "test": self.test_xml}
        for part in parts if split == "all" else (split,):
            items += read.xml(parts[part])
            gold |= read.gold(str(self.gold_file(part, "best")))
            multiwords |= read.gold(str(self.gold_file(part, "mw")))
        if split != "trial":
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
    for at, line in placed_lines(text, path):
        fields = line.split(maxsplit=1)
        if not fields[0].isdecimal() or len(fields) != 2:
            raise at.fault(f"{line[:60]!r}; expected 'id multiword'")
        ids.add(fields[0])
    return frozenset(ids)


def read_manual_words(text: str, path: Path) -> frozenset[str]:
    """Read an ``MRsamples`` file: lines ``word;pos.man``, targets chosen by hand.

    Raises:
        FormatError: a line of another shape.
    """
    words = set()
    for at, line in placed_lines(text, path):
        entry = line.strip()
        word, _, rest = entry.partition(";")
        if not word or rest not in {"n.man", "v.man", "a.man", "r.man"}:
            raise at.fault(f"{entry[:60]!r}; expected 'word;pos.man'")
        words.add(f"{word}.{rest[0]}")
    return frozenset(words)


SEMEVAL2007 = SemEvalRelease(
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
# The set that comes with lexsub: for trying things out, not a benchmark.
TUTORIAL = SemEvalRelease(
    "tutorial",
    {
        "test": "100 sentences of 25 words, written for lexsub; not a benchmark",
        "trial": "22 sentences of 6 words, written for lexsub; not a benchmark",
        "all": "trial and test together",
    },
    test_xml="test/tutorial_test.xml",
    trial_xml="trial/tutorial_trial.xml",
)


NAME = "semeval2007-systems"
SYSTEMS = ("KU", "UNT", "MELB", "HIT", "USYD", "IRST1", "IRST2", "TOR", "SWAG1", "SWAG2")
"""The entrants as the tables name them."""

_ALIASES = {"MELBMKB": "MELB", "MELBOURNE": "MELB", "TORONTO": "TOR", "SYDNEY": "USYD"}
_TASKS: dict[str, Task] = {"best": "best", "oot": "oot", "mw": "mw", "outof10": "oot"}
_TASK_WORD = re.compile("|".join(sorted(_TASKS, key=len, reverse=True)))


@dataclass(frozen=True, slots=True)
class Entrants:
    """What was found.

    Attributes:
        files: (system, task) to file.
        unknown: files that name no system and task that we know, relative to the folder.
    """

    files: dict[tuple[str, Task], Path]
    unknown: tuple[str, ...]


def find_entrants(folders: Sequence[Path]) -> Entrants:
    """Find the entrants' files in the folder of the archive.

    Raises:
        MissingResourceError: there is no such folder; says how to get it.
        LexsubError: two different files for one system and task, or none at all.
    """
    way = f"run 'lexsub data get {NAME}', or put the unpacked archive there"
    return scan(Resources(data=tuple(folders)).find(NAME, way))


def scan(root: Path) -> Entrants:
    """Sort the files below a folder by system and task.

    Raises:
        LexsubError: two different files for one system and task, or none at all.
    """
    files: dict[tuple[str, Task], Path] = {}
    unknown = []
    for path in sorted(entry for entry in root.rglob("*") if entry.is_file()):
        relative = path.relative_to(root)
        known = system_and_task(relative.parts)
        if known is None:
            unknown.append(str(relative))
        elif known in files and read_bytes(files[known]) != read_bytes(path):
            raise LexsubError(
                f"{files[known]} and {path} both look like the {known[1]} answers of {known[0]}; "
                "remove one"
            )
        else:
            files.setdefault(known, path)
    if not files:
        raise LexsubError(
            f"{root} holds no file that names a system ({' '.join(SYSTEMS)}) and a task (best, "
            "oot, mw)"
        )
    return Entrants(files, tuple(unknown))


def system_and_task(parts: Sequence[str]) -> tuple[str, Task] | None:
    """Tell system and task by a file's name and those of its folders, the nearest first."""
    system: str | None = None
    task: Task | None = None
    for part in reversed(parts):
        text = re.sub(r"\.(txt|out|res|dat)$", "", part.lower())
        found = _TASK_WORD.search(text)
        if task is None and found:
            task = _TASKS[found[0]]
        rest = re.sub(r"[^A-Z0-9]", "", _TASK_WORD.sub(" ", text).upper())
        rest = _ALIASES.get(rest, rest)
        if system is None and rest in SYSTEMS:
            system = rest
    return None if system is None or task is None else (system, task)
