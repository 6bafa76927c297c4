"""Sentences with a substitute in the target's place, as a reader would want them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexsub.items import Item
from lexsub.languages import language_of


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


def fill_all(
    item: Item,
    substitutes: Sequence[str],
    *,
    inflected: bool = True,
    language: str = "en",
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
    left = item.text[: item.start]
    if not inflected:
        return [_filled(item, _cased(text, item.target), left, False) for text in substitutes]
    spoken = language_of(language)
    wanted, filled = spoken.form_of(item), []
    for text in substitutes:
        form = spoken.inflect(text, item.pos, wanted)
        shown = _cased(text if form is None else form, item.target)
        filled.append(_filled(item, shown, spoken.fit(left, shown), form is None))
    return filled


def original(item: Item) -> Filled:
    """Return the sentence as it is."""
    return Filled(item.text, item.start, item.end)


def _cased(form: str, target: str) -> str:
    if len(target) > 1 and target.isupper():
        return form.upper()
    return form[:1].upper() + form[1:] if target[:1].isupper() else form


def _filled(item: Item, form: str, left: str, lemma: bool) -> Filled:
    right = item.text[item.end :]
    return Filled(f"{left}{form}{right}", len(left), len(left) + len(form), lemma)
