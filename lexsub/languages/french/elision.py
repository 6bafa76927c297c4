"""What stands before a word, fitted to its sound: *l'*, *d'*, *qu'*, *cet*, *mon amie*, *bel*."""

from __future__ import annotations

import re

from lexsub.languages.word_lists import pairs

_VOWELS = "aeiouàâäéèêëîïôöùûüœæ"
# Words with an h that is not silent, by their beginnings.
_ASPIRATED = re.compile(
    r"ha(?!b|gio|lein|lit|llu|log|ltèr|madr|meç|rmo|rus)|hâ|hé(?:$|l[eè]|riss|ron|ros$)|hêtr|hère"
    r"|he(?:aum|in|nn|p$|rch|rni|rs|urt)|hi(?:b|c$|ck|d[ei]|érar|-|le|p$|pp?ie|ss|t)"
    r"|ho(?:b|ch|ck|l[dly]|mar|ng|nn(?!eu|ê|o)|nt|p$|q|rd|rs|rm(?!o)|t[t-]?|u)|hu(?:ch|[eé]|g|it(?!r)"
    r"|l|m[eéè]?(?!ain|an|bl|eu|i|o|u|ér)|n|p|r|s|t)"
)
# And words that begin with a vowel and have no elision before them.
_SPOKEN = re.compile(r"onz|oui$|ouistiti|uhlan|ululer|yaourt|yacht|yoga|y[aeou]")

_SHORT = pairs(
    "le l, la l, de d, que qu, je j, me m, te t, se s, ne n, jusque jusqu, lorsque lorsqu, "
    "puisque puisqu, quoique quoiqu"
)
_LONG = {short: whole for whole, short in reversed(_SHORT.items())}
_BEFORE_VOWELS = pairs(
    "ce cet, ma mon, ta ton, sa son, beau bel, nouveau nouvel, vieux vieil, fou fol, mou mol, du "
    "de l', au à l'"
)
_BEFORE_CONSONANTS = pairs("cet ce, bel beau, nouvel nouveau, vieil vieux, fol fou, mol mou")

_WHOLE = re.compile(
    rf"(?<![\w'’-])({'|'.join(_SHORT)}|{'|'.join(_BEFORE_VOWELS)})\s+$", re.IGNORECASE
)
_ELIDED = re.compile(rf"(?<![\w-])({'|'.join(_LONG)})\s?['’]\s*$", re.IGNORECASE)
_FULL = re.compile(rf"(?<![\w-])({'|'.join(_BEFORE_CONSONANTS)})\s+$", re.IGNORECASE)
_CONTRACTED = re.compile(r"(?<![\w'’-])(de|à)\s+le\s+$", re.IGNORECASE)
_ONE = {"de": "du ", "à": "au "}
PARTED = re.compile(rf"(?<![\w'’-])({'|'.join(_LONG)})(['’])(?=\w)", re.IGNORECASE)
"""An elided word that is written as one with the next (not the start of *aujourd'hui*)."""


def has_elision(word: str) -> bool:
    """Return True if a word begins with the sound of a vowel: *eau*, *homme*, not *héros*."""
    word = word.lower()
    if _SPOKEN.match(word):
        return word.startswith(("yeux", "yeuse"))
    if word.startswith("h"):
        return not _ASPIRATED.match(word)
    return word[:1] in _VOWELS or (word[:1] == "y" and word[1:2] not in _VOWELS)


def fit(left: str, form: str, gender: str) -> str:
    """Return the text before a slot with its last word fitted.

    Args:
        left: the text, a blank or an apostrophe at its end.
        form: what fills the slot.
        gender: m, f, or "" where it is not known: *l'* then becomes *le*.
    """
    sign = "’" if "’" in left and "'" not in left else "'"
    if has_elision(form):
        match = _WHOLE.search(left)
        if match is None:
            return left
        word = match[1].lower()
        if word in _SHORT:
            return left[: match.start()] + _cased(_SHORT[word], match[1]) + sign
        fitted = _cased(_BEFORE_VOWELS[word], match[1]).replace("'", sign)
        return left[: match.start()] + fitted + match[0][len(word) :] * (fitted[-1] != sign)
    if match := _ELIDED.search(left):
        word = match[1].lower()
        whole = "la" if word == "l" and gender == "f" else _LONG[word]
        fitted = f"{left[: match.start()]}{_cased(whole, match[1])} "
        # De le, à le are no French.
        return _CONTRACTED.sub(lambda pair: _ONE[pair[1].lower()], fitted)
    if match := _FULL.search(left):
        word = match[1].lower()
        fitted = _cased(_BEFORE_CONSONANTS[word], match[1])
        return left[: match.start()] + fitted + match[0][len(word) :]
    return left


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[:1].isupper() else word
