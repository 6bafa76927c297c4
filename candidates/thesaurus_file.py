"""Substitutes from a given thesaurus: MyThes, Moby, Roget-like or tab-separated files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from lexsub.candidates.opened import ByItem
from lexsub.candidates.thesaurus_formats import RELATIONS, Entry, Relation
from lexsub.candidates.thesaurus_index import open_index
from lexsub.datasets import Item
from lexsub.errors import ConfigError
from lexsub.frequency import FREQUENCIES
from lexsub.languages import language_of
from lexsub.parts.base import CandidateSource
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources


def place_of(file: str, resources: Resources) -> Path:
    """Return the place of a thesaurus, given its path or its name in ``[resources]``.

    Raises:
        MissingResourceError: it is not there.
    """
    way = f"name the file by --resource {file}=FILE or under [resources]"
    guide = "(docs/how-to/language.md says where to get one)"
    return resources.file(file, f"thesaurus {file!r} is not there", f"{way} {guide}")


@dataclass(frozen=True)
class ThesaurusFile(CandidateSource):
    """Everything a thesaurus lists for the target.

    Entries of the target's part of speech and those without one are used; a target that is not
    there is looked for in its language's plain spelling (*oeuvre* for *œuvre*).  Candidates
    keep the file's order, or the more frequent ones come first (equal ones as in the
    file).  An origin has the thesaurus's own group (a sense, a category) and the score.

    Attributes:
        file: path of the thesaurus, or its name in ``[resources]``; plain or compressed.
        format: ``mythes``, ``moby``, ``roget`` or ``tsv``.
        frequency: name of a frequency list to order by; ``none`` keeps the file's order.
        shared: whether those come first whose own entries share the most words with the target's;
            frequency, or the file's order, decides between equal ones.
        multiwords: whether to propose substitutes with a blank.
        relations: which of ``synonym``, ``similar``, ``related``, ``generic``, ``specific`` and
            ``antonym`` may stand between target and substitute.  Notes in a MyThes file tell
            them; all else is a synonym.
    """

    blind: ClassVar[bool] = True
    file: str
    format: Literal["mythes", "moby", "roget", "tsv"]
    frequency: str = "none"
    shared: bool = False
    multiwords: bool = True
    relations: tuple[Relation, ...] = tuple(name for name in RELATIONS if name != "antonym")

    def __post_init__(self) -> None:
        super().__post_init__()
        FREQUENCIES[self.frequency]
        if not self.relations:
            raise ConfigError(f"relations is empty; expected some of {', '.join(RELATIONS)}")

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the thesaurus and the frequency list's files."""
        return [place_of(self.file, resources), *FREQUENCIES[self.frequency].inputs(resources)]

    def open(self, resources: Resources) -> ByItem:
        """Open the thesaurus's index, which is written first where there is none.

        Raises:
            FormatError: it is not of the format; names the line.
        """
        index = open_index(place_of(self.file, resources), self.format, resources.cache)
        frequencies = FREQUENCIES[self.frequency].open(resources)
        language = language_of(resources.language)

        def entries(word: str) -> Sequence[Entry]:
            return index.entries(word) or index.entries(language.spelling(word))

        def words(word: str) -> set[str]:
            return {word, *(text for entry in entries(word) for text in entry.substitutes)}

        def candidates(item: Item) -> Sequence[Candidate]:
            target = item.lemma.lower()
            found: dict[str, tuple[str, float | None]] = {}
            for entry in entries(target):
                if entry.pos in ("", item.pos) and entry.relation in self.relations:
                    scores = entry.scores or (None,) * len(entry.substitutes)
                    for text, score in zip(entry.substitutes, scores, strict=True):
                        if text.lower() != target and (self.multiwords or " " not in text):
                            found.setdefault(text, (entry.group, score))
            order = sorted(found, key=lambda text: -frequencies.frequency(text, item.pos))
            if self.shared:
                own = words(target)
                order.sort(key=lambda text: -len(own & words(text.lower())))
            return [
                Candidate(text, (Origin("thesaurus-file", rank, *found[text]),))
                for rank, text in enumerate(order)
            ]

        return ByItem(candidates)
