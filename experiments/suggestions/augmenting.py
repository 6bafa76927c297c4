"""Texts again with some of their words replaced, as training data: drawn by seed."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Le, Lt

from lexsub.datasets import PARTS_OF_SPEECH
from lexsub.errors import LexsubError
from lexsub.experiments.suggestions.answers import LEAST
from lexsub.experiments.suggestions.sentences import SentenceSuggester
from lexsub.experiments.suggestions.texts import Word, answer_text
from lexsub.parts.limits import AboveZero, Bounded, NotNegative, Positive, Share

DRAWN_FROM = 8
"""Substitutes of a word that one is drawn from."""

TRIES = 10
"""Draws for one copy, before the text is taken to have no further one."""

Span = tuple[int, int]
Option = tuple[Word, list[tuple[str, float]]]
"""A word that may be replaced, and the forms that may stand for it with their weights."""
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True, slots=True)
class Replacement:
    """What was replaced.

    Attributes:
        start: offset of its first character in the text as it was.
        end: offset behind its last.
        old: what stood there.
        new: what stands in its place.
    """

    start: int
    end: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Augmented:
    """A text with some words replaced.

    Attributes:
        text: it.
        replaced: the words, in their order.
        spans: the spans that had to stay, where they are now.
    """

    text: str
    replaced: tuple[Replacement, ...]
    spans: tuple[Span, ...] = ()

    @property
    def line(self) -> str:
        """What was replaced, in a line."""
        return "; ".join(f"{one.old} → {one.new}" for one in self.replaced)


@dataclass(frozen=True)
class Augmenter(Bounded):
    """How texts are augmented.

    Attributes:
        n: copies of each text.
        share: share of a text's words to replace.
        seed: the same seed draws the same.
        temperature: above 1 draws more of the less likely, 0 always the likeliest.
        least: chance that a substitute must have, of a model that knows chances.
        pos: parts of speech to replace.
        keep: a word or phrase never to touch.
    """

    n: Positive = 3
    share: Annotated[AboveZero, Le(1)] = 0.2
    seed: int = 0
    temperature: Annotated[NotNegative, Lt(math.inf)] = 1.0
    least: Share = LEAST
    pos: str = "".join(PARTS_OF_SPEECH)
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pos or not {*self.pos} <= {*PARTS_OF_SPEECH}:
            known = "".join(PARTS_OF_SPEECH)
            raise LexsubError(f"parts of speech {self.pos!r}; expected some of {known}")
        if not all(word.strip() for word in self.keep):
            raise LexsubError(f"words to keep {self.keep!r}; expected none that is empty")

    def __call__(
        self, suggester: SentenceSuggester, text: str, spans: Sequence[Span] = ()
    ) -> list[Augmented]:
        """Return at most ``n`` copies of a text, no two alike."""
        for start, end in spans:
            if not 0 <= start <= end <= len(text):
                raise LexsubError(f"span ({start}, {end}) of a text of {len(text)} characters")
        options = list(self._options(suggester, text, spans))
        found = dict[str, Augmented]()
        for copy in range(self.n):
            # A generator a copy: further copies change none of the first.
            drawing = random.Random(f"{self.seed} {copy} {text}")
            for _ in range(TRIES if options else 0):
                drawn = self._drawn(suggester, text, options, spans, drawing)
                if drawn.text not in found:
                    found[drawn.text] = drawn
                    break
        return list(found.values())

    def _options(
        self, suggester: SentenceSuggester, text: str, spans: Sequence[Span]
    ) -> Iterator[Option]:
        """Yield the words that may be replaced, each with its forms and their weights."""
        kept = [*spans, *(match.span() for word in self.keep
                          for match in _written(word).finditer(text))]  # fmt: skip
        lemmas = {word.lower() for word in self.keep}
        for word in answer_text(suggester, text, DRAWN_FROM):
            assert word.found is not None
            if word.found.lexelt.pos not in self.pos or word.found.lexelt.lemma in lemmas:
                continue
            if any(start < word.end and word.start < end for start, end in kept):
                continue
            before = text[max(0, word.start - 4) : word.start]
            article = any(start < word.start and word.start - 4 < end for start, end in spans)
            forms = [
                (one.form, 1 / (rank + 1) if one.chance is None else one.chance)
                for rank, one in enumerate(word.best)
                if not one.lemma
                and (one.chance is None or one.chance >= self.least)
                # An article in a span that must stay is not fitted.
                and not (article and _fitted(suggester, before, one.form) != before)
            ]
            greatest = max((chance for _, chance in forms), default=0.0)
            if greatest > 0:
                yield word, [(form, self._weight(chance / greatest)) for form, chance in forms]

    def _weight(self, chance: float) -> float:
        """Return the weight of a chance, by that of the likeliest; without chances by place."""
        if self.temperature == 0:
            return float(chance == 1)
        return float(chance ** (1 / self.temperature))

    def _drawn(
        self, suggester: SentenceSuggester, text: str, options: Sequence[Option],
        spans: Sequence[Span], drawing: random.Random,
    ) -> Augmented:  # fmt: skip
        most = max(1, int(self.share * len(_WORD.findall(text)) + 1e-9))
        chosen: list[Option] = []
        for option in drawing.sample(options, len(options)):
            if len(chosen) < most and not any(_beside(text, option[0], one) for one, _ in chosen):
                chosen.append(option)
        new, at, moved = "", 0, list(spans)
        replaced = []
        for word, weighted in sorted(chosen, key=lambda option: option[0].start):
            forms, weights = zip(*weighted, strict=True)
            (form,) = drawing.choices(forms, weights)
            new += _fitted(suggester, text[at : word.start], form)
            # What stands behind moves by as much as the text has grown.
            grown = len(new) + len(form) - word.end
            moved = [(a + grown, b + grown) if a >= word.end else now
                     for (a, b), now in zip(spans, moved, strict=True)]  # fmt: skip
            new += form
            replaced.append(Replacement(word.start, word.end, word.text, form))
            at = word.end
        return Augmented(new + text[at:], tuple(replaced), tuple(moved))


def _written(word: str) -> re.Pattern[str]:
    """Return what finds a word or phrase in a text, in any case and with any blanks."""
    inside = r"\s+".join(map(re.escape, word.split()))
    return re.compile(rf"(?<!\w){inside}(?!\w)", re.IGNORECASE)


def _fitted(suggester: SentenceSuggester, left: str, form: str) -> str:
    """Return what stands before a form, a and an fitted."""
    return suggester.language.fit(left, form) if suggester.inflected else left


def _beside(text: str, one: Word, other: Word) -> bool:
    """Return True if two words stand beside each other, nothing but blanks between: one phrase."""
    first, second = sorted((one, other), key=lambda word: word.start)
    return not text[first.end : second.start].strip()
