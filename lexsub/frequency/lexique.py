"""Lexique 3 (New et al.): French lemmas with their frequencies in film subtitles and books."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.frequency import Frequencies, FrequencyList
from lexsub.frequency.lists import LemmaCounts, filled, list_file
from lexsub.languages import language_of
from lexsub.resources import Resources
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import decode, text_lines

FILMS, BOOKS = "freqlemfilms2", "freqlemlivres"
# What ADJ:pos and the like begin with; articles, pronouns and prepositions are left out.
_CLASSES = {"NOM": "n", "VER": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}


@dataclass(frozen=True, slots=True)
class FrenchCounts(Frequencies):
    """Frequencies of French lemmas; œ and oe, ’ and ' are the same."""

    table: LemmaCounts

    def frequency(self, word: str, pos: str) -> float:
        """Return the frequency of a lemma in a part of speech, 0 where it is not listed."""
        return self.table.frequency(language_of("fr").spelling(word), pos)


@dataclass(frozen=True, slots=True)
class Lexique(FrequencyList):
    """Lexique's lemma frequencies.

    Attributes:
        name: the name in config and ``[resources]``.
        columns: the columns whose sum counts.
        description: one line: what was counted.
    """

    name: str
    columns: tuple[str, ...]
    description: str

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the list's file."""
        return (list_file(self.name, "lexique_fr/Lexique383.txt.xz", resources),)

    def open(self, resources: Resources) -> Frequencies:
        """Read the list.

        Raises:
            MissingResourceError: it is not there.
            FormatError: it is no Lexique table.
        """
        (path,) = self.inputs(resources)
        return FrenchCounts(LemmaCounts(read_lexique(path, self.columns)))


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
    lines = text_lines(_text(path))
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
        pos = _CLASSES.get(fields[word_class].partition(":")[0])
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


def _text(path: Path) -> str:
    data = read_unpacked(path)
    try:
        data.decode()
    except UnicodeDecodeError:
        return decode(data, path, "cp1252")
    return decode(data, path)


LEXIQUE = Lexique(
    "lexique", (FILMS, BOOKS), "French lemmas, film subtitles and books (Lexique 3.83)"
)
LEXIQUE_FILMS = Lexique("lexique-films", (FILMS,), "French lemmas, film subtitles (Lexique 3.83)")
LEXIQUE_BOOKS = Lexique("lexique-books", (BOOKS,), "French lemmas, books (Lexique 3.83)")
