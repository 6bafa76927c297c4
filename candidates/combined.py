"""Sources made of other sources: several as one, as lemmas, cut to those worth ranking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from annotated_types import MinLen
from pydantic import BeforeValidator

from lexsub.candidates.opened import ByItem
from lexsub.datasets import Item
from lexsub.frequency import FREQUENCIES, Frequencies
from lexsub.parts.base import CandidateSource, Generator
from lexsub.parts.build import Labelled
from lexsub.parts.limits import Natural, NotNegative, Positive
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources
from lexsub.storage.memory import BoundedCache
from lexsub.vectors.vectors import Vectors, open_vectors
from lexsub.wordnet import WordNet, describe, inputs, open_wordnet


@dataclass(frozen=True)
class Union(CandidateSource):
    """Everything that any of its sources proposes, each candidate once.

    A candidate keeps an origin for every source that proposed it, with the place in that
    source's list, so that rankers can tell them apart.

    Attributes:
        sources: the sources, each a name or a table with ``name``, options and, where two
            would be called the same, a ``label`` that names its origins.
        order: ``turns`` takes the first of each source, then the second of each …;
            ``sources`` takes all of the first source, then what the next ones add.
    """

    sources: Annotated[Labelled[CandidateSource], MinLen(1)]
    order: Literal["turns", "sources"] = "turns"

    def open(self, resources: Resources) -> ByItem:
        """Open all sources."""
        opened = {label: part.open(resources) for label, part in self.sources.items()}
        return ByItem(partial(self._candidates, opened))

    def _candidates(self, sources: Mapping[str, Generator], item: Item) -> Sequence[Candidate]:
        """Return the candidates of all sources, without the target."""
        lists = {label: source.candidates(item) for label, source in sources.items()}
        entries: Iterable[tuple[int, str, Candidate]] = (
            (rank, label, candidate)
            for label, found in lists.items()
            for rank, candidate in enumerate(found)
        )
        if self.order == "turns":
            entries = sorted(entries, key=itemgetter(0))  # stable: sources in the order given
        origins: dict[str, list[Origin]] = {}
        target = item.lemma.lower()
        for rank, label, candidate in entries:
            if candidate.substitute.lower() != target:
                of_word = origins.setdefault(candidate.substitute, [])
                if len(candidate.origins) == 1:  # as most of the thousands of a target
                    (origin,) = candidate.origins
                    of_word.append(Origin(label, origin.rank, origin.group, origin.score))
                else:
                    of_word += _named(candidate.origins, label, rank)
        return [Candidate(text, tuple(found)) for text, found in origins.items()]


def _named(origins: Sequence[Origin], label: str, rank: int) -> Sequence[Origin]:
    names = {origin.source for origin in origins}
    # A union inside a union has origins of several sources; their names stay apart.
    if len(names) > 1:
        return [replace(origin, source=f"{label}/{origin.source}") for origin in origins]
    return [replace(origin, source=label) for origin in origins] or [Origin(label, rank)]


@dataclass(frozen=True)
class Lemmas(CandidateSource):
    """What a source of word forms proposes, as lemmas of the target's part of speech in WordNet.

    For neighbours in vectors of forms and for what language models propose (English).  The
    shortest base form stands for a word; the target's own forms and words of other parts of
    speech are left out, and a lemma that comes again stays where it was first.

    Attributes:
        source: the source, a name or a table.
        k: at most so many lemmas; 0 for all.
    """

    source: CandidateSource
    k: Natural = 0

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return WordNet's files and those of the source."""
        return list(dict.fromkeys([*super().inputs(resources), *inputs(resources)]))

    def report(self, resources: Resources) -> Mapping[str, object]:
        """Say which WordNet it is, and what the source reports, for the manifest."""
        return {**super().report(resources), "wordnet": describe(resources).as_dict()}

    def open(self, resources: Resources) -> ByItem:
        """Open the source and WordNet."""
        opened = self.source.open(resources), open_wordnet(resources)
        return ByItem(partial(self._candidates, *opened))

    def _candidates(self, source: Generator, wordnet: WordNet, item: Item) -> Sequence[Candidate]:
        """Return the lemmas in the source's order, each with its first form's origins."""
        found: dict[str, Candidate] = {}
        own = item.lemma.lower()
        for candidate in source.candidates(item):
            bases = wordnet.base_forms(candidate.substitute, item.pos)
            lemma = min(bases, key=len).replace("_", " ") if bases else own
            if lemma != own:
                found.setdefault(lemma, Candidate(lemma, candidate.origins))
        return list(found.values())[: self.k or None]


