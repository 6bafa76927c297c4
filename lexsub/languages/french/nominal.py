"""Nouns and adjectives: plurals, genders, and what stands before them, fitted to their sound.

The rules are those of school grammars; where an ending leaves a choice (*-al*, *-teur*, *-et*) the
form is taken that the dictionary lists under the lemma, and the usual one where it lists none.
Fitted to a word's sound are *l'*, *d'*, *qu'*, *cet*, *mon amie*, *bel*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lexsub.languages.dictionary import listed_lemma
from lexsub.languages.word_lists import pairs, words

CODE = "fr"

_PLURALS = pairs(
    "œil yeux, oeil yeux, ciel cieux, aïeul aïeux, monsieur messieurs, madame mesdames, "
    "mademoiselle mesdemoiselles, bonhomme bonshommes, gentilhomme gentilshommes, bijou bijoux, "
    "caillou cailloux, chou choux, genou genoux, hibou hiboux, joujou joujoux, pou poux, bail "
    "baux, corail coraux, émail émaux, soupirail soupiraux, travail travaux, vantail vantaux, "
    "vitrail vitraux, bleu bleus, pneu pneus, émeu émeus, landau landaus, sarrau sarraus, bal "
    "bals, carnaval carnavals, chacal chacals, festival festivals, récital récitals, régal "
    "régals, cérémonial cérémonials, naval navals, natal natals, fatal fatals, banal banals, "
    "bancal bancals, étal étals, narval narvals, pal pals, aval avals, mistral mistrals"
)

_FEMININES = pairs(
    "beau belle, nouveau nouvelle, jumeau jumelle, fou folle, mou molle, vieux vieille, doux "
    "douce, faux fausse, roux rousse, blanc blanche, franc franche, sec sèche, frais fraîche, "
    "grec grecque, long longue, oblong oblongue, favori favorite, rigolo rigolote, coi coite, "
    "bénin bénigne, malin maligne, gentil gentille, épais épaisse, gros grosse, gras grasse, bas "
    "basse, las lasse, métis métisse, exprès expresse, profès professe, tiers tierce, bref brève, "
    "aigu aiguë, ambigu ambiguë, contigu contiguë, exigu exiguë, andalou andalouse, sot sotte, "
    "pâlot pâlotte, vieillot vieillotte, boulot boulotte, paysan paysanne, dissous dissoute, "
    "absous absoute, vengeur vengeresse, enchanteur enchanteresse, pécheur pécheresse, meilleur "
    "meilleure, majeur majeure, mineur mineure, complet complète, incomplet incomplète, concret "
    "concrète, désuet désuète, discret discrète, indiscret indiscrète, inquiet inquiète, replet "
    "replète, secret secrète, chic chic, marron marron, snob snob, kaki kaki, super super, "
    "bordeaux bordeaux, châtain châtain"
)

# Endings of nouns that tell the gender; the longer ones come first.
_GENDERS = (
    (
        "f",
        r"(?:[st]ion|xion|té|tié|ette|elle|ence|ance|ure|ude|ise|aison|esse|ille|trice|euse|ée"
        r"|ie|ière|oire|ade|rre|ue|eau(?<=\beau)|eau(?<=peau))",
    ),
    ("m", r"(?:age|ment|eau|isme|oir|eur|teau|al|ail|et|ier|in|on|ard|as|is|us|ot|ou|an|ain)"),
)
_MASCULINE = frozenset(["lycée", "musée", "génie", "incendie", "côté", "été", "foie", "murmure"])
_FEMININE = words(
    "main fin faim image page plage cage rage nage maison saison raison façon leçon chanson "
    "boisson fleur peur couleur douleur chaleur odeur valeur saveur lueur vapeur sueur humeur "
    "erreur fois forêt eau peau nuit mer voix vie rue route ville robe femme fille mère sœur "
    "chose tête porte terre table place langue"
)


def plural(word: str) -> str:
    """Return the plural of a noun, or of an adjective in either gender."""
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith(("au", "eu", "œu")):
        return f"{word}x"
    if word.endswith(("al", "ail")):
        aux = f"{word.removesuffix('l').removesuffix('i')}ux"
        usual = (aux, f"{word}s") if word.endswith("al") else (f"{word}s", aux)
        return _listed(word, usual)
    return f"{word}s"


def feminine(word: str) -> str:
    """Return the feminine of an adjective."""
    if word.endswith("e"):
        return word
    return _FEMININES[word] if word in _FEMININES else _listed(word, list(_feminines(word)))


def _feminines(word: str) -> Iterator[str]:
    """Yield the feminines that an ending may have, the usual one first."""
    if word.endswith("ieur"):
        yield f"{word}e"
    if word.endswith("teur"):
        yield f"{word[:-3]}rice"
    if word.endswith(("eur", "eux", "oux")):
        yield f"{word[:-1]}se"
    elif word.endswith("er"):
        yield f"{word[:-2]}ère"
    elif word.endswith("f"):
        yield f"{word[:-1]}ve"
    elif word.endswith("c"):
        yield from (f"{word[:-1]}que", f"{word}he")
    elif word.endswith("g"):
        yield f"{word}ue"
    elif word.endswith("eau"):
        yield f"{word[:-2]}lle"
    elif word.endswith(("el", "eil", "ul", "en", "on", "et")):
        yield f"{word}{word[-1]}e"
    yield f"{word}e"
    if word.endswith(("s", "t", "n", "l")):
        yield f"{word}{word[-1]}e"


def forms(lemma: str) -> dict[str, str]:
    """Return the forms of an adjective: ms, fs, mp and fp."""
    other = feminine(lemma)
    return {"ms": lemma, "fs": other, "mp": plural(lemma), "fp": plural(other)}


def gender_of(noun: str) -> str:
    """Return m or f where a noun's ending tells, else ""."""
    if noun in _FEMININE or noun in _MASCULINE:
        return "f" if noun in _FEMININE else "m"
    return next((gender for gender, end in _GENDERS if re.search(f"{end}$", noun)), "")


def _listed(lemma: str, choices: Iterable[str]) -> str:
    """Return the first of some forms that the dictionary lists under the lemma, else the first."""
    usual, *_ = found = list(choices)
    return next((form for form in found if listed_lemma(form, CODE) == lemma), usual)


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
