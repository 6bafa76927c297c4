"""How often words occur: frequency lists by name, for ordering candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from lexsub.parts.registry import Registry
from lexsub.resources import Resources


class Frequencies(ABC):
    """An opened frequency list."""

    __slots__ = ()

    @abstractmethod
    def frequency(self, word: str, pos: str) -> float:
        """Return how frequent a word is; only comparable within one list.

        Args:
            word: as people write it, with blanks in multiwords; case does not matter.
            pos: n, v, a or r; lists of word forms do not look at it.

        Returns:
            A count or a relative frequency, 0 for a word that is not in the list.
        """


class FrequencyList(ABC):
    """Knows where a frequency list is and how to read it.

    Attributes:
        description: one line: what was counted.
    """

    __slots__ = ()

    description: str

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the files that ``open`` reads; here none.

        Raises:
            MissingResourceError: one of them is not there; says how to name it.
        """
        return ()

    @abstractmethod
    def open(self, resources: Resources) -> Frequencies:
        """Read the list."""


FREQUENCIES: Registry[FrequencyList] = Registry("frequency list")