FAR = -0.05
"""Cosine of a candidate without a vector, and of all where the target has none."""


@dataclass(frozen=True)
class Shortlist(CandidateSource):
    """The most promising candidates of another source, by cheap signs that need no sentence.

    A candidate's promise is its cosine with the target, plus ``frequency_weight`` times ln (1
    + frequency), plus ``vote`` for every source that proposed it and its part of ``votes``.
    The most promising come first; equal ones keep the source's order.

    Attributes:
        source: the source, a name or a table with ``name`` and options; mostly a union.
        vectors: name of a model in ``[models]``, or a folder of vectors.
        keep: how many.
        frequency: name of a frequency list; a multiword counts as its rarest word.
        frequency_weight: weight of the logarithm of the frequency.
        vote: weight of each source that proposed a candidate.
        votes: what sources add beyond that, by the names of the origins.
        without: another source, whose candidates are left out: antonyms, which thesauri list, too.
    """

    source: CandidateSource
    vectors: str = "vectors"
    keep: Positive = 250
    frequency: str = "ukwac"
    frequency_weight: NotNegative = 0.03
    vote: NotNegative = 0.15
    votes: dict[str, float] = field(default_factory=dict)
    without: Annotated[CandidateSource | None, BeforeValidator(lambda given: given or None)] = None

    reads_models: ClassVar = {"vectors": "vectors"}

    def __post_init__(self) -> None:
        super().__post_init__()
        FREQUENCIES[self.frequency]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the files of the sources, the vectors and the frequency list."""
        own = FREQUENCIES[self.frequency].inputs(resources)
        return list(dict.fromkeys([*super().inputs(resources), *own]))

    def open(self, resources: Resources) -> ShortlistCandidates:
        """Open source, vectors and frequency list."""
        return ShortlistCandidates(
            self,
            self.source.open(resources),
            open_vectors(resources, self.vectors),
            FREQUENCIES[self.frequency].open(resources),
            self.without.open(resources) if self.without else None,
        )


@dataclass
class ShortlistCandidates:
    """The working source; it keeps the list of each target as long as its source's is equal."""

    options: Shortlist
    source: Generator
    vectors: Vectors
    frequencies: Frequencies
    unwanted: Generator | None = None
    _lists: dict[tuple[str, str], tuple[Sequence[Candidate], list[Candidate]]] = field(
        default_factory=lambda: BoundedCache(128)
    )

    def candidates(self, item: Item) -> Sequence[Candidate]:
        """Return the most promising candidates, best first."""
        found = self.source.candidates(item)
        key = (item.lemma, item.pos)
        if key not in self._lists or self._lists[key][0] != found:
            wanted = self._wanted(item, found)
            promise = self._promise(item, wanted)
            order = np.argsort(-promise, kind="stable")[: self.options.keep]
            self._lists[key] = (found, [wanted[place] for place in order.tolist()])
        return self._lists[key][1]

    def _wanted(self, item: Item, found: Sequence[Candidate]) -> Sequence[Candidate]:
        if self.unwanted is None:
            return found
        left_out = {candidate.substitute for candidate in self.unwanted.candidates(item)}
        return [candidate for candidate in found if candidate.substitute not in left_out]

    def _promise(self, item: Item, found: Sequence[Candidate]) -> np.ndarray[Any, Any]:
        rows = self.vectors.rows([candidate.substitute for candidate in found], item.pos)
        cosines = self.vectors.cosines(rows, self.vectors.rows([item.lemma], item.pos))[:, 0]
        close = np.where(np.isnan(cosines), FAR, cosines).astype(np.float64)
        often = np.log1p([self._frequency(candidate.substitute, item.pos) for candidate in found])
        sources = [tuple([origin.source for origin in c.origins]) for c in found]
        # Computed once a set of sources: candidates are many, sets few.
        votes = {each: self._votes({*each}) for each in set(sources)}
        return close + self.options.frequency_weight * often + [votes[each] for each in sources]

    def _frequency(self, text: str, pos: str) -> float:
        if " " not in text:
            return self.frequencies.frequency(text, pos)
        return min(self.frequencies.frequency(word, pos) for word in text.split(" "))

    def _votes(self, sources: set[str]) -> float:
        more = sum(self.options.votes.get(source, 0.0) for source in sorted(sources))
        return self.options.vote * len(sources) + more
