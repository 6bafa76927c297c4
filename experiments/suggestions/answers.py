"""The answer to a sentence: substitutes, best first, and who proposed each, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lexsub.candidates.wordnet import CRITERIA
from lexsub.datasets import Lexelt
from lexsub.rankings import Origin
from lexsub.tables import Table, Tabular

SHOWN = 8
"""Substitutes of a sentence, where nothing else is asked for."""

LEAST = 0.6
"""Chance that a substitute must have to be drawn for a copy of a text.

Of sentences that were judged, 14 of 24 whose substitutes all have it were good, and 4 of 20 others
(RESULTS.md, augmentation: a blind count).
"""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A substitute for the target of a sentence.

    Attributes:
        substitute: the lemma.
        form: in the form of the target, its case included.
        sentence: the whole sentence with it, a and an fitted.
        score: the ranker's, comparable within the sentence alone.
        chance: of being one that people would give, where the model has learned that; never
            greater than that of the one before it.
        reasons: what speaks for it, in words, where that was asked for.
        origins: who proposed it.
        parts: what the score is made of, where that was asked for.
        lemma: whether ``form`` is the lemma because the form that fits is not known.
    """

    substitute: str
    form: str
    sentence: str
    score: float
    origins: tuple[Origin, ...]
    parts: Mapping[str, float]
    chance: float | None = None
    reasons: tuple[str, ...] = ()
    lemma: bool = False

    def figures(self) -> dict[str, Any]:
        """Return what it is, as programs want it, with its score and chance."""
        names = ("substitute", "form", "score", "chance")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True, repr=False)
class Suggestions(Tabular):
    """The answer to one sentence.

    Attributes:
        text: the sentence without marks.
        target: the marked word.
        lexelt: the lemma and part of speech it was taken for.
        candidates: how many candidates there were.
        best: the first of them, best first.
        unsure: whether even the first is more probably wrong than right.
        note: why there is no substitute: what was looked for, or that the word is no target.
        start: offset of the target's first character in the text.
        number: of the sentence among those of a pipe, from 1.
        id: of the item that was asked about, where it was one.
    """

    text: str
    target: str
    lexelt: Lexelt
    candidates: int
    best: tuple[Suggestion, ...]
    unsure: bool = False
    note: str = ""
    start: int = 0
    number: int = 1
    id: str = ""

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.best)

    def __len__(self) -> int:
        return len(self.best)

    def records(self) -> list[dict[str, Any]]:
        """Return a row a substitute."""
        return [
            {"number": self.number, "id": self.id, "start": self.start,
             "target": self.target, "lexelt": str(self.lexelt), "rank": place,
             "substitute": row.substitute, "form": row.form, "score": row.score,
             "sentence": row.sentence}
            for place, row in enumerate(self.best, start=1)
        ]  # fmt: skip

    def view(self) -> Table:
        """Return the substitutes, best first."""
        cells = [[row.form, f"{row.score:.4g}", row.sentence] for row in self.best]
        best = ", ".join(row.form for row in self.best[:3]) or "nothing"
        return Table(f"{self.target} ({self.lexelt}): {best}", ["form", "score", "sentence"], cells)


_CRITERIA = {
    CRITERIA[1]: "synonym in the usual sense",
    CRITERIA[2]: "related to the usual sense",
    CRITERIA[3]: "synonym in another sense",
    CRITERIA[4]: "related to another sense",
}
_RELATIONS = {
    "hyponyms": "a narrower word",
    "see-also": "see also",
    "co-hyponyms": "of the same kind",
}
"""Labels that the ready configs give to WordNet's further relations."""

_THESAURI = {
    "moby": "stands in Moby's thesaurus",
    "thesaurus-file": "stands in the thesaurus",
    "phrases": "stands in lexsub's list of phrases",
}
_NEAR = {"distributional": "used in the same contexts", "vectors": "its vector is near"}


def reason(origin: Origin) -> str:
    """Return the words for one origin, as ``WordNet: synonym in the usual sense``."""
    sense = _CRITERIA.get(origin.group)
    if sense is not None:
        if origin.source in _RELATIONS:
            return f"WordNet: {_RELATIONS[origin.source]}"
        label = "" if origin.source == "wordnet" else f" ({origin.source})"
        return f"WordNet{label}: {sense}"
    group = f", {origin.group}" if origin.group else ""
    if origin.source in _THESAURI:
        # Its place says how frequent the word is, and nothing about the target.
        return f"{_THESAURI[origin.source]}{group}"
    return f"{_NEAR.get(origin.source, origin.source)}{group} (number {origin.rank + 1})"
