"""Lists of word forms with counts: the British National Corpus and ukWaC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import FormatError
from lexsub.frequency.index import open_counts
from lexsub.frequency.lists import FormCounts, filled, list_file
from lexsub.frequency.registry import FREQUENCIES, Frequencies
from lexsub.parts.limits import whole_number
from lexsub.resources import Resources
from lexsub.storage.files import text_lines


@dataclass(frozen=True, slots=True)
class FormList:
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


for _list in (
    FormList(
        "bnc-forms",
        "bnc_frequency/sharoff_robust/bnc-raw.num",
        "BNC, 109,083 lower-cased word forms (Sharoff)",
    ),
    FormList(
        "ukwac",
        "ukwac_vocab/ukwac.vocab.lower.min100",
        "ukWaC, 187,416 lower-cased word forms with 100 occurrences or more (Melamud)",
    ),
    FormList(
        "own-forms",
        "own-forms.tsv",
        "word forms of your own: lines 'word TAB count', named by own-forms in [resources]",
    ),
):
    FREQUENCIES.register(_list.name)(_list)
