"""German: lemmas and known forms by simplemma's dictionary, adjectives by the rules of the grammar.

Adjectives take the target's ending; plurals (with their umlaut) and comparatives are those that the
dictionary lists, cases those that follow from them.  Of verbs only weak forms are made, and only
where the dictionary lists them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexsub.datasets import Item
from lexsub.languages import Language, Lemmatiser
from lexsub.languages.dictionary import SimplemmaLemmas, listed_lemma, simplemma
from lexsub.marked_sentences import Marked
from lexsub.resources import Resources

CODE = "de"
_UMLAUT = str.maketrans({"a": "ä", "o": "ö", "u": "ü", "A": "Ä", "O": "Ö", "U": "Ü"})
_ENDINGS = ("", "e", "en", "em", "er", "es")
_WEAK = {
    "present 1s": "e",
    "present 2s": "st",
    "present 3s": "t",
    "past 3s": "te",
    "past 2s": "test",
    "past 3p": "ten",
    "past 2p": "tet",
}
_MANY = frozenset(["die", "diese", "viele", "alle", "keine", "einige", "zwei", "drei"])
_WORD = re.compile(r"[^\W\d_]+")
_SUBJECTS = frozenset(["ich", "du", "er", "sie", "es", "wir", "ihr", "man", "wer", "nicht", "zu"])
_DEGREES = frozenset(["sehr", "zu", "so", "ganz", "recht", "besonders", "ziemlich", "zu", "wie"])


@dataclass(frozen=True)
class GermanLemmas(SimplemmaLemmas):
    """Simplemma's lemmas; nouns have capitals, all else has none."""

    code: str = CODE

    def lemma(self, form: str, pos: str) -> str:
        """Return the lemma of a form as a word of that part of speech."""
        if pos:
            form = form[:1].upper() + form[1:] if pos == "n" else form.lower()
        return super().lemma(form, pos)


@dataclass(frozen=True)
class German(Language):
    """German: lemmas and forms by simplemma's dictionary, adjectives by rule."""

    def lemmatiser(self, resources: Resources) -> GermanLemmas:
        """Open simplemma's dictionary.

        Raises:
            MissingExtraError: it is not installed.
        """
        return GermanLemmas()

    def parts_of_speech(self, marked: Marked, lemmatiser: Lemmatiser) -> Sequence[str]:
        """Return them by capitals, lemma and neighbours."""
        words = [word.lower() for word in _WORD.findall(marked.text[: marked.start])]
        before = words[-1] if words else ""
        capital = marked.target[:1].isupper() and bool(words)
        verbal = re.search("(?:en|eln|ern|tun|sein)$", lemmatiser.lemma(marked.target, "v"))
        following = re.match(r"\s+([A-ZÄÖÜ])", marked.text[marked.end :])
        score = {"n": 3.0 * capital, "v": 0.2, "a": 0.3, "r": 0.1}
        score["v"] += 1.0 * bool(verbal) + 1.0 * (before in _SUBJECTS)
        score["a"] += 2.0 * bool(following) + 2.0 * (before in _DEGREES)
        return sorted(score, key=lambda pos: -score[pos])

    def prepare(self) -> None:
        """Load the dictionary.

        Raises:
            MissingExtraError: it is not installed.
        """
        simplemma()

    def form_of(self, item: Item) -> str:
        """Return the name of a noun's or verb's form, or an adjective's degree and ending."""
        surface, lemma = item.target, item.lemma
        if item.pos == "n":
            return _noun_form(surface[:1].upper() + surface[1:], _capital(lemma), item)
        surface, lemma = surface.lower(), lemma.lower()
        if surface == lemma or item.pos == "r":
            return ""
        if item.pos == "v":
            weak = ("participle", *_WEAK)
            return next((name for name in weak if _verb(lemma, name) == surface), "another")
        names = [f"{degree} {end}" for degree in _DEGREE for end in _ENDINGS]
        return next((name for name in names if _adjective(lemma, name) == surface), "another")

    def inflect(self, substitute: str, pos: str, form: str) -> str | None:
        """Return the form; None where it is not known.  Of several words none is inflected."""
        lemma = _capital(substitute) if pos == "n" else substitute
        if form == "":
            return lemma
        if form == "another" or " " in lemma:
            return None
        if pos == "n":
            return _noun(lemma, form)
        return _verb(lemma, form) if pos == "v" else _adjective(lemma, form)

    def all_forms(self, substitute: str, pos: str) -> list[str]:
        """Return the forms that are known."""
        names = {
            "n": ("plural", "dative plural", "genitive"),
            "v": ("participle", *_WEAK),
            "a": tuple(f"{degree} {end}" for degree in _DEGREE for end in _ENDINGS),
        }.get(pos, ())
        found = (self.inflect(substitute, pos, name) for name in names)
        return list(dict.fromkeys([substitute, *filter(None, found)]))

    def spelling(self, word: str) -> str:
        """Return a word in lower case, ss for ß."""
        return word.lower().replace("ß", "ss")


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _is_form(form: str, lemma: str) -> bool:
    return listed_lemma(form, CODE) == lemma


