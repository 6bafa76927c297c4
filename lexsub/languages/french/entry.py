"""The entry of French, what part of speech a word is by its form and neighbours, and opposites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lexsub.datasets import Item
from lexsub.languages import Language, Lemmatiser
from lexsub.languages.dictionary import SimplemmaLemmas, listed_lemma, simplemma
from lexsub.languages.french import nominal, verbs
from lexsub.languages.french.nominal import PARTED, fit, has_elision
from lexsub.languages.french.verbs import is_verb
from lexsub.languages.word_lists import words
from lexsub.marked_sentences import Marked
from lexsub.resources import Resources

_FEMININE = frozenset(["la", "une", "cette", "ma", "ta", "sa", "quelle", "aucune", "toute"])
_MASCULINE = frozenset(["le", "un", "ce", "cet", "du", "au", "quel", "aucun", "tout"])
_PLURAL = words(
    "les des ces mes tes ses nos vos leurs aux quelques plusieurs deux trois quatre cinq dix cent"
)
_WORD = re.compile(r"[^\W\d_]+")
_REFLEXIVE = re.compile(r"(se |s['’])(\w.*)")
_LINKS = frozenset(["de", "du", "des", "à", "au", "aux", "en", "d'", "sur", "sous", "pour"])


@dataclass(frozen=True)
class FrenchLemmas(SimplemmaLemmas):
    """Simplemma's lemmas, corrected where the part of speech says that they cannot be meant."""

    code: str = "fr"

    def lemma(self, form: str, pos: str) -> str:
        """Return the lemma; of *marches* that of the noun or of the verb."""
        form = form.lower()
        found = super().lemma(form, pos)
        verbal = verbs.is_verb(found)
        if pos == "v" and not verbal:
            stem = re.sub("(?:e|es|ent|é|ée|és|ées|ant)$", "", form)
            return f"{stem}er" if listed_lemma(f"{stem}er", self.code) else found
        if pos in ("n", "a") and verbal and found != form:
            bases = (form[:-1], f"{form[:-3]}al", form[:-2], form)
            for base in bases:
                if listed_lemma(base, self.code) and form in nominal.forms(base).values():
                    return base
        if pos == "a" and found == form and form.endswith("e"):
            # Listed as a noun: claire, joyeuse.
            masculines = (form[:-1], f"{form[:-2]}x")
            return next((base for base in masculines if self._is_masculine(base, form)), form)
        return found

    def _is_masculine(self, base: str, form: str) -> bool:
        return listed_lemma(base, self.code) == base and nominal.feminine(base) == form


