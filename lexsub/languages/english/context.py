"""What stands beside a word: the subject before a verb, *a* or *an* before a noun, possessives.

Of a verb the words before it tell its subject's number, and whether it is finite at all.  An
article goes by how the next word is spoken.  The ending of a possessive (*dog's*, *dogs'*) is no
part of the word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from lexsub.datasets import Item
from lexsub.languages.word_lists import words

_SINGULAR = words(
    "he she it this that one there everyone everybody someone somebody anyone anybody "
    "nobody everything something anything nothing each either neither who which what"
)
_PLURAL = words(
    "we you they these those both many few several most some others people men women "
    "children police all"
)
_BEFORE_BASE = words(
    "to will would can could shall should may might must 'll 'd do does did don doesn didn "
    "wo ca let lets let's make makes made help helps helped see saw hear heard watch "
    "watched please cannot need dare"
)
_ADVERBS = words(
    "not n't never always also even just ever still often then now only already soon once "
    "so too really very again rarely seldom sometimes usually well"
)
_PREPOSITIONS = words(
    "of in on at by for with from to among between about under over behind near without"
)
# Words before a participle: forms of have and be (and get), also through an adverb or two.
AUXILIARIES = words(
    "have has had having 've 's 'd be is are was were been being 'm 're am get gets got getting "
    "gotten"
)
_PAST = words("yesterday ago was were had did didn't wasn't weren't earlier formerly")
_LAST = words(
    "night week month year summer winter spring autumn fall season century time monday tuesday "
    "wednesday thursday friday saturday sunday"
)
_PRESENT = words("today now usually always often every sometimes tomorrow never")
_YEAR = re.compile(r"1[5-9]\d\d|20[012]\d")
_WORD = re.compile(r"[\w'’-]+|[.,;:?!()\"]")
REACH = 12
"""Tokens before the verb that are looked at."""


def is_finite(left: Sequence[str]) -> bool:
    """Return True if a verb in its base form has a subject: it is no infinitive or order."""
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
    """Return True if a form of have or be stands before a verb, and nothing that wants its base."""
    clause = [word for word in _clause(left) if not _is_adverb(word)][-2:]
    return bool(AUXILIARIES & {*clause}) and clause[-1] not in _BEFORE_BASE


def is_past(left: Sequence[str], right: Sequence[str]) -> bool:
    """Return True if a finite verb without an ending of its own stands in the past.

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
    """Return True if what follows an article begins with the sound of a vowel."""
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


_ENDING = re.compile(r"(?<=\w)['’]s$|(?<=s)['’]$", re.IGNORECASE)
_BEHIND = re.compile(r"(['’])(s?)(?!\w)", re.IGNORECASE)
_OPENED = re.compile(r"(?<!\w)['‘](?!.*\w['’](?!\w))", re.DOTALL)
# Behind these stands a form of be or have (let's: us), not a possessive.
_CLAUSES = words("it he she that this there here what who where how when why let")


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
