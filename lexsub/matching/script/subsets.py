"""The subsets of the further analysis (McCarthy and Navigli, 2007, tables 3 and 6)."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

SUBSETS = ("ALL", "NMWT", "NMWS", "RAND", "MAN")
"""ALL items; NMWT: without items whose target is part of a multiword; NMWS: single-word
substitutes only; RAND and MAN: sentences drawn at random, or by hand."""

_MULTIWORD_ID = re.compile(r"^(\d+) ", re.ASCII | re.MULTILINE)
# Only where a word begins: tried at each of its letters, a line of one long word takes hours.
_MANUAL_WORD = re.compile(r"(?<!\w)(\w+);(\w)\.man", re.ASCII)


@dataclass(frozen=True, slots=True)
class Subset:
    """Which gold lines are scored, named by what they hold.

    The script's own switch ``MAN`` leaves the manually drawn words out and its ``RAND``
    keeps only them; here MAN *is* the manual part (782 test items) and RAND the random one
    (914), as the published tables have them.

    Attributes:
        name: one of SUBSETS.
        multiword_ids: ids of the file ``mwids``, for NMWT.
        manual_words: ``word.pos`` of the file ``MRsamples``, for RAND and MAN.
    """

    name: str = "ALL"
    multiword_ids: AbstractSet[str] = frozenset()
    manual_words: AbstractSet[str] = frozenset()

    def __post_init__(self) -> None:
        if self.name not in SUBSETS:
            raise ValueError(f"subset {self.name!r}; expected one of {', '.join(SUBSETS)}")

    @property
    def single_words_only(self) -> bool:
        """Whether multiword substitutes are dropped from gold and answers."""
        return self.name == "NMWS"

    def keeps(self, item_id: str, lexelt: str) -> bool:
        """Whether a gold line belongs to the subset."""
        match self.name:
            case "NMWT":
                return item_id not in self.multiword_ids
            case "RAND":
                return lexelt not in self.manual_words
            case "MAN":
                return lexelt in self.manual_words
            case _:
                return True


def read_mwids(text: str) -> frozenset[str]:
    """Return the ids of a ``mwids`` file as the script finds them."""
    return frozenset(_MULTIWORD_ID.findall(text))


def read_mrsamples(text: str) -> frozenset[str]:
    """Return the ``word.pos`` of an ``MRsamples`` file as the script finds them."""
    # Line by line, because the script takes the first match of each line only.
    found = map(_MANUAL_WORD.search, text.split("\n"))
    return frozenset(f"{match[1]}.{match[2]}" for match in found if match)
