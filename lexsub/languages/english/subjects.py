"""What stands before a verb: its subject's number, and whether it is finite at all.

Guesses from the words before the verb, for *be*, the one verb that shows number in the past and
in every person of the present.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SINGULAR = _words(
    "he she it this that one there everyone everybody someone somebody anyone anybody "
    "nobody everything something anything nothing each either neither who which what"
)
_PLURAL = _words(
    "we you they these those both many few several most some others people men women "
    "children police all"
)
_BEFORE_BASE = _words(
    "to will would can could shall should may might must 'll 'd do does did don doesn didn "
    "wo ca let lets let's make makes made help helps helped see saw hear heard watch "
    "watched please cannot need dare"
)
_ADVERBS = _words(
    "not n't never always also even just ever still often then now only already soon once "
    "so too really very again rarely seldom sometimes usually well"
)
_PREPOSITIONS = _words(
    "of in on at by for with from to among between about under over behind near without"
)
# Words before a participle: forms of have and be (and get), also through an adverb or two.
AUXILIARIES = _words(
    "have has had having 've 's 'd be is are was were been being 'm 're am get gets got getting "
    "gotten"
)
_PAST = _words("yesterday ago was were had did didn't wasn't weren't earlier formerly")
_LAST = _words(
    "night week month year summer winter spring autumn fall season century time monday tuesday "
    "wednesday thursday friday saturday sunday"
)
_PRESENT = _words("today now usually always often every sometimes tomorrow never")
_YEAR = re.compile(r"1[5-9]\d\d|20[012]\d")
_WORD = re.compile(r"[\w'’-]+|[.,;:?!()\"]")
REACH = 12
"""Tokens before the verb that are looked at."""


def is_finite(left: Sequence[str]) -> bool:
    """Say whether a verb in its base form has a subject, so that it is no infinitive or order."""
    clause = _clause(left)
    if any(word.endswith("n't") for word in clause[-3:]):
        return False
    while clause and _is_adverb(clause[-1]):
        clause.pop()
    if not clause:
        return False
    near = clause[-5:] if clause[-1] in ("and", "or") else [clause[0], *clause[-3:]]
    return not any(word in _BEFORE_BASE for word in near)


def is_participle(left: Sequence[str]) -> bool:
    """Say whether a form of have or be stands before a verb, and nothing that wants its base."""
    clause = [word for word in _clause(left) if not _is_adverb(word)][-2:]
    return bool(AUXILIARIES & {*clause}) and clause[-1] not in _BEFORE_BASE


def is_past(left: Sequence[str], right: Sequence[str]) -> bool:
    """Say whether a finite verb without an ending of its own stands in the past.

    It does behind a subject that asks for an -s in the present (*he put*), and where the sentence
    tells of the past: *yesterday*, *last year*, *in 1990*, *was*.
    """
    if not is_finite(left):
        return False
    clause = [word for word in _clause(left) if not _is_adverb(word)]
    if clause[-1:] and clause[-1] in _SINGULAR - {"who", "which", "that", "what"}:
        return True
    words = _WORD.findall(" ".join([*left, "|", *right]).lower().replace("’", "'"))
    last = any(one == "last" and two in _LAST for one, two in pairwise(words))
    told = last or bool(_PAST & {*words}) or any(_YEAR.fullmatch(word) for word in words)
    return told and not _PRESENT & {*words}


def number_of_subject(left: Sequence[str]) -> str:
    """Return ``first`` (I), ``plural`` or ``singular``.

    The subject is taken to be the word before the verb, adverbs left out, or the one before the
    preposition of a phrase that follows it; two words joined by *and* are plural.
    """
    words = [word for word in _clause(left) if not _is_adverb(word)]
    if len(words) > 1 and words[-1] in ("who", "which", "that"):
        words.pop()
    start = max(len(words) - 5, 1)
    place = next((i for i in range(start, len(words)) if words[i] in _PREPOSITIONS), len(words))
    words = words[:place]
    if not words:
        return "singular"
    if words[-1] == "i":
        return "first" if "and" not in words[-3:] else "plural"
    if words[-1] in _PLURAL or "and" in words[-3:-1]:
        return "plural"
    if words[-1] in _SINGULAR:
        return "singular"
    return "plural" if _is_plural(words[-1]) else "singular"


def _clause(left: Sequence[str]) -> list[str]:
    """Return the words before the verb, in small letters, back to the last stop or comma."""
    tokens = _WORD.findall(" ".join(left[-REACH:]).lower().replace("’", "'"))
    ends = [place for place, token in enumerate(tokens) if token in '.,;:?!()"']
    return tokens[ends[-1] + 1 :] if ends else tokens


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and len(word) > 4)


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "'s"))
