"""Frequency lists that are text files: where they are, and the plain table they become."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lexsub.errors import FormatError, MissingResourceError
from lexsub.frequency.index import Counts
from lexsub.resources import Resources

FETCHED = ("bnc_frequency",)
"""Folders of lists that ``lexsub data get`` fetches; their addresses are a layer above."""


@dataclass(frozen=True, slots=True)
class FormCounts:
    """Counts of word forms, whatever their part of speech; words are in lower case."""

    counts: Counts

    def frequency(self, word: str, pos: str) -> float:
        """Return the count of a form, 0 where it is not listed."""
        return self.counts.get(word.lower(), 0)


@dataclass(frozen=True, slots=True)
class LemmaCounts:
    """Counts of lemmas by part of speech; words are in lower case."""

    counts: Mapping[tuple[str, str], float]

    def frequency(self, word: str, pos: str) -> float:
        """Return the count of a lemma in a part of speech, 0 where it is not listed."""
        return self.counts.get((word.lower(), pos), 0)


Table = TypeVar("Table", bound=Mapping[Any, float])


def filled(counts: Table, path: Path, expected: str) -> Table:
    """Return the counts of a list; one without any would rank by nothing, unnoticed.

    Raises:
        FormatError: there are none.
    """
    if not counts:
        raise FormatError(path, None, f"lists no words; expected {expected}")
    return counts


def list_file(name: str, relative: str, resources: Resources) -> Path:
    """Return a list's file: the one ``[resources]`` names, or the one below a data folder.

    Raises:
        MissingResourceError: there is none; says how to name it.
    """
    named = resources.paths.get(name)
    if named is None:
        way = f"name yours by --resource {name}=PATH, or as {name} = … under [resources]"
        folder = relative.partition("/")[0]
        if folder in FETCHED:
            way = (
                f"run 'lexsub data get {folder}', or {way}; or take frequency = \"semcor\", "
                "which comes with WordNet"
            )
        return resources.find(relative, way)
    named = resources.here(named)
    if not named.is_file():
        raise MissingResourceError(
            f"{named} (named by [resources] {name}) is no file; expected a list as {relative}"
        )
    return named
