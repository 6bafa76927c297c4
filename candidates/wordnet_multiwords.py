"""Multiwords of WordNet around the target: the mw baseline of McCarthy and Navigli (2007)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Literal

from lexsub.frequency import FREQUENCIES, Frequencies
from lexsub.items import Item
from lexsub.parts.base import MultiwordSource
from lexsub.resources import Resources
from lexsub.wordnet import WordNet, describe, inputs, open_wordnet


@dataclass(frozen=True)
class WordNetMultiwords(MultiwordSource):
    """The longest WordNet multiword that covers the target.

    Every run of 2 to ``longest`` tokens that covers the target inside the window is looked
    up, each token in the forms that ``lemmatise`` gives it.  Of several multiwords the longest
    is the answer, of equally long ones the more frequent, then the leftmost, then the one
    whose tokens needed least change.

    Source: McCarthy and Navigli (2007), section 4.1, who say only that a multiword with the
    target in a span of two words before to two after is looked for.  The rest is assumption.

    Attributes:
        before: how many tokens before the target the window has.
        after: how many tokens after it.
        longest: how many tokens a multiword may have.
        lemmatise: which tokens may stand in their base forms too (by morphy): ``all``, or
            only the ``target``, which then stands in its lemma alone.
        pos: whether a multiword of ``any`` part of speech counts, or only of the ``target``'s.
        frequency: name of a frequency list for the choice between equally long ones.
    """

    before: int = 2
    after: int = 2
    longest: int = 5
    lemmatise: Literal["all", "target"] = "all"
    pos: Literal["any", "target"] = "any"
    frequency: str = "semcor"

    def __post_init__(self) -> None:
        for name, least in (("before", 0), ("after", 0), ("longest", 2)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)}; expected at least {least}")
        FREQUENCIES[self.frequency]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return WordNet's files and the frequency list's."""
        files = [*inputs(resources), *FREQUENCIES[self.frequency].inputs(resources)]
        return list(dict.fromkeys(files))

    def report(self, resources: Resources) -> Mapping[str, object]:
        """Say which WordNet it is, for the manifest."""
        return {"wordnet": describe(resources).as_dict()}

    def open(self, resources: Resources) -> MultiwordDetector:
        """Open WordNet and read all its multiwords."""
        wordnet = open_wordnet(resources)
        frequencies = FREQUENCIES[self.frequency].open(resources)
        return MultiwordDetector(self, wordnet, wordnet.multiwords(), frequencies)


@dataclass
class MultiwordDetector:
    """The working detector; it keeps the forms of each token."""

    options: WordNetMultiwords
    wordnet: WordNet
    multiwords: Mapping[str, str]
    frequencies: Frequencies
    _forms: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def multiword(self, item: Item) -> str | None:
        """Return the multiword that covers the target, with blanks, or None."""
        found: list[str] = []
        for run in self._runs(item):
            # Runs come longest first: shorter ones are not looked at once a length has an answer.
            if found and len(run) < found[0].count("_") + 1:
                break
            found.extend(self._known(run, item.pos))
        if not found:
            return None
        # max keeps the first of equals: the leftmost, and there the least changed.
        return max(found, key=self._frequency).replace("_", " ")

    def _runs(self, item: Item) -> Iterator[list[tuple[str, ...]]]:
        """Yield runs of tokens over the target as tuples of forms, longest and leftmost first."""
        before = item.left[-self.options.before :] if self.options.before else []
        after = item.right[: self.options.after]
        tokens = [
            *map(self._token_forms, before),
            self._target_forms(item),
            *map(self._token_forms, after),
        ]
        at = len(before)
        for length in range(min(self.options.longest, len(tokens)), 1, -1):
            for start in range(max(0, at - length + 1), min(at, len(tokens) - length) + 1):
                yield tokens[start : start + length]

    def _known(self, run: Sequence[tuple[str, ...]], pos: str) -> Iterator[str]:
        for tokens in product(*run):
            word = "_".join(tokens)
            allowed = self.multiwords.get(word, "")
            if allowed and (self.options.pos == "any" or pos in allowed):
                yield word

    def _frequency(self, word: str) -> float:
        text = word.replace("_", " ")
        return max(self.frequencies.frequency(text, pos) for pos in self.multiwords[word])

    def _target_forms(self, item: Item) -> tuple[str, ...]:
        lemma = item.lemma.lower().replace(" ", "_")
        if self.options.lemmatise == "target":
            return (lemma,)
        return tuple(dict.fromkeys([lemma, *self._token_forms(item.target.replace(" ", "_"))]))

    def _token_forms(self, token: str) -> tuple[str, ...]:
        """Return a token in lower case, then its base forms of every part of speech."""
        if token not in self._forms:
            forms = [token.lower()]
            if self.options.lemmatise == "all":
                for pos in "nvar":
                    forms += self.wordnet.base_forms(token, pos)
            self._forms[token] = tuple(dict.fromkeys(forms))
        return self._forms[token]
