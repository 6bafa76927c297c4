"""Morphy: base forms by exception lists and suffix rules, as NLTK applies them.

Unlike Princeton's morphy(3WN) this neither takes collocations apart nor handles ``-ful``;
it is what the field's experiments have used.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

# (suffix, what replaces it); NLTK's list, in its order, which decides what comes first.
RULES: dict[str, tuple[tuple[str, str], ...]] = {
    "n": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
          ("shes", "sh"), ("men", "man"), ("ies", "y")),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""),
          ("ing", "e"), ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip

LONGEST = max(len(old) for rules in RULES.values() for old, _ in rules)


def guesses(form: str, pos: str, exceptions: Mapping[str, str]) -> list[str]:
    """Return what may be base forms of a word, the form itself first.

    Args:
        form: a word as WordNet's index writes it (lower case, underscores).
        pos: n, v, a or r.
        exceptions: the bases, apart by blanks, that the exception lists of the part of speech
            give for a form; they take the place of the rules.
    """
    irregular = exceptions.get(form)
    if irregular is not None:
        return list(dict.fromkeys([form, *irregular.split()]))
    stem, ending = form[:-LONGEST], form[-LONGEST:]
    return [stem + other for other in _endings(ending, pos)]


@lru_cache(10_000)
def _endings(ending: str, pos: str) -> tuple[str, ...]:
    """Return an ending of as many letters as the longest suffix, and what may take its place."""
    others = [ending[: -len(old)] + new for old, new in RULES[pos] if ending.endswith(old)]
    return tuple(dict.fromkeys([ending, *others]))
