"""What the rest of the program asks of a language: one entry a language, found by its code.

An entry is a :class:`Language` in a file of its own; one that nobody has described is the class
itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lexsub.datasets import PARTS_OF_SPEECH, Item, Lexelt
from lexsub.errors import LexsubError
from lexsub.languages.dictionary import SimplemmaLemmas
from lexsub.marked_sentences import Marked
from lexsub.parts.registry import Registry
from lexsub.resources import Resources


class Lemmatiser(Protocol):
    """From forms to lemmas."""

    @property
    def name(self) -> str:
        """Whose lemmas they are, with the version, as signatures have it."""
        ...

    def lemma(self, form: str, pos: str) -> str:
        """Return the lemma of a form; a form that is not known is its own.

        Args:
            form: as an answer, a gold or a text has it.
            pos: n, v, a, r, or "" where it is not known.
        """
        ...


Tagger = Callable[[str, int, int], Mapping[str, float]]
"""What tells the logarithm of each tag's probability for a word by its sentence, and where the word
begins and ends in it; see :mod:`lexsub.tagger`."""


@dataclass(frozen=True)
class Language:
    """A language; its methods here say what can be said of any.

    Attributes:
        code: ISO 639-1.
        name: in English.
        frequency: the frequency list that the list ``language`` stands for.
    """

    code: str
    name: str = ""
    frequency: str = "wordfreq"

    def lemmatiser(self, resources: Resources) -> Lemmatiser:
        """Open the lemmatiser; here simplemma's dictionary.

        Raises:
            MissingExtraError: its library is not installed.
            LexsubError: it does not know the language, or its files are missing.
        """
        return SimplemmaLemmas(self.code)

    def lemmas(self, form: str) -> Mapping[str, Sequence[str]]:
        """Return every lemma that a form of running text may stand for, by part of speech.

        Raises:
            MissingExtraError: what knows them is not installed.
        """
        lemma = SimplemmaLemmas(self.code).lemma(form, "")
        return dict.fromkeys(PARTS_OF_SPEECH, (lemma,))

    def word(self, marked: Marked, lemmatiser: Lemmatiser | None) -> Marked:
        """Return a marked word without what is written together with it and is no part of it.

        Args:
            marked: the sentence.
            lemmatiser: None where the lemma is known.
        """
        return marked

    def is_form(self, form: str, lemma: str, lemmatiser: Lemmatiser) -> bool:
        """Return True if a word is known to be a form of a lemma, as any part of speech."""
        return any(lemmatiser.lemma(form, pos).lower() == lemma.lower() for pos in PARTS_OF_SPEECH)

    def unknown(self, lexelt: Lexelt, lemmatiser: Lemmatiser) -> str:
        """Return what can be said of a word for which nothing was found; "" for nothing."""
        return ""

    def lexelts(self, marked: Marked, lemmatiser: Lemmatiser) -> Sequence[Lexelt]:
        """Return what a marked word may stand for, the likeliest first; never nothing.

        Args:
            marked: the sentence; a part of speech that is given stands.
            lemmatiser: as :meth:`lemmatiser` opens it.
        """
        order = [marked.pos] if marked.pos else self.parts_of_speech(marked, lemmatiser)
        return [Lexelt(lemmatiser.lemma(marked.target, pos), pos, pos) for pos in order]

    def phrase(self, marked: Marked, lemmatiser: Lemmatiser) -> Marked | None:
        """Return the phrase that a marked word stands in and is replaced with, if there is one."""
        return None

    def tagged(self, lemmatiser: Lemmatiser, tagger: Tagger) -> Lemmatiser:
        """Return a lemmatiser that asks a tagger, where the language has any use for it."""
        return lemmatiser

    def tag(self, item: Item, lemmatiser: Lemmatiser) -> str:
        """Return the tag of an item's target, where a tagger is asked; "" where none is."""
        return ""

    def no_target(self, marked: Marked, lemmatiser: Lemmatiser) -> str:
        """Return what a marked word is that nothing can stand for, as "a name"; "" for a target.

        Of a word in a phrase that is answered as one (:meth:`phrase`) it is not asked.
        """
        return ""

    def left_alone(self, marked: Marked, lemmatiser: Lemmatiser) -> str:
        """Return what a word of running text is that is never replaced; "" for a target."""
        return self.no_target(marked, lemmatiser)

    def multiwords(self, text: str, lemmatiser: Lemmatiser) -> Sequence[tuple[int, int]]:
        """Return the spans of a sentence's phrases that stand for one word, rising."""
        return ()

    def phrases(self, item: Item) -> Sequence[str]:
        """Return what can stand for a phrase that the language has a list of, the best first."""
        return ()

    def parts_of_speech(self, marked: Marked, lemmatiser: Lemmatiser) -> Sequence[str]:
        """Return the parts of speech that a marked word may be, the likeliest first."""
        return list(PARTS_OF_SPEECH)

    def prepare(self) -> None:
        """Load what forms are made with.

        Raises:
            MissingExtraError: it is not installed.
        """

    def use_forms(self, forms: Path) -> None:
        """Take the forms that a model has brought along."""

    def form_of(self, item: Item) -> str:
        """Return the name of the target's form, as :meth:`inflect` takes it; "" for the lemma."""
        return "" if item.target.lower() == item.lemma.lower() else "another"

    def inflect(self, substitute: str, pos: str, form: str) -> str | None:
        """Return a substitute in a form; None where that is not known, so that the lemma stands."""
        return None if form else substitute

    def inflect_for_reader(self, substitute: str, pos: str, form: str) -> str | None:
        """Do as :meth:`inflect` for a reader, where another form is the usual one today."""
        return self.inflect(substitute, pos, form)

    def suits(self, substitute: str, form: str, item: Item, lemmatiser: Lemmatiser) -> bool:
        """Return True if a reader can take a word for one that stands for the target.

        Args:
            substitute: its lemma.
            form: the form it is to stand in, in small letters.
            item: the target.
            lemmatiser: as :meth:`lemmatiser` opens it.
        """
        return True

    def all_forms(self, substitute: str, pos: str) -> list[str]:
        """Return a substitute in every form that is known, its lemma first."""
        return [substitute]

    def fit(self, left: str, form: str) -> str:
        """Return what stands before the slot, its last word fitted to what is filled in."""
        return left

    def fit_behind(self, item: Item, word: str, form: str) -> str:
        """Return what stands behind the target, its beginning fitted to a word in its place.

        Args:
            item: the sentence.
            word: what stands in the target's place.
            form: the name of its form.
        """
        return item.text[item.end :]

    @property
    def sounds(self) -> Sequence[str]:
        """Words, one for each sound that the words before a slot are fitted to."""
        return ("",)

    def sound(self, word: str) -> int:
        """Return with which of :attr:`sounds` a word begins."""
        return 0

    def fit_tokens(self, left: Sequence[str], form: str) -> list[str]:
        """Do as :meth:`fit` with the tokens of a language model."""
        return list(left)

    def split_elided(self, text: str) -> str:
        """Return text with a blank between words that are written as one, as in *l'eau*."""
        return text

    def spelling(self, word: str) -> str:
        """Return the one spelling under which a word is looked up in a list."""
        return word.lower()


LANGUAGES: Registry[Language] = Registry("language")


def language_of(code: str) -> Language:
    """Return the entry of a language; one that is not in the table has lemmas and no forms.

    Args:
        code: ISO 639-1, as ``fr``.

    Raises:
        LexsubError: that is no such code.
    """
    if code in LANGUAGES:
        return LANGUAGES[code]
    if not re.fullmatch("[a-z]{2,3}", code):
        raise LexsubError(f"language {code!r}; expected a code as 'en', 'fr' or 'de' (ISO 639)")
    return Language(code)
