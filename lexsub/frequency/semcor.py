"""How often words are tagged in SemCor and its fellows: the counts that come with WordNet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.frequency.registry import FREQUENCIES, Frequencies
from lexsub.resources import Resources
from lexsub.wordnet import WordNet, inputs, open_wordnet


@dataclass(frozen=True, slots=True)
class WordNetCounts:
    """Tag counts of a word, summed over its senses."""

    wordnet: WordNet

    def frequency(self, word: str, pos: str) -> float:
        """Return how often a word was tagged in a part of speech, 0 where never."""
        return self.wordnet.count(word, pos)


class SemCor:
    """The tag counts of WordNet's cntlist.rev (or index.sense)."""

    description = "SemCor and other tagged texts, by WordNet word and part of speech"

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return WordNet's files."""
        return inputs(resources)

    def open(self, resources: Resources) -> Frequencies:
        """Open WordNet."""
        return WordNetCounts(open_wordnet(resources))


FREQUENCIES.register("semcor")(SemCor())
