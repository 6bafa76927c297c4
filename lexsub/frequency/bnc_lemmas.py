"""Kilgarriff's lemmatised frequency list of the British National Corpus (lemma.al, lemma.num)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.frequency.lists import LemmaCounts, filled, list_file
from lexsub.frequency.registry import FREQUENCIES, Frequencies
from lexsub.parts.limits import whole_number
from lexsub.resources import Resources
from lexsub.storage.files import read_text, text_lines

# The list's word classes that are ours; articles, prepositions and the like are left out.
_CLASSES = {"n": "n", "v": "v", "a": "a", "adv": "r"}


class BncLemmas:
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
        pos = _CLASSES.get(fields[3])
        if pos is not None:
            key = (fields[2].lower(), pos)
            counts[key] = counts.get(key, 0) + count
    return filled(counts, path, "lines 'rank frequency word class'")


FREQUENCIES.register("bnc-lemmas")(BncLemmas())
