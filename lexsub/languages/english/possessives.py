"""The ending of a possessive (*dog's*, *dogs'*), which is no part of the word."""

from __future__ import annotations

import re

from lexsub.items import Item

_ENDING = re.compile(r"(?<=\w)['’]s$|(?<=s)['’]$", re.IGNORECASE)
_BEHIND = re.compile(r"(['’])(s?)(?!\w)", re.IGNORECASE)
_OPENED = re.compile(r"(?<!\w)['‘](?!.*\w['’](?!\w))", re.DOTALL)
# Behind these stands a form of be or have (let's: us), not a possessive.
_CLAUSES = frozenset(
    ["it", "he", "she", "that", "this", "there", "here", "what", "who", "where", "how", "when",
     "why", "let"]
)  # fmt: skip


def possessive_ending(form: str) -> str:
    """Return the ending that makes a form a possessive, "" where there is none."""
    found = _ENDING.search(form)
    return found[0] if found and form[: found.start()].lower() not in _CLAUSES else ""


def fit_possessive(item: Item, word: str, right: str, *, many: bool) -> str:
    """Return what stands behind a target, the ending of its possessive fitted to another word.

    Args:
        item: the sentence.
        word: what stands in the target's place.
        right: what stands behind the target.
        many: whether it is a plural.
    """
    ending = _BEHIND.match(right)
    if ending is None:
        return right
    if not ending[2] and (item.target[-1:] not in "sS" or _OPENED.search(item.text[: item.start])):
        return right  # a closing quotation mark
    letter = "" if many and word[-1:] in "sS" else "S" if word.isupper() else "s"
    return ending[1] + letter + right[ending.end() :]
