"""The entry of English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lexsub.datasets import PARTS_OF_SPEECH, Item, Lexelt
from lexsub.errors import needing
from lexsub.languages import Language, Lemmatiser, Tagger
from lexsub.languages.english import context, inflection
from lexsub.languages.english import phrases as phrasal
from lexsub.languages.english.guessing import MODALS, guess_lexelt, helps
from lexsub.languages.english.lemminflect_adapter import make_lazy
from lexsub.languages.english.suiting import FUNCTION_WORD, NAME, left_alone, no_target, suits
from lexsub.marked_sentences import Marked
from lexsub.resources import Resources
from lexsub.wordnet import WordNet, index_form, open_wordnet

_UNCOMPARED = frozenset(["former", "future", "latter", "next", "other", "own", "past", "same"])
_UNIVERSAL = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}


@dataclass(frozen=True)
class WordNetLemmas:
    """Lemmas as NLTK's ``WordNetLemmatizer`` gives them: the first of the shortest base forms.

    Attributes:
        wordnet: the database.
        tagger: tells parts of speech where a model has one; else rules do.
    """

    wordnet: WordNet
    tagger: Tagger | None = None

    @property
    def name(self) -> str:
        """WordNet with its version."""
        return f"wordnet-{self.wordnet.version}"

    def lemma(self, form: str, pos: str) -> str:
        """Return the shortest base form of a single word that WordNet knows."""
        # NLTK's dictionary has underscores in multiwords, so those with blanks stay as they are.
        found = () if " " in form else self.wordnet.base_forms(form, pos or "n")
        return min(found, key=len) if found else form


def _opened(lemmatiser: Lemmatiser) -> WordNetLemmas:
    """Return a lemmatiser as the one that English itself opens."""
    assert isinstance(lemmatiser, WordNetLemmas)
    return lemmatiser


@dataclass(frozen=True)
class English(Language):
    """English: lemmas by WordNet, forms by LemmInflect."""

    def lemmatiser(self, resources: Resources) -> WordNetLemmas:
        """Open WordNet.

        Raises:
            MissingResourceError: it is not on this machine.
        """
        return WordNetLemmas(open_wordnet(resources))

    def lemmas(self, form: str) -> Mapping[str, Sequence[str]]:
        """Return LemmInflect's.

        Raises:
            MissingExtraError: it is not installed.
        """
        with needing("lemminflect", "thesaurus", "lemmas for window contexts"):
            from lemminflect import getAllLemmas
        found = getAllLemmas(form)
        return {_UNIVERSAL[name]: found[name] for name in found if name in _UNIVERSAL}

    def word(self, marked: Marked, lemmatiser: Lemmatiser | None) -> Marked:
        """Leave out the ending of a possessive, as of *dog's* and *dogs'*."""
        ending = context.possessive_ending(marked.target)
        if not ending:
            return marked
        if lemmatiser is not None and _opened(lemmatiser).wordnet.knows(marked.target):
            return marked  # Alzheimer's
        return replace(marked, end=marked.end - len(ending))

    def is_form(self, form: str, lemma: str, lemmatiser: Lemmatiser) -> bool:
        """Say so of all base forms that WordNet has."""
        wordnet, sought = _opened(lemmatiser).wordnet, index_form(lemma)
        return any(sought in wordnet.base_forms(form, pos) for pos in PARTS_OF_SPEECH)

    def unknown(self, lexelt: Lexelt, lemmatiser: Lemmatiser) -> str:
        """Say what WordNet has of the word."""
        wordnet, lemma = _opened(lemmatiser).wordnet, lexelt.lemma
        if wordnet.readings(lemma, lexelt.pos):
            return ""
        others = [name for pos, name in PARTS_OF_SPEECH.items() if wordnet.readings(lemma, pos)]
        if others:
            return f"WordNet has {lemma!r} as {' and '.join(others)}"
        return f"WordNet has no {lemma!r}, nor a word of which that is a form"

    def lexelts(self, marked: Marked, lemmatiser: Lemmatiser) -> Sequence[Lexelt]:
        """Return the one that the tagger or SemCor's counts and the words beside it speak for."""
        opened = _opened(lemmatiser)
        return [guess_lexelt(marked, opened.wordnet, opened.tagger)]

    def tagged(self, lemmatiser: Lemmatiser, tagger: Tagger) -> WordNetLemmas:
        """Return WordNet's lemmas with a tagger."""
        return replace(_opened(lemmatiser), tagger=tagger)

    def tag(self, item: Item, lemmatiser: Lemmatiser) -> str:
        """Return the likeliest of the tags that the target's form can have."""
        tagger = _opened(lemmatiser).tagger
        if tagger is None or " " in item.target:
            return ""
        return inflection.likeliest_tag(item, tagger(item.text, item.start, item.end))

    def phrase(self, marked: Marked, lemmatiser: Lemmatiser) -> Marked | None:
        """Return a phrase of WordNet's or of our list."""
        return phrasal.widened(marked, _opened(lemmatiser).wordnet)

    def no_target(self, marked: Marked, lemmatiser: Lemmatiser) -> str:
        """Return whether it is a function word or a name; a part of speech that is given stands."""
        return "" if marked.pos else no_target(marked, _opened(lemmatiser).wordnet)

    def left_alone(self, marked: Marked, lemmatiser: Lemmatiser) -> str:
        """Return whether it is a function word, a name or a contraction; a tagger is asked, too."""
        wordnet, tagger = _opened(lemmatiser).wordnet, _opened(lemmatiser).tagger
        if phrasal.widened(marked, wordnet):
            return ""
        what = left_alone(marked, wordnet) or phrasal.in_a_set_phrase(marked, wordnet)
        if not what and phrasal.before_particle(marked, wordnet):
            return "perhaps a phrasal verb"
        if what or marked.pos or tagger is None or " " in marked.target:
            return what
        tags = tagger(marked.text, marked.start, marked.end)
        likeliest = max(tags, key=lambda tag: tags[tag])
        return {"NAME": NAME, "OTHER": FUNCTION_WORD}.get(likeliest, "")

    def multiwords(self, text: str, lemmatiser: Lemmatiser) -> Sequence[tuple[int, int]]:
        """Return phrases of our list, and WordNet's adverbs, nouns and verbs."""
        return phrasal.multiwords(text, _opened(lemmatiser).wordnet)

    def phrases(self, item: Item) -> Sequence[str]:
        """Return what our list has for the phrase."""
        pos, substitutes = phrasal.PHRASES.get(item.lemma, ("", ()))
        return substitutes if pos == item.pos else ()

    def prepare(self) -> None:
        """Load LemmInflect, where no model's table stands in: the first form is the slow one."""
        if inflection.lacking():
            return
        make_lazy()
        inflection.inflect("walk", "v", "VBD")

    def use_forms(self, forms: Path) -> None:
        """Take a table of forms, for where LemmInflect is not installed."""
        inflection.provide_forms(forms)

    def form_of(self, item: Item) -> str:
        """Return the Penn tag."""
        return inflection.form_of(item)

    def inflect(self, substitute: str, pos: str, form: str) -> str:
        """Return the form; what has no such form stays as it is."""
        return inflection.inflect(substitute, pos, form)

    def inflect_for_reader(self, substitute: str, pos: str, form: str) -> str:
        """Return the form that is written today; *canned* and *willed* of the full verbs."""
        return inflection.inflect_for_reader(substitute, pos, form)

    def suits(self, substitute: str, form: str, item: Item, lemmatiser: Lemmatiser) -> bool:
        """Refuse other parts of speech, the target itself, and its opposites.

        A modal verb cannot stand for a full verb, nor a full verb for a modal.
        """
        modal = form in MODALS or form == "ought to"
        if form == "ought":  # always with its to
            return False
        if item.pos == "v" and modal != helps(item.text, item.start, item.end):
            return False
        uncompared = substitute in _UNCOMPARED or (item.pos == "r" and " " in substitute)
        if uncompared and form != substitute.lower() and self.form_of(item)[2:3] in ("R", "S"):
            return False  # no nexter, no more at a distance
        return suits(substitute, item, _opened(lemmatiser).wordnet)

    def all_forms(self, substitute: str, pos: str) -> list[str]:
        """Return all forms that LemmInflect and *more* and *most* give."""
        return inflection.all_forms(substitute, pos)

    def fit(self, left: str, form: str) -> str:
        """Fit a final *a* or *an*."""
        words = left.rsplit(None, 1)
        if not (words and words[-1].lower() in ("a", "an") and left[-1:].isspace()):
            return left
        at = left.rindex(words[-1])
        gap = left[at + len(words[-1]) :]
        article = context.article_before(words[-1], form)
        # A lone A may begin a sentence, or stand in one of capitals.
        shout = words[-1].isupper() and len(form) > 1 and form.isupper()
        return left[:at] + (article.upper() if shout else article) + gap

    def fit_behind(self, item: Item, word: str, form: str) -> str:
        """Fit the ending of a possessive: *dogs' tails*, *people's tails*."""
        right = item.text[item.end :]
        if item.pos != "n":
            return right
        return context.fit_possessive(item, word, right, many=form.startswith("NNS"))

    @property
    def sounds(self) -> Sequence[str]:
        """A word behind *a*, and one behind *an*."""
        return ("b", "a")

    def sound(self, word: str) -> int:
        """Return whether a word wants *an*."""
        return int(context.wants_an(word))

    def fit_tokens(self, left: Sequence[str], form: str) -> list[str]:
        """Fit a final *a* or *an*."""
        return context.fix_article(left, form)


ENGLISH = English("en", "English", "semcor")
