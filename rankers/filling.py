"""Sentences with a substitute in the target's place, as a reader would want them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexsub.items import Item
from lexsub.rankers.articles import article_before
from lexsub.rankers.inflection import form_of, inflect


@dataclass(frozen=True, slots=True)
class Filled:
    """A sentence and the place of a word in it.

    Attributes:
        text: the sentence.
        start: offset of the word's first character.
        end: offset behind its last.
    """

    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The word."""
        return self.text[self.start : self.end]

    def around(self, words: int, behind: int | None = None) -> Filled:
        """Return the word with so many blank-separated words to either side.

        Args:
            words: kept on the left.
            behind: kept on the right; by default as many.
        """
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


def fill_all(item: Item, substitutes: Sequence[str], *, inflected: bool = True) -> list[Filled]:
    """Put each of some substitutes into the target's place.

    It takes the target's form and case; an a or an before it is fitted.

    Raises:
        MissingExtraError: forms are wanted and lemminflect is not installed.
    """
    tag = form_of(item) if inflected else ""
    forms = [inflect(text, item.pos, tag) if tag else text for text in substitutes]
    return [_filled(item, _cased(form, item.target), inflected) for form in forms]


def original(item: Item) -> Filled:
    """Return the sentence as it is."""
    return Filled(item.text, item.start, item.end)


def _cased(form: str, target: str) -> str:
    if len(target) > 1 and target.isupper():
        return form.upper()
    return form[:1].upper() + form[1:] if target[:1].isupper() else form


def _filled(item: Item, form: str, english: bool) -> Filled:
    left, right = item.text[: item.start], item.text[item.end :]
    words = left.rsplit(None, 1)
    if english and words and words[-1].lower() in ("a", "an") and left[-1:].isspace():
        at = left.rindex(words[-1])
        gap = left[at + len(words[-1]) :]
        article = article_before(words[-1], form)
        # A lone A may begin a sentence, or stand in one of capitals.
        shout = words[-1].isupper() and len(form) > 1 and form.isupper()
        left = left[:at] + (article.upper() if shout else article) + gap
    return Filled(f"{left}{form}{right}", len(left), len(left) + len(form))
