"""Which words a form may stand for, where nothing has been tagged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lexsub.candidates.distributional.model import ANY_POS
from lexsub.datasets import PARTS_OF_SPEECH
from lexsub.languages import Language, language_of

Frequency = Callable[[str, str], float]
"""(lemma, part of speech) → how often it occurs; 0 for what the lexicon does not know."""


@dataclass(frozen=True)
class OneLemma:
    """Every form stands for one word, of no part of speech.

    Attributes:
        lemma: form → word; ``str``, which leaves text as it is, makes each its own.
    """

    lemma: Callable[[str], str]

    def of(self, form: str) -> Sequence[tuple[str, str]]:
        """Return the form's word."""
        return ((ANY_POS, self.lemma(form)),)


@dataclass(frozen=True)
class LemmaTable:
    """A form stands for every lemma of a lexicon it may be a form of, as its language has it.

    A form of several lemmas gives its contexts to each of them, since nothing says which is
    meant; lemmas that are rare beside the others get nothing.

    Attributes:
        frequency: the lexicon.
        share: the part of all lemmas' frequency that a lemma needs at least.
        language: says what a form may be a form of.
    """

    frequency: Frequency = field(repr=False)
    share: float = 0.1
    language: Language = field(default_factory=lambda: language_of("en"))

    def of(self, form: str) -> Sequence[tuple[str, str]]:
        """Return the lemmas that are frequent enough.

        Raises:
            MissingExtraError: what knows them (lemminflect, simplemma) is not installed.
        """
        found = self._frequencies(form)
        least = self.share * sum(found.values())
        return sorted(word for word, n in found.items() if n > 0 and n >= least)

    def lemma(self, form: str) -> str:
        """Return the lemma that is most frequent over all parts of speech.

        Equal ones are taken in alphabetical order; a form without a known lemma is its own.

        Raises:
            MissingExtraError: what knows them (lemminflect, simplemma) is not installed.
        """
        totals = {form: 0.0}
        for (_, lemma), count in self._frequencies(form).items():
            totals[lemma] = totals.get(lemma, 0.0) + count
        best = max(totals.values())
        return min(word for word, c in totals.items() if c == best) if best else form

    def _frequencies(self, form: str) -> dict[tuple[str, str], float]:
        found = {(pos, form): self.frequency(form, pos) for pos in PARTS_OF_SPEECH}
        for pos, lemmas in self.language.lemmas(form).items():
            found |= {(pos, lemma): self.frequency(lemma, pos) for lemma in lemmas}
        return found


Analysis = OneLemma | LemmaTable
"""Says what (part of speech, word) pairs a form may stand for, and what one word most often."""
