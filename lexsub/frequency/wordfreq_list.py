"""The frequencies of the wordfreq library (an optional extra)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.errors import MissingExtraError
from lexsub.frequency.registry import FREQUENCIES, Frequencies
from lexsub.resources import Resources


@dataclass(frozen=True, slots=True)
class WordfreqCounts:
    """wordfreq's English list."""

    language: str = "en"

    def frequency(self, word: str, pos: str) -> float:
        """Return a word's share of running text; 0 for multiwords, which no list here counts.

        wordfreq itself would guess a multiword's frequency from its parts.
        """
        import wordfreq

        del pos
        if " " in word:
            return 0.0
        return float(wordfreq.word_frequency(word.lower(), self.language))


class Wordfreq:
    """Frequencies pooled over subtitles, the web, books and more (Speer 2022)."""

    description = "wordfreq's English word forms (needs the extra 'wordfreq')"

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return nothing: the list is part of a library."""
        del resources
        return ()

    def open(self, resources: Resources) -> Frequencies:
        """Return the list.

        Raises:
            MissingExtraError: wordfreq is not installed.
        """
        del resources
        try:
            import wordfreq
        except ImportError as error:
            raise MissingExtraError("wordfreq", "wordfreq", "frequency list 'wordfreq'") from error
        del wordfreq
        return WordfreqCounts()


FREQUENCIES.register("wordfreq")(Wordfreq())
