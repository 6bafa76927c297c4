"""Put a candidate into the form in which the target stands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from lexsub.items import Item
from rankers.lemminflect_adapter import lemminflect

_BASE = {"n": "NN", "v": "VB", "a": "JJ", "r": "RB"}
_MARKED = {
    "n": ("NNS",),
    "v": ("VBG", "VBZ", "VBD", "VBN"),
    "a": ("JJR", "JJS"),
    "r": ("RBR", "RBS"),
}
_UNIVERSAL = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}

# Words before a participle: forms of have and be (and get), also through an adverb or two.
_AUXILIARIES = frozenset(
    ["have", "has", "had", "having", "'ve", "'s", "'d", "be", "is", "are", "was", "were", "been",
     "being", "'m", "'re", "am", "get", "gets", "got", "getting", "gotten"]
)  # fmt: skip
_PREPOSITIONS = frozenset(["of", "in", "on", "at", "by", "for", "with", "to", "from"])
_VOWELS = "aeiou"


def tag_of(item: Item) -> str:
    """Return the Penn tag of the target's form, as far as form and context tell.

    Past tense and past participle are told apart by an auxiliary among the three words
    before; the base form stands for every form that looks like it.
    """
    base = _BASE[item.pos]
    surface, lemma = item.target.lower(), item.lemma.lower()
    if surface == lemma:
        return base
    tags = [tag for tag in _MARKED[item.pos] if surface in _forms(lemma, tag)]
    if not tags:
        tags = _by_ending(surface, lemma, item.pos)
    if "VBD" in tags and "VBN" in tags:
        before = [token.lower() for token in item.left[-3:]]
        return "VBN" if _AUXILIARIES.intersection(before) or before[-1:] == ["by"] else "VBD"
    return tags[0] if tags else base


def inflect(substitute: str, pos: str, tag: str) -> str:
    """Return a substitute in the form that a tag names.

    Of a multiword, verbs inflect the first word and nouns the last, or the one before a
    preposition (*points of view*).  Long adjectives and adverbs are compared with *more* and
    *most*.  What has no such form stays as it is.
    """
    if tag == _BASE[pos]:
        return substitute
    words = substitute.split(" ")
    place = _head(words, pos)
    if pos in "ar" and (len(words) > 1 or not _is_gradable(words[0], pos)):
        return f"{'more' if tag.endswith('R') else 'most'} {substitute}"
    forms = _forms(words[place], tag)
    if forms:
        words[place] = forms[0]
    return " ".join(words)


def all_forms(substitute: str, pos: str) -> list[str]:
    """Return a substitute in every form it can have as a part of speech, its base first."""
    forms = [substitute]
    for tag in _MARKED[pos]:
        if pos in "ar" and (" " in substitute or not _is_gradable(substitute, pos)):
            continue
        words = substitute.split(" ")
        place = _head(words, pos)
        forms += (
            " ".join([*words[:place], form, *words[place + 1 :]])
            for form in _forms(words[place], tag)
        )
    return list(dict.fromkeys(forms))


def _head(words: Sequence[str], pos: str) -> int:
    if pos != "n":
        return 0
    return next((i - 1 for i, w in enumerate(words) if i and w in _PREPOSITIONS), len(words) - 1)


def article_before(article: str, following: str) -> str:
    """Return ``a`` or ``an`` as the first letter of the next word asks; keeps the case."""
    fixed = "an" if following[:1].lower() in _VOWELS else "a"
    return fixed.capitalize() if article[:1].isupper() else fixed


def fix_article(left: Sequence[str], following: str) -> list[str]:
    """Return the tokens before the slot with a final a or an fitted to what follows."""
    tokens = list(left)
    if tokens and tokens[-1].lower() in ("a", "an"):
        tokens[-1] = article_before(tokens[-1], following)
    return tokens


def _is_gradable(word: str, pos: str) -> bool:
    if pos == "r" and word.endswith("ly"):
        return word == "early"
    # Lemminflect has a form in -er for anything; English has it for one syllable, and for
    # two where the word ends in -y, -le, -er or -ow.
    groups = sum(
        a in _VOWELS + "y" and (i == 0 or word[i - 1] not in _VOWELS + "y")
        for i, a in enumerate(word)
    )
    syllables = groups - (word.endswith("e") and not word.endswith("le") and groups > 1)
    return syllables < 2 or (syllables == 2 and word.endswith(("y", "le", "er", "ow")))


def _by_ending(surface: str, lemma: str, pos: str) -> list[str]:
    # Spelling variants (travelled, analyse) that the inflection table lacks.
    if surface[:2] != lemma[:2]:
        return []
    if pos == "n":
        return ["NNS"] if surface.endswith("s") else []
    if pos == "v":
        if surface.endswith("ing"):
            return ["VBG"]
        if surface.endswith(("ed", "t", "en")):
            return ["VBD", "VBN"]
        return ["VBZ"] if surface.endswith("s") else []
    ends = {"er": "R", "est": "S"}
    return [_BASE[pos] + mark for end, mark in ends.items() if surface.endswith(end)]


@lru_cache(maxsize=65536)
def _forms(lemma: str, tag: str) -> tuple[str, ...]:
    forms: tuple[str, ...] = lemminflect().getInflection(lemma, tag)
    return forms


@lru_cache(maxsize=65536)
def lemmas(word: str, pos: str) -> tuple[str, ...]:
    """Return the possible lemmas of a word as a part of speech."""
    found: tuple[str, ...] = lemminflect().getLemma(word, _UNIVERSAL[pos])
    return found
