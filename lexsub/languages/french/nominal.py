"""Plurals of nouns, genders and plurals of adjectives.

The rules are those of school grammars; where an ending leaves a choice (*-al*, *-teur*, *-et*) the
form is taken that the dictionary lists under the lemma, and the usual one where it lists none.
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