def _noun_form(surface: str, lemma: str, item: Item) -> str:
    plural = _noun(lemma, "plural")
    before = [word.lower() for word in _WORD.findall(item.text[: item.start])[-2:]]
    genitive = bool({"des", "eines", "meines", "seines", "ihres", "dieses"}.intersection(before))
    if surface == _noun(lemma, "genitive") and (genitive or surface != plural) and surface != lemma:
        return "genitive"
    if surface == plural and (surface != lemma or not _MANY.isdisjoint(before[-1:])):
        return "plural"
    if surface == lemma:
        return ""
    return "dative plural" if surface == _noun(lemma, "dative plural") else "another"


def _noun(lemma: str, form: str) -> str | None:
    """Return a noun's plural, its dative plural or its genitive, where the dictionary has it."""
    masculine = any(_is_form(lemma + end, lemma) for end in ("s", "es", "ses"))
    masculine = masculine and not re.search("(?:ung|heit|keit|schaft|ion|tät|in)$", lemma)
    if form == "genitive":
        ends = ("es", "s", "ses")
        found = (lemma + end for end in ends if masculine and _is_form(lemma + end, lemma))
        return next(found, None if masculine else lemma)
    plural = _plural(lemma, masculine)
    if plural is None or form == "plural" or plural.endswith(("n", "s")):
        return plural
    return f"{plural}n"


def _plural(lemma: str, masculine: bool) -> str | None:
    # The last vowel that can have an umlaut has it: Häuser, Mütter, Gärten.
    changed = re.sub("([aou])(?=[^aou]*$)", lambda vowel: vowel[0].translate(_UMLAUT), lemma)
    changed = re.sub("aü", "äu", changed)
    if changed != lemma:
        for end in ("er", "e", ""):
            if _is_form(f"{changed}{end}", lemma):
                return f"{changed}{end}"
    if masculine and re.search("(?:er|el|en|chen|lein)$|^Ge.*e$", lemma):
        return lemma
    # The old dative Hause has no Hausen beside it; Autos is also the genitive, Baus that alone.
    short: tuple[str, ...] = () if _is_form(f"{lemma}es", lemma) else ("s",)
    for end in ("e", "er", "en", "n", "nen", "se", *short):
        plural = lemma + end
        if _is_form(plural, lemma) and (end[-1] in "ns" or _is_form(f"{plural}n", lemma)):
            return plural
    return None


_DEGREE = ("positive", "comparative", "superlative")


def _adjective(lemma: str, form: str) -> str | None:
    degree, _, end = form.partition(" ")
    if degree == "positive":
        return _stem(lemma) + end if end else lemma
    if degree == "superlative" and not end:
        return None
    mark = "er" if degree == "comparative" else "st"
    for base in (lemma.translate(_UMLAUT), lemma, _stem(lemma)):
        for middle in (mark, f"e{mark}"):
            # The dictionary has them with an ending: größere, größte.
            if _is_form(f"{base}{middle}e", lemma):
                return base + middle + end
    return None


def _stem(lemma: str) -> str:
    """Return an adjective as it stands before endings: dunkl-, teur-, hoh-, müd-."""
    if lemma == "hoch":
        return "hoh"
    if re.search("[^aeiouäöü]el$|[aeä]uer$", lemma):
        return lemma[:-2] + lemma[-1]
    return lemma.removesuffix("e")


def _verb(lemma: str, form: str) -> str | None:
    """Return a weak form that the dictionary lists, None for any other."""
    stem = lemma.removesuffix("n") if re.search("[elr]n$", lemma) else ""
    stem = stem.removesuffix("e")
    if not stem:
        return None
    # Only of weak verbs: geht, lauft look like forms of them.
    joint = "e" if re.search("[td]$|[^lrhmn]m$|[^lrhn]n$", stem) else ""
    if not _is_form(f"{stem}{joint}te", lemma):
        return None
    if form == "participle":
        without = re.match("(?:be|ent|er|ge|ver|zer|miss)[a-zäöü]{3}|.*ier$", stem)
        made = f"{'' if without else 'ge'}{stem}{joint}t"
    else:
        ending = _WEAK[form]
        made = stem + (joint if ending[0] in "st" else "") + ending
    return made if _is_form(made, lemma) else None


GERMAN = German(CODE, "German", "wordfreq")
