"""System answers as the official scorer normalises them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from lexsub.matching.script.perl import BLANK

_MULTIWORD = re.compile(r"\S \S", re.ASCII)


@lru_cache(maxsize=1 << 16)
def normalise(answer: str) -> str:
    """Join ``non-x`` and ``non x``, turn hyphens into blanks, drop the first apostrophe.

    Nothing is trimmed and case stays.  (The script's table of American spellings has no
    effect: it is stored in a way that no look-up finds.)
    """
    if answer.startswith("non") and answer[3:4] and answer[3] in BLANK + "-":
        answer = "non" + answer[4:]
    return answer.replace("-", " ").replace("'", "", 1)


def normalised(answers: Sequence[str], *, single_words_only: bool = False) -> list[str]:
    """Normalise a list of answers; the subset NMWS also drops multiwords."""
    result = list(map(normalise, answers))
    if single_words_only:
        result = [answer for answer in result if not _MULTIWORD.search(answer)]
    return result
