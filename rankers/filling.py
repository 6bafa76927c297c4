"""Sentences with a substitute in the target's place, as a reader would want them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lexsub.datasets import Item
from lexsub.languages import Language, Lemmatiser, language_of

_ABBREVIATION = 5
"""Letters of the longest abbreviations; a longer word in capitals is one that is stressed."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A sentence and the place of a word in it.

    Attributes:
        text: the sentence.
        start: offset of the word's first character.
        end: offset behind its last.
        lemma: whether the word stands as its lemma, since the form that fits is not known.
    """

    text: str
    start: int
    end: int
    lemma: bool = False

    @property
    def word(self) -> str:
        """The word."""
        return self.text[self.start : self.end]

    def around(self, words: int, behind: int | None = None) -> Filled:
        """Return the word with so many blank-separated words to its left, and to its right."""
        most = words if behind is None else behind
        left, right = self.text[: self.start], self.text[self.end :]
        # A piece that touches the word (a quote) counts as one of the words.
        before = left.rsplit(None, words)
        after = right.split(None, most)
        if len(before) > words:
            left = left[left.index(before[0]) + len(before[0]) :].lstrip()
        if len(after) > most:
            right = right[: len(right) - len(after[-1])].rstrip()
        return Filled(left + self.word + right, len(left), len(left) + len(self.word))


def fill_all(
    item: Item, substitutes: Sequence[str], *, inflected: bool = True, language: str = "en"
) -> list[Filled]:
    """Put each of some substitutes into the target's place.

    It takes the target's form and case; a word before it (*a* or *an*, *le* or *l'*) is fitted.

    Args:
        item: the sentence and its target.
        substitutes: lemmas.
        inflected: whether forms are wanted at all.
        language: ISO 639-1 code of the sentence.

    Raises:
        MissingExtraError: forms are wanted and what makes them is not installed.
    """
    spoken = language_of(language)
    wanted = spoken.form_of(item) if inflected else ""
    forms = (spoken.inflect(text, item.pos, wanted) if inflected else text for text in substitutes)
    return [
        _fill(item, text, form, spoken if inflected else None)
        for text, form in zip(substitutes, forms, strict=True)
    ]


def fill_readably(
    item: Item,
    substitutes: Iterable[str],
    lemmatiser: Lemmatiser,
    *,
    inflected: bool,
    language: str,
) -> Iterator[Filled | None]:
    """Do as :func:`fill_all` for a reader, one after the other as they are asked for.

    Forms are those of :meth:`lexsub.languages.Language.inflect_for_reader`; None stands for what
    cannot stand for the target (:meth:`lexsub.languages.Language.suits`), and for what reads as
    the target or as one before it.
    """
    spoken = language_of(language)
    wanted = spoken.form_of(item) if inflected else ""
    seen, right = {item.target.lower()}, item.text[item.end :]
    for text in substitutes:
        form = spoken.inflect_for_reader(text, item.pos, wanted) if inflected else text
        filled = _fill(item, text, form, spoken if inflected else None)
        behind = spoken.fit_behind(item, filled.word, wanted)
        if behind != right:
            filled = replace(filled, text=filled.text[: filled.end] + behind)
        word = filled.word.lower()
        fits = word not in seen and spoken.suits(text, word, item, lemmatiser)
        yield filled if fits else None
        seen.add(word)


def original(item: Item) -> Filled:
    """Return the sentence as it is."""
    return Filled(item.text, item.start, item.end)


def _cased(form: str, item: Item) -> str:
    """Return a form with the target's capitals: all, but in the place of an abbreviation."""
    target = item.target
    if len(target) > 1 and target.isupper():
        # Of one short word alone (USA, CEO) they are its spelling, and say nothing of another's.
        around = f"{item.text[: item.start]} {item.text[item.end :]}"
        cased = [word for word in around.split() if word.upper() != word.lower()]
        shouting = any(len(word) > 1 and word.isupper() for word in cased) or not cased
        return form.upper() if shouting or len(target) > _ABBREVIATION else form
    return form[:1].upper() + form[1:] if target[:1].isupper() else form


def _fill(item: Item, substitute: str, form: str | None, fitting: Language | None) -> Filled:
    left, right = item.text[: item.start], item.text[item.end :]
    word = _cased(substitute if form is None else form, item)
    if fitting:
        left = fitting.fit(left, word)
    return Filled(f"{left}{word}{right}", len(left), len(left) + len(word), form is None)
