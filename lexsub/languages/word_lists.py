"""Words in a text, and lists of words and of pairs that are written as text."""

from __future__ import annotations

import re
from collections.abc import Mapping

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
"""A word of running text, with its apostrophes and hyphens."""


def words(text: str) -> frozenset[str]:
    """Return the words of a text, apart by blanks."""
    return frozenset(text.split())


def pairs(text: str) -> dict[str, str]:
    """Return the second word by the first of ``first second, first second``."""
    parted = (pair.strip().partition(" ") for pair in text.split(","))
    return {first: second for first, _, second in parted}


def forms_by_tag(listed: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return the form by word and tag of pairs of word and form, as :func:`pairs`, by tag."""
    return {(word, tag): form for tag, text in listed.items() for word, form in pairs(text).items()}
