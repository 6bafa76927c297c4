"""Frequencies that are in no list of ours: WordNet's tag counts, the library wordfreq, none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import LexsubError, look_for, needing
from lexsub.frequency import FREQUENCIES, Frequencies, FrequencyList
from lexsub.languages import language_of
from lexsub.resources import Resources
from lexsub.wordnet import WordNet, inputs, open_wordnet


@dataclass(frozen=True, slots=True)
class WordNetCounts(Frequencies):
    """Tag counts of a word, summed over its senses."""

    wordnet: WordNet

    def frequency(self, word: str, pos: str) -> float:
        """Return how often a word was tagged in a part of speech, 0 where never."""
        return self.wordnet.count(word, pos)


class SemCor(FrequencyList):
    """The tag counts of WordNet's cntlist.rev (or index.sense)."""

    description = "SemCor and other tagged texts, by WordNet word and part of speech"

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return WordNet's files."""
        return inputs(resources)

    def open(self, resources: Resources) -> Frequencies:
        """Open WordNet."""
        return WordNetCounts(open_wordnet(resources))


SEMCOR = SemCor()


@dataclass(frozen=True, slots=True)
class WordfreqCounts(Frequencies):
    """wordfreq's list of a language."""

    language: str

    def frequency(self, word: str, pos: str) -> float:
        """Return a word's share of running text; 0 for multiwords, which no list here counts.

        wordfreq itself would guess a multiword's frequency from its parts.
        """
        import wordfreq

        if " " in word:
            return 0.0
        return float(wordfreq.word_frequency(word.lower(), self.language))


NEEDS = ("wordfreq", "wordfreq", "frequency list 'wordfreq'")


class Wordfreq(FrequencyList):
    """Frequencies pooled over subtitles, the web, books and more (Speer 2022)."""

    description = "wordfreq's word forms of the run's language (needs the extra 'wordfreq')"

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return no file, but miss the library.

        Raises:
            MissingExtraError: wordfreq is not installed.
        """
        look_for("wordfreq", *NEEDS)
        return ()

    def open(self, resources: Resources) -> Frequencies:
        """Return the list of the language that is worked on.

        Raises:
            MissingExtraError: wordfreq is not installed.
            LexsubError: it has no list of the language.
        """
        with needing(*NEEDS):
            import wordfreq
        if resources.language not in wordfreq.available_languages():
            raise LexsubError(f"wordfreq has no list of language {resources.language!r}")
        return WordfreqCounts(resources.language)


WORDFREQ = Wordfreq()


class Uncounted(Frequencies):
    """An empty table."""

    __slots__ = ()

    def frequency(self, word: str, pos: str) -> float:
        """Return 0 of every word."""
        return 0


class NoFrequencies(FrequencyList):
    """Every word is as frequent as any other."""

    description = "no frequencies: WordNet's own order"

    def open(self, resources: Resources) -> Frequencies:
        """Return an empty table."""
        return Uncounted()


NONE = NoFrequencies()


class OfLanguage(FrequencyList):
    """What the language's entry names: ``semcor`` for English, else ``wordfreq``."""

    description = "the usual list of the run's language: semcor for English, else wordfreq"

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return that list's files."""
        return self._list(resources).inputs(resources)

    def open(self, resources: Resources) -> Frequencies:
        """Open that list."""
        return self._list(resources).open(resources)

    def _list(self, resources: Resources) -> FrequencyList:
        return FREQUENCIES[language_of(resources.language).frequency]


OF_LANGUAGE = OfLanguage()
