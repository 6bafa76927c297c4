"""Another source's candidates as lemmas of the target's part of speech."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lexsub.candidates.opened import ByItem
from lexsub.items import Item
from lexsub.parts.base import CandidateSource, Generator
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.wordnet import WordNet, describe, inputs, open_wordnet


@dataclass(frozen=True)
class Lemmas(CandidateSource):
    """What a source of word forms proposes, as lemmas of the target's part of speech in WordNet.

    For neighbours in vectors of forms and for what language models propose (English).  The
    shortest base form stands for a word; the target's own forms and words of other parts of
    speech are left out, and a lemma that comes again stays where it was first.

    Attributes:
        source: the source, a name or a table.
        k: at most so many lemmas; 0 for all.
    """

    source: CandidateSource
    k: int = 0

    def __post_init__(self) -> None:
        if self.k < 0:
            raise ValueError(f"k is {self.k}; expected 0 or more")
        super().__post_init__()

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return WordNet's files and those of the source."""
        return list(dict.fromkeys([*super().inputs(resources), *inputs(resources)]))

    def report(self, resources: Resources) -> Mapping[str, object]:
        """Say which WordNet it is, and what the source reports, for the manifest."""
        return {**super().report(resources), "wordnet": describe(resources).as_dict()}

    def open(self, resources: Resources) -> ByItem:
        """Open the source and WordNet."""
        return ByItem(
            partial(self._candidates, self.source.open(resources), open_wordnet(resources))
        )

    def _candidates(self, source: Generator, wordnet: WordNet, item: Item) -> Sequence[Candidate]:
        """Return the lemmas in the source's order, each with its first form's origins."""
        found: dict[str, Candidate] = {}
        own = item.lemma.lower()
        for candidate in source.candidates(item):
            bases = wordnet.base_forms(candidate.substitute, item.pos)
            lemma = min(bases, key=len).replace("_", " ") if bases else own
            if lemma != own:
                found.setdefault(lemma, Candidate(lemma, candidate.origins))
        return list(found.values())[: self.k or None]
