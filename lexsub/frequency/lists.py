"""Frequency lists that are text files: where they are, and the tables they become.

Lists of word forms with counts (the British National Corpus, ukWaC, one of your own), Kilgarriff's
lemmatised list of the British National Corpus (lemma.al, lemma.num), and Lexique 3 (New et al.):
French lemmas with their frequencies in film subtitles and books.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lexsub.errors import FormatError, MissingResourceError
from lexsub.frequency import Frequencies, FrequencyList
from lexsub.frequency.index import Counts, open_counts
from lexsub.languages import language_of
from lexsub.parts.limits import whole_number
from lexsub.resources import Resources
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import decode, read_text, text_lines

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
    """Counts of lemmas by part of speech; words are spelled in one way, here in lower case."""

    counts: Mapping[tuple[str, str], float]
    spelling: Callable[[str], str] = str.lower

    def frequency(self, word: str, pos: str) -> float:
        """Return the count of a lemma in a part of speech, 0 where it is not listed."""
        return self.counts.get((self.spelling(word), pos), 0)


Table = TypeVar("Table", bound=Mapping[Any, float])


def filled(counts: Table, path: Path, expected: str) -> Table:
    """Return the counts of a list; one without any would rank by nothing, unnoticed.

    Raises:
        FormatError: there are none.
    """
    if not counts:
        raise FormatError(path, None, f"lists no words; expected {expected}")
    return counts


@dataclass(frozen=True, slots=True)
class FileList(FrequencyList):
    """A list in a file.

    Attributes:
        name: the name in config and ``[resources]``.
        relative: the file below a data folder.
        description: one line: what was counted.
    """

    name: str
    relative: str
    description: str

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the file: the one ``[resources]`` names, or the one below a data folder.

        Raises:
            MissingResourceError: there is none; says how to name it.
        """
        name, relative = self.name, self.relative
        named = resources.paths.get(name)
        if named is None:
            way = f"name yours by --resource {name}=PATH, or as {name} = … under [resources]"
            folder = relative.partition("/")[0]
            if folder in FETCHED:
                way = (
                    f"run 'lexsub data get {folder}', or {way}; or take frequency = \"semcor\", "
                    "which comes with WordNet"
                )
            return (resources.find(relative, way),)
        named = resources.here(named)
        if not named.is_file():
            raise MissingResourceError(
                f"{named} (named by [resources] {name}) is no file; expected a list as {relative}"
            )
        return (named,)

    def open(self, resources: Resources) -> Frequencies:
        """Read the list.

        Raises:
            MissingResourceError: it is not there.
            FormatError: a line that is not as it should be, or no line at all.
        """
        (path,) = self.inputs(resources)
        return self.read(path, resources.cache)

    @abstractmethod
    def read(self, path: Path, cache: Path) -> Frequencies:
        """Read the list from its file."""


class FormList(FileList):
    """Lines ``word TAB count``, further columns ignored."""

    __slots__ = ()

    def read(self, path: Path, cache: Path) -> Frequencies:
        """Open the list's index, which is written first where there is none."""
        return FormCounts(open_counts(path, read_form_list, cache))


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


class BncLemmas(FileList):
    """Lines ``rank frequency word class``."""

    __slots__ = ()

    def read(self, path: Path, cache: Path) -> Frequencies:
        """Read the list."""
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


BNC_LEMMAS = BncLemmas(
    "bnc-lemmas",
    "bnc_frequency/kilgarriff/lemma.al",
    "BNC, lemmas with part of speech, 800 occurrences or more (Kilgarriff 1995)",
)


FILMS, BOOKS = "freqlemfilms2", "freqlemlivres"
# What ADJ:pos and the like begin with; articles, pronouns and prepositions are left out.
_LEXIQUE_CLASSES = {"NOM": "n", "VER": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}


@dataclass(frozen=True, slots=True)
class Lexique(FileList):
    """Lexique's lemma frequencies; œ and oe, ’ and ' are the same.

    Attributes:
        columns: the columns whose sum counts.
    """

    columns: tuple[str, ...] = (FILMS, BOOKS)

    def read(self, path: Path, cache: Path) -> Frequencies:
        """Read the list."""
        return LemmaCounts(read_lexique(path, self.columns), language_of("fr").spelling)


def read_lexique(path: Path, columns: Sequence[str]) -> dict[tuple[str, str], float]:
    """Read a Lexique table, plain or compressed: some columns' sum by lemma and part of speech.

    The table is tab-separated with decimal commas; the header names the columns (``3_lemme`` in
    some copies).  UTF-8 and Windows-1252 (with it Latin-1) copies are told apart: what is no
    UTF-8 is the latter.

    Raises:
        FileProblemError: it cannot be read.
        FormatError: a column is missing, a line is short, a frequency is no number from 0 on,
            no lemma is listed, or compressed data are damaged or end early.
    """
    lines = text_lines(_lexique_text(path))
    header = [name.partition("_")[2] or name for name in (lines or [""])[0].split("\t")]
    missing = [name for name in ("lemme", "cgram", *columns) if name not in header]
    if missing:
        raise FormatError(
            path, 1, f"has no column {', '.join(missing)}; expected Lexique's header (3_lemme …)"
        )
    lemma, word_class = header.index("lemme"), header.index("cgram")
    places = [header.index(name) for name in columns]
    counts: dict[tuple[str, str], float] = {}
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split("\t")
        if len(fields) < max(lemma, word_class, *places) + 1:
            raise FormatError(path, number, f"{line[:40]!r}; expected {len(header)} columns")
        pos = _LEXIQUE_CLASSES.get(fields[word_class].partition(":")[0])
        if pos is None:
            continue
        try:
            values = [float(fields[place].replace(",", ".")) for place in places]
        except ValueError:
            values = [math.nan]
        if not all(0 <= value < math.inf for value in values):  # NaN is not
            shown = ", ".join(fields[place] for place in places)
            raise FormatError(path, number, f"frequency {shown!r}; expected 12,34")
        # Every form of a lemma repeats the lemma's frequency.
        key = (language_of("fr").spelling(fields[lemma]), pos)
        counts[key] = max(sum(values), counts.get(key, 0.0))
    return filled(counts, path, "Lexique's lines below its header")


def _lexique_text(path: Path) -> str:
    data = read_unpacked(path)
    try:
        data.decode()
    except UnicodeDecodeError:
        return decode(data, path, "cp1252")
    return decode(data, path)


_LEXIQUE = "lexique_fr/Lexique383.txt.xz"
LEXIQUE = Lexique("lexique", _LEXIQUE, "French lemmas, film subtitles and books (Lexique 3.83)")
LEXIQUE_FILMS = Lexique(
    "lexique-films", _LEXIQUE, "French lemmas, film subtitles (Lexique 3.83)", (FILMS,)
)
LEXIQUE_BOOKS = Lexique("lexique-books", _LEXIQUE, "French lemmas, books (Lexique 3.83)", (BOOKS,))
