"""Frequency lists that are text files: where they are, and the tables they become.

Lists of word forms with counts (the British National Corpus, ukWaC, one of your own), and
Kilgarriff's lemmatised list of the British National Corpus (lemma.al, lemma.num).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lexsub.errors import FormatError, MissingResourceError
from lexsub.frequency import Frequencies, FrequencyList
from lexsub.frequency.index import Counts, open_counts
from lexsub.parts.limits import whole_number
from lexsub.resources import Resources
from lexsub.storage.files import read_text, text_lines

FETCHED = ("bnc_frequency",)
"""Folders of lists that ``lexsub data get`` fetches; their addresses are a layer above."""


@dataclass(frozen=True, slots=True)
class FormCounts(Frequencies):
    """Counts of word forms, whatever their part of speech; words are in lower case."""

    counts: Counts

    def frequency(self, word: str, pos: str) -> float:
        """Return the count of a form, 0 where it is not listed."""
        return self.counts.get(word.lower(), 0)


@dataclass(frozen=True, slots=True)
class LemmaCounts(Frequencies):
    """Counts of lemmas by part of speech; words are in lower case."""

    counts: Mapping[tuple[str, str], float]

    def frequency(self, word: str, pos: str) -> float:
        """Return the count of a lemma in a part of speech, 0 where it is not listed."""
        return self.counts.get((word.lower(), pos), 0)


Table = TypeVar("Table", bound=Mapping[Any, float])


def filled(counts: Table, path: Path, expected: str) -> Table:
    """Return the counts of a list; one without any would rank by nothing, unnoticed.

    Raises:
        FormatError: there are none.
    """
    if not counts:
        raise FormatError(path, None, f"lists no words; expected {expected}")
    return counts


def list_file(name: str, relative: str, resources: Resources) -> Path:
    """Return a list's file: the one ``[resources]`` names, or the one below a data folder.

    Raises:
        MissingResourceError: there is none; says how to name it.
    """
    named = resources.paths.get(name)
    if named is None:
        way = f"name yours by --resource {name}=PATH, or as {name} = … under [resources]"
        folder = relative.partition("/")[0]
        if folder in FETCHED:
            way = (
                f"run 'lexsub data get {folder}', or {way}; or take frequency = \"semcor\", "
                "which comes with WordNet"
            )
        return resources.find(relative, way)
    named = resources.here(named)
    if not named.is_file():
        raise MissingResourceError(
            f"{named} (named by [resources] {name}) is no file; expected a list as {relative}"
        )
    return named


@dataclass(frozen=True, slots=True)
class FormList(FrequencyList):
    """A file of lines ``word TAB count``, further columns ignored.

    Attributes:
        name: the name in config and ``[resources]``.
        relative: the file below a data folder.
        description: one line: what was counted.
    """

    name: str
    relative: str
    description: str

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the list's file."""
        return (list_file(self.name, self.relative, resources),)

    def open(self, resources: Resources) -> Frequencies:
        """Open the list's index, which is written first where there is none.

        Raises:
            MissingResourceError: it is not there.
            FormatError: a line without a count, or no line at all.
        """
        (path,) = self.inputs(resources)
        return FormCounts(open_counts(path, read_form_list, resources.cache))


def read_form_list(text: str, path: Path) -> dict[str, int]:
    """Read lines ``word TAB count``; of a word listed twice the first line counts.

    Rows in angle brackets (``<TOTAL>``) are totals, not words, and can be no candidate.
    """
    counts: dict[str, int] = {}
    for number, line in enumerate(text_lines(text), start=1):
        if not line:
            continue
        word, _, rest = line.partition("\t")
        count = whole_number(rest.partition("\t")[0].strip())
        if count is None:
            raise FormatError(path, number, f"{line!r}; expected 'word TAB count'")
        counts.setdefault(word, count)
    return filled(counts, path, "lines 'word TAB count'")


BNC_FORMS = FormList(
    "bnc-forms",
    "bnc_frequency/sharoff_robust/bnc-raw.num",
    "BNC, 109,083 lower-cased word forms (Sharoff)",
)
UKWAC = FormList(
    "ukwac",
    "ukwac_vocab/ukwac.vocab.lower.min100",
    "ukWaC, 187,416 lower-cased word forms with 100 occurrences or more (Melamud)",
)
OWN_FORMS = FormList(
    "own-forms",
    "own-forms.tsv",
    "word forms of your own: lines 'word TAB count', named by own-forms in [resources]",
)


# The list's word classes that are ours; articles, prepositions and the like are left out.
_BNC_CLASSES = {"n": "n", "v": "v", "a": "a", "adv": "r"}


class BncLemmas(FrequencyList):
    """The 6318 lemmas with at least 800 occurrences, by part of speech."""

    description = "BNC, lemmas with part of speech, 800 occurrences or more (Kilgarriff 1995)"

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the list's file."""
        return (list_file("bnc-lemmas", "bnc_frequency/kilgarriff/lemma.al", resources),)

    def open(self, resources: Resources) -> Frequencies:
        """Read the list.

        Raises:
            MissingResourceError: it is not there.
            FormatError: a line that is not ``rank frequency word class``, or no line at all.
        """
        (path,) = self.inputs(resources)
        return LemmaCounts(read_lemma_list(read_text(path), path))


def read_lemma_list(text: str, path: Path) -> dict[tuple[str, str], int]:
    """Read lines ``rank frequency word class`` (a header line may come first)."""
    counts: dict[tuple[str, str], int] = {}
    for number, line in enumerate(text_lines(text), start=1):
        fields = line.split()
        if not fields or (number == 1 and fields[0] == "sort-order"):
            continue
        if len(fields) != 4 or (count := whole_number(fields[1])) is None:
            raise FormatError(path, number, f"{line!r}; expected 'rank frequency word class'")
        pos = _BNC_CLASSES.get(fields[3])
        if pos is not None:
            key = (fields[2].lower(), pos)
            counts[key] = counts.get(key, 0) + count
    return filled(counts, path, "lines 'rank frequency word class'")


BNC_LEMMAS = BncLemmas()
