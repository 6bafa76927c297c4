"""The usual list of the language that is worked on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexsub.frequency.registry import FREQUENCIES, Frequencies, FrequencyList
from lexsub.languages import language_of
from lexsub.resources import Resources


class OfLanguage:
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


FREQUENCIES.register("language")(OfLanguage())