@dataclass(frozen=True)
class French(Language):
    """French: lemmas by simplemma's dictionary, forms by the rules of the grammar."""

    def lemmatiser(self, resources: Resources) -> FrenchLemmas:
        """Open simplemma's dictionary.

        Raises:
            MissingExtraError: it is not installed.
        """
        return FrenchLemmas()

    def word(self, marked: Marked, lemmatiser: Lemmatiser | None) -> Marked:
        """Leave out an elided word before it, as of *l'eau*."""
        elided = PARTED.match(marked.target)
        if elided is None or listed_lemma(marked.target.lower(), self.code):
            return marked
        return replace(marked, start=marked.start + elided.end())

    def parts_of_speech(self, marked: Marked, lemmatiser: Lemmatiser) -> Sequence[str]:
        """Return them by form and neighbours."""
        return parts_of_speech(marked, lemmatiser.lemma(marked.target, ""))

    def prepare(self) -> None:
        """Load the dictionary.

        Raises:
            MissingExtraError: it is not installed.
        """
        simplemma()

    def form_of(self, item: Item) -> str:
        """Return number, gender and number, or the name of a verb's form."""
        surface, lemma = item.target.lower(), item.lemma.lower()
        if item.pos == "v":
            return verbs.form_of(surface, lemma) if surface != lemma else ""
        if item.pos == "n":
            many = surface == nominal.plural(lemma) and (surface != lemma or _is_plural(item))
            return "mp" if many else ("" if surface == lemma else "another")
        if item.pos == "r":
            return ""
        found = [name for name, form in nominal.forms(lemma).items() if form == surface]
        if not found:
            return "another"
        if len({name[1] for name in found}) > 1:
            found = [name for name in found if (name[1] == "p") == _is_plural(item)]
        genders = {name[0] for name in found}
        gender = genders.pop() if len(genders) == 1 else _gender_beside(item)
        return f"{gender or '?'}{found[0][1]}"

    def inflect(self, substitute: str, pos: str, form: str) -> str | None:
        """Return the form; None where it is not known.

        Of a multiword the first word is inflected, of nouns only where a preposition follows it.
        """
        if form in ("", "ms"):
            return substitute
        if pos == "v" and (reflexive := _REFLEXIVE.match(substitute)):
            third = form.endswith(("3s", "3p"))
            found = self.inflect(reflexive[2], pos, form) if third else None
            return found and ("s'" if has_elision(found) else "se ") + found
        first, *rest = substitute.split(" ")
        # Of compounds (chef-d'œuvre, bleu-vert) either word may change.
        if form == "another" or pos == "r" or (rest and pos == "a") or "-" in first:
            return None
        if pos == "v":
            found = verbs.inflect(first, form)
        elif pos == "n":
            found = None if rest and rest[0] not in _LINKS else nominal.plural(first)
        else:
            forms = nominal.forms(first)
            gender, number = form[0], form[1]
            choices = {forms[one + number] for one in ("mf" if gender == "?" else gender)}
            found = choices.pop() if len(choices) == 1 else None
        return None if found is None else " ".join([found, *rest])

    def suits(self, substitute: str, form: str, item: Item, lemmatiser: Lemmatiser) -> bool:
        """Refuse the opposites of frequent words: thesauri list *vendre* under *acheter*."""
        return substitute.lower() not in OPPOSITES.get(item.lemma.lower(), ())

    def all_forms(self, substitute: str, pos: str) -> list[str]:
        """Return plurals, feminines, and the forms of verbs that are known."""
        names = {"n": ("mp",), "a": ("fs", "mp", "fp"), "v": tuple(verbs.TESTS)}.get(pos, ())
        found = (self.inflect(substitute, pos, name) for name in names)
        return list(dict.fromkeys([substitute, *filter(None, found)]))

    def fit(self, left: str, form: str) -> str:
        """Fit articles, *de*, *que* and the like to the sound of a form."""
        return fit(left, form, nominal.gender_of(form.lower()))

    @property
    def sounds(self) -> Sequence[str]:
        """A masculine and a feminine behind a consonant, and a vowel."""
        return ("chat", "maison", "eau")

    def sound(self, word: str) -> int:
        """Return which of them a word is like."""
        return 2 if has_elision(word) else int(nominal.gender_of(word) == "f")

    def fit_tokens(self, left: Sequence[str], form: str) -> list[str]:
        """Fit the last token; an apostrophe is a separate token."""
        text = " ".join(left)
        fitted = self.fit(f"{text} ", form)
        return list(left) if fitted.strip() == text else fitted.replace("'", " '").split()

    def split_elided(self, text: str) -> str:
        """Return text with a blank behind elided words: *l' eau*."""
        return PARTED.sub(r"\1\2 ", text)

    def spelling(self, word: str) -> str:
        """Return a word in lower case, œ and æ in two letters, ' for ’."""
        return word.lower().replace("’", "'").replace("œ", "oe").replace("æ", "ae")


def _before(item: Item) -> list[str]:
    return [word.lower() for word in _WORD.findall(item.text[: item.start])[-3:]]


def _is_plural(item: Item) -> bool:
    return any(word in _PLURAL or (len(word) > 4 and word.endswith("s")) for word in _before(item))


def _gender_beside(item: Item) -> str:
    """Return the gender of an adjective by the article or the noun near it; "" for neither."""
    before = _before(item)
    for word in reversed(before):
        if word in _FEMININE or word in _MASCULINE:
            return "f" if word in _FEMININE else "m"
    nouns = [word.removesuffix("x").removesuffix("s") for word in before[-1:]]
    following = _WORD.match(item.text[item.end :].lstrip())
    nouns += [following[0].lower().removesuffix("s")] if following else []
    return next((found for noun in nouns if (found := nominal.gender_of(noun))), "")


