"""Lists of words and of pairs, written as text."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Return the words of a text, apart by blanks."""
    return frozenset(text.split())


def pairs(text: str) -> dict[str, str]:
    """Return the second word by the first of ``first second, first second``."""
    parted = (pair.strip().partition(" ") for pair in text.split(","))
    return {first: second for first, _, second in parted}
