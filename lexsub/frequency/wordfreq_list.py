"""The frequencies of the wordfreq library (an optional extra)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import LexsubError, needing
from lexsub.frequency.registry import FREQUENCIES, Frequencies
from lexsub.resources import Resources


@dataclass(frozen=True, slots=True)
class WordfreqCounts:
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


class Wordfreq:
    """Frequencies pooled over subtitles, the web, books and more (Speer 2022)."""

    description = "wordfreq's word forms of the run's language (needs the extra 'wordfreq')"

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return nothing: the list is part of a library."""
        return ()

    def open(self, resources: Resources) -> Frequencies:
        """Return the list of the language that is worked on.

        Raises:
            MissingExtraError: wordfreq is not installed.
            LexsubError: it has no list of the language.
        """
        with needing("wordfreq", "wordfreq", "frequency list 'wordfreq'"):
            import wordfreq
        if resources.language not in wordfreq.available_languages():
            raise LexsubError(f"wordfreq has no list of language {resources.language!r}")
        return WordfreqCounts(resources.language)


FREQUENCIES.register("wordfreq")(Wordfreq())