_DETERMINERS = words(
    "le la les l un une des du au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos "
    "votre vos leur leurs quelques plusieurs chaque aucun aucune quel quelle quels quelles deux "
    "trois quatre cinq six sept huit neuf dix cent mille d"
)
_SUBJECTS = words("je j tu il elle on nous vous ils elles qui ne n se s me m te t y")
_DEGREES = words("très si trop plus moins assez aussi bien peu fort tout toute tellement")
_COPULAS = words(
    "est sont était étaient fut furent sera seront serait être été semble semblait paraît "
    "paraissait reste restait devient devint demeure"
)
_BEFORE_NOUNS = words(
    "beau bon grand gros haut jeune joli long mauvais meilleur nouveau petit vieux vrai premier "
    "dernier autre ancien cher pauvre propre brave vaste bref second double"
)


def parts_of_speech(marked: Marked, lemma: str) -> list[str]:
    """Return the parts of speech a marked word may be, the likeliest first."""
    left = [
        word.lower() for word in _WORD.findall(re.split("[.;:!?]", marked.text[: marked.start])[-1])
    ]
    before = left[-1] if left else ""
    right = marked.text[marked.end :]
    followed = bool(re.match(r"\s+[^\W\d_]{3,}", right))
    form = marked.target.lower()
    verbal = is_verb(lemma) and (form != lemma or before in ("à", "pour", "de", "sans"))
    score = {"n": 1.0, "a": 0.5, "v": 0.0, "r": 0.0}
    score["v"] += 2.5 * verbal + 2.0 * (before in _SUBJECTS)
    score["r"] += 3.0 * (form.endswith("ment") and before not in _DETERMINERS)
    score["a"] += 2.5 * (before in _DEGREES) + 1.5 * (before in _COPULAS)
    if before in _DETERMINERS:
        score["n"] += 2.0
        score["v"] -= 2.0
        score["a"] += 3.0 * (lemma in _BEFORE_NOUNS and followed)
    elif len(before) > 2 and before not in _SUBJECTS | _DEGREES | _COPULAS:
        # A word of content before it: an adjective behind its noun.
        score["a"] += 1.0
    return sorted(score, key=lambda pos: -score[pos])


_PAIRS = """
acheter vendre, acheter revendre, prêter emprunter, donner recevoir, donner prendre
offrir refuser, accepter refuser, entrer sortir, monter descendre, ouvrir fermer, commencer finir
commencer terminer, aimer détester, aimer haïr, gagner perdre, naître mourir, arriver partir
venir partir, aller venir, augmenter diminuer, augmenter baisser, monter baisser, lever baisser
allumer éteindre, rire pleurer, construire détruire, attaquer défendre, avancer reculer
accélérer ralentir, autoriser interdire, permettre interdire, permettre défendre, réussir échouer
oublier rappeler, trouver perdre, vider remplir, attacher détacher, remplir vider, louer blâmer
vivre mourir, demander répondre, pousser tirer, apparaître disparaître, approcher éloigner
ajouter retirer, ajouter enlever, mettre enlever, bon mauvais, bon méchant, beau laid
grand petit, gros petit, gros mince, gros maigre, haut bas, long court, large étroit, lourd léger
fort faible, riche pauvre, jeune vieux, nouveau ancien, nouveau vieux, chaud froid, plein vide
vrai faux, facile difficile, rapide lent, clair sombre, clair obscur, clair foncé
heureux malheureux, content mécontent, gai triste, joyeux triste, dur mou, dur tendre, doux dur
sec humide, sec mouillé, propre sale, ouvert fermé, premier dernier, public privé, juste injuste
possible impossible, utile inutile, capable incapable, profond superficiel, vente achat
vendeur acheteur, début fin, commencement fin, entrée sortie, jour nuit
guerre paix, amour haine, ami ennemi, victoire défaite, succès échec, gain perte, vie mort
hausse baisse, force faiblesse, richesse pauvreté, jeunesse vieillesse, bien mal, vérité mensonge
plus moins, toujours jamais, souvent rarement, beaucoup peu, tôt tard, dedans dehors, avant après
dessus dessous, vite lentement, ensemble séparément
"""


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.replace("\n", ",").split(","):
        one, _, other = pair.strip().partition(" ")
        if other:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES = _opposites()
"""Lemmas that say the opposite of a lemma, by lemma."""


FRENCH = French("fr", "French", "wordfreq")
