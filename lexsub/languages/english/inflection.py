"""Put a candidate into the form in which the target stands."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from lexsub.datasets import Item
from lexsub.languages.english import context
from lexsub.languages.english.forms import MARKED, Table, bases, read_forms, regular, vowel_groups
from lexsub.languages.english.lemminflect_adapter import is_installed, lemminflect
from lexsub.languages.word_lists import forms_by_tag, pairs, words

_BASE = {"n": "NN", "v": "VB", "a": "JJ", "r": "RB"}
_UNIVERSAL = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}

_MANY = words("two three four five six seven eight nine ten many several few both these those")
_PREPOSITIONS = frozenset(["of", "in", "on", "at", "by", "for", "with", "to", "from"])
# Of two words, one for a doer and a particle: passer-by, hanger-on, but sit-in and lay-by.
_PARTICLES = frozenset(["by", "on", "up", "in", "out"])
_NO_MEN = frozenset(["german", "norman", "roman", "ottoman", "brahman", "walkman", "pullman"])

# Where LemmInflect's first form is not the one that the British National Corpus has most often.
_USUAL = forms_by_tag(
    {
        "VBN": "lie lain, get got, light lit, wake woken, swell swollen, spit spat",
        "VBD": "weave wove, smell smelt, spell spelt",
        "NNS": "person people, index indices, formula formulae, curriculum curricula, spectrum "
        "spectra, bureau bureaux, memorandum memoranda, consortium consortia, minimum minima, "
        "maximum maxima",
    }
)
# Heads of compounds that LemmInflect does not list, as Englishman.
_HEADS = pairs(
    "woman women, man men, child children, foot feet, tooth teeth, goose geese, mouse mice, wife "
    "wives, knife knives, life lives, leaf leaves, half halves, shelf shelves, thief thieves, "
    "wolf wolves, loaf loaves"
)


def tag_of(item: Item) -> str:
    """Return the Penn tag of the target's form, as far as form and context tell.

    Past tense and past participle are told apart by an auxiliary among the three words
    before; where they look like the base form (*put*, *come*), by that, the subject and the time.
    The tag that a tagger has told stands.
    """
    if item.tag:
        return item.tag
    base = _BASE[item.pos]
    surface, lemma = item.target.lower(), item.lemma.lower()
    if surface == lemma:
        return _same_as_base(item) or base
    words, lemma_words = surface.split(), lemma.split()
    if words and len(words) == len(lemma_words):
        place = _head(lemma_words, item.pos)
        surface, lemma = words[place], lemma_words[place]
    tags = [tag for tag in MARKED[item.pos] if surface in _forms(lemma, tag)]
    if not tags:
        tags = _by_ending(surface, lemma, item.pos)
    if "VBD" in tags and "VBN" in tags:
        before = [token.lower() for token in item.left[-3:]]
        return "VBN" if context.AUXILIARIES.intersection(before) or before[-1:] == ["by"] else "VBD"
    return tags[0] if tags else base


def likeliest_tag(item: Item, tags: Mapping[str, float]) -> str:
    """Return the likeliest of the tags that a target's form can have, "" where it has none.

    Args:
        item: the target, one word.
        tags: the logarithm of the probability of each tag.
    """
    surface, lemma = item.target.lower(), item.lemma.lower()
    base = ["VB", "VBP"] if item.pos == "v" else [_BASE[item.pos]]
    if surface == lemma and item.pos in "ar":
        return base[0]  # later is a word of its own; its substitutes are not compared
    possible = base if surface == lemma else []
    possible += [tag for tag in MARKED[item.pos] if surface in _forms(lemma, tag)]
    if not possible:
        possible = _by_ending(surface, lemma, item.pos)
    return max(possible, key=lambda tag: tags.get(tag, -math.inf), default="")


def _same_as_base(item: Item) -> str:
    """Return the tag of a form that looks like the base and, by its context, is another one."""
    head = item.lemma.lower().split(" ")[_head(item.lemma.split(" "), item.pos)]
    if item.pos == "n":
        many = {word.lower() for word in item.left[-2:]} & _MANY
        return "NNS" if many and head in _forms(head, "NNS") else ""
    if item.pos != "v":
        return ""
    if head in _forms(head, "VBN") and context.is_participle(item.left):
        return "VBN"
    return "VBD" if head in _forms(head, "VBD") and context.is_past(item.left, item.right) else ""


def form_of(item: Item) -> str:
    """Return the target's tag and, for a finite verb, the number and person of its subject.

    They stand behind a stroke, as in ``VBD/plural``, and matter for *be* alone.
    """
    tag, target = tag_of(item), item.target.lower()
    if tag == "VBD":
        own = {"was": "singular", "were": "plural"}.get(target)
        return f"VBD/{own or context.number_of_subject(item.left)}"
    if tag not in ("VB", "VBP"):
        return tag
    if target in ("am", "are"):
        return "VBP/first" if target == "am" else "VBP/plural"
    if item.tag == "VB" or not (item.tag or context.is_finite(item.left)):
        return tag
    return "VBP/first" if context.number_of_subject(item.left) == "first" else "VBP/plural"


def inflect(substitute: str, pos: str, form: str) -> str:
    """Return a substitute in the form that a tag names; see :func:`form_of`.

    Of a multiword, verbs inflect the first word and nouns the last, or the one before a
    preposition (*points of view*).  Long adjectives and adverbs are compared with *more* and
    *most*.  What has no such form stays as it is.
    """
    tag, _, subject = form.partition("/")
    if tag == _BASE[pos]:
        return substitute
    words = substitute.split(" ")
    place = _head(words, pos)
    if pos in "ar" and (len(words) > 1 or not _is_gradable(words[0], pos)):
        return f"{'more' if tag.endswith('R') else 'most'} {substitute}"
    if words[place] == "be" and (tag, subject) in _BE:
        forms: tuple[str, ...] = (_BE[tag, subject],)
    else:
        forms = () if tag == "VBP" else _forms(words[place], tag)
    if forms:
        words[place] = forms[0]
    return " ".join(words)


# What a reader is shown in place of LemmInflect's first form: of the full verbs can and will it
# knows the modals' past alone, and it mixes up forgo (do without) and forego (go before).  Kept
# out of inflect, whose forms the learned models were trained on.
_SHOWN = forms_by_tag(
    {
        "VBD": "can canned, will willed, forgo forwent",
        "VBN": "can canned, will willed, forego foregone",
        "VBG": "forgo forgoing",
        "VBZ": "forego foregoes",
        "NNS": "offspring offspring",
    }
)


def inflect_for_reader(substitute: str, pos: str, form: str) -> str:
    """Do as :func:`inflect`, with the form that a reader expects."""
    if (
        pos in "ar"
        and form[2:3] in ("R", "S")
        and ((substitute.endswith(("ing", "ed")) and substitute != "red") or "-" in substitute)
    ):
        return f"{'more' if form[2] == 'R' else 'most'} {substitute}"  # no tryinger
    usual = _SHOWN.get((substitute, form.partition("/")[0]))
    return inflect(substitute, pos, form) if usual is None else usual


_BE = {
    ("VBP", "first"): "am",
    ("VBP", "plural"): "are",
    ("VBD", "first"): "was",
    ("VBD", "singular"): "was",
    ("VBD", "plural"): "were",
}


def all_forms(substitute: str, pos: str) -> list[str]:
    """Return a substitute in every form it can have as a part of speech, its base first."""
    forms = [substitute]
    for tag in MARKED[pos]:
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
    if len(words) == 2 and words[1] in _PARTICLES:
        return 0 if words[0].endswith(("er", "or")) else 1
    return next(
        (i - 1 for i, w in enumerate(words[:-1]) if i and w in _PREPOSITIONS), len(words) - 1
    )


def _is_gradable(word: str, pos: str) -> bool:
    if pos == "r" and word.endswith("ly"):
        return word == "early"
    # Lemminflect has a form in -er for anything; English has it for one syllable, and for
    # two where the word ends in -y, -le, -er or -ow.
    groups = vowel_groups(word)
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


@lru_cache(maxsize=1 << 13)
def _forms(lemma: str, tag: str) -> tuple[str, ...]:
    """Return the forms of a word, the most usual first, with the capitals of the word."""
    if tag == "NNS" and len(lemma) > 1 and lemma.isupper():
        return (f"{lemma}s",)
    small = lemma.lower()
    if lemma != small:
        return tuple(_like(lemma, small, form) for form in _forms(small, tag))
    pieces = lemma.split("-")
    place = _head(pieces, "n") if tag == "NNS" else len(pieces) - 1
    if place < len(pieces) - 1:
        heads = _forms(pieces[place], tag)
        return tuple("-".join([*pieces[:place], form, *pieces[place + 1 :]]) for form in heads)
    if lacking():
        return _TABLE[0].get((lemma, tag)) or (regular(lemma, tag),)
    known = _listed(lemma, tag)
    if not known and tag == "NNS":
        for one, many in _HEADS.items():
            if lemma.endswith(one) and len(lemma) > len(one) + 1 and lemma not in _NO_MEN:
                return (lemma.removesuffix(one) + many,)
    known = known or lemminflect().getInflection(lemma, tag)
    usual = _USUAL.get((lemma, tag))
    return tuple(dict.fromkeys((usual, *known))) if usual else known


@lru_cache(maxsize=1)
def _is_listed(lemma: str) -> bool:
    return bool(lemminflect().getAllInflections(lemma))


@lru_cache(maxsize=1)
def _listed(lemma: str, tag: str) -> tuple[str, ...]:
    """Return the forms that LemmInflect lists."""
    found: tuple[str, ...] = lemminflect().getInflection(lemma, tag, inflect_oov=False)
    return found


def _like(lemma: str, small: str, form: str) -> str:
    """Return the form of a word in small letters with the capitals of the word."""
    shared = next(
        (i for i, (a, b) in enumerate(zip(small, form, strict=False)) if a != b),
        min(len(small), len(form)),
    )
    return lemma[:shared] + form[shared:] if shared else form.capitalize()


@lru_cache(maxsize=1 << 13)
def lemmas(word: str, pos: str) -> tuple[str, ...]:
    """Return the possible lemmas of a word as a part of speech."""
    if lacking():
        return bases(word, pos, _TABLE[0])
    found: tuple[str, ...] = lemminflect().getLemma(word, _UNIVERSAL[pos])
    return found


_TABLE: list[Table] = []
"""The forms that a model has brought along, for where LemmInflect is not installed."""


def provide_forms(path: Path) -> None:
    """Take a model's table of forms, for where LemmInflect is not installed.

    Raises:
        FormatError: it is none.
    """
    if is_installed():
        return
    table = read_forms(path)
    if [table] != _TABLE:
        _TABLE[:] = [table]
        _forms.cache_clear()
        lemmas.cache_clear()


def lacking() -> bool:
    """Return True if a model's table of forms stands in for LemmInflect."""
    return bool(_TABLE) and not is_installed()


def known_forms(lemma: str, tag: str, *, guess: bool) -> tuple[str, ...]:
    """Return the forms of a word for a table; none of one that LemmInflect does not have.

    Args:
        lemma: the word.
        tag: the form's tag.
        guess: whether to take LemmInflect's guess for such a word.

    Raises:
        MissingExtraError: LemmInflect is not installed.
    """
    # All tags of a word are asked for, one after the other: the first look-up serves them all.
    if not guess and not (_is_listed(lemma) and _listed(lemma, tag)):
        return ()
    return _forms(lemma, tag)
