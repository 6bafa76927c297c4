"""*A* or *an*, by how the next word is spoken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

# Rules and exceptions were held against the pronunciations of the CMU Pronouncing Dictionary.
_FIRST = re.compile(r"[^\W_]+(?:,\d{3})*")
_YOO = re.compile(
    r"eu(?!ler)|ewe|ewing"
    r"|uni(?!n|m|d(?!ir|im)|gn|ll?u|r[^o]|ss)|unani(?!mat)|unesco"
    r"|u(?![np]|lan|lul|lit|ma|mi|mezu|d[io]|ga?[lr]|go|to-azt|zi)[^aeiou\W](?:[aeiou]|y(?!$))"
    r"|ukr|utrecht|ubuntu|ouija|oui$|once$|ones?$|one(?:self|ness|time)$|u(?:ae|k|v|sa|sb|sda|ss|ssr|smc|rls?|fos?|cla)?$"
)
"""Words that begin with a vowel letter and are spoken with a consonant first."""
_SILENT = re.compile(r"heir|honest|hono(?:u?r)|hours?(?!i)|hors$")
"""Words whose h is silent."""
_SPELT = re.compile(
    r"(?!(?:mrs?|mss?|msgr|messrs|mmes?|mm|sgt|sr|ss?t|lbs?|hz|h?m+|sh+|hm+)$)[fhlmnrsx][^aeiouy]*$"
    r"|(?:fbi|fda|hiv|lapd|mba|mia|mri|nba|naacp|ngo|nypd|rca|rna|rsvp|rte|sba|sos|suv)s?$"
)
"""Words that are spelt when spoken, the name of their first letter beginning with a vowel."""


def article_before(article: str, following: str) -> str:
    """Return ``a`` or ``an`` as the sound of what follows asks; keeps the case."""
    fixed = "an" if wants_an(following) else "a"
    if len(article) > 1 and article.isupper():
        return fixed.upper()
    return fixed.capitalize() if article[:1].isupper() else fixed


def fix_article(left: Sequence[str], following: str) -> list[str]:
    """Return the tokens before the slot with a final a or an fitted to what follows."""
    tokens = list(left)
    if tokens and tokens[-1].lower() in ("a", "an"):
        tokens[-1] = article_before(tokens[-1], following)
    return tokens


@lru_cache(maxsize=1 << 13)
def wants_an(text: str) -> bool:
    """Say whether what follows an article begins with the sound of a vowel."""
    match = _FIRST.search(text)
    if match is None:
        return False
    word = match[0].lower()
    if word[0].isdecimal():
        return _number_wants_an(word)
    if word[0] == "y":
        return len(word) > 1 and word[1] not in "aeiou"  # yttrium
    if word[0] in "aeiouàáâäæèéêëìíîïòóôöøùúûü":
        return not _YOO.match(word)
    return bool(_SILENT.match(word) or _SPELT.match(word))


def _number_wants_an(word: str) -> bool:
    # Eight, eighty, eight thousand; eleven and eighteen, also of thousands, hundreds, and years.
    digits = re.match(r"[\d,]+", word)
    number = digits[0].split(",") if digits else [word]
    lead = number[0]
    return lead[0] == "8" or (lead[:2] in ("11", "18") and len(lead) in (2, 4))
