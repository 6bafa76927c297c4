"""Neighbours of a word, why two are neighbours, and the candidate source ``distributional``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.distributional import kernel
from lexsub.candidates.distributional.measures import Similarity, measure_name, parse_measure
from lexsub.candidates.distributional.model import Space, ThesaurusModel
from lexsub.candidates.distributional.table import open_table
from lexsub.candidates.distributional.weights import Weighted, weigh
from lexsub.candidates.opened import ByTarget
from lexsub.compiling import can_compile
from lexsub.parts.base import CandidateSource
from lexsub.parts.limits import Positive
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A neighbour of a word.

    Attributes:
        word: the neighbouring lemma.
        value: the measure's value (a distance for distances).
        tokens: the neighbour's context tokens.
    """

    word: str
    value: float
    tokens: int


@dataclass(frozen=True, slots=True)
class SharedContext:
    """A context that two words share.

    Attributes:
        relation: its relation.
        other: the other word.
        counts: how often each of the two words has it.
        weights: the measure's weight of it for each.
        part: what it adds to the pair's sum over shared contexts (below 0 for distances).
    """

    relation: str
    other: str
    counts: tuple[int, int]
    weights: tuple[float, float]
    part: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why two words are close.

    Attributes:
        value: the measure's value, or None where the words share nothing.
        rank: the candidate's place among the target's neighbours, from 1, or None.
        shared: the contexts both have, those that matter most first.
        sizes: how many weighted contexts each of the two words has.
    """

    value: float | None
    rank: int | None
    shared: tuple[SharedContext, ...]
    sizes: tuple[int, int]


class Thesaurus:
    """A thesaurus under one measure.

    A table computed in advance (``lexsub thesaurus build --measure``) is used where it
    holds enough neighbours.  Otherwise the first few words are compared by reading through the
    counts, and from then on an index by context is kept in memory.
    """

    def __init__(self, folder: Path, measure: Similarity) -> None:
        self.model, self.measure = ThesaurusModel(folder), measure
        self._spaces: dict[str, _WeightedSpace] = {}

    def neighbours(self, word: str, pos: str, k: int) -> list[Neighbour]:
        """Return the ``k`` nearest words of the same part of speech, best first.

        Words that share no context are no neighbours; ties go to the word with more
        context tokens, then by name.  A word the thesaurus does not know has none.

        Raises:
            LexsubError: the thesaurus has no words of that part of speech.
        """
        space = self.model.space(pos)
        target = space.words.find(word)
        if target is None:
            return []
        found = open_table(self.model, measure_name(self.measure), pos, k)
        if found is None:
            found = self._weighted(pos).nearest(target, k)
            target = 0
        return [
            Neighbour(space.words[int(index)], float(value), space.tokens(int(index)))
            for index, value in zip(found.ids[target, :k], found.values[target, :k], strict=True)
            if index >= 0
        ]

    def knows(self, word: str, pos: str) -> bool:
        """Return True if a word is in the thesaurus.

        Raises:
            LexsubError: the thesaurus has no words of that part of speech.
        """
        return self.model.space(pos).words.find(word) is not None

    def explain(self, target: str, candidate: str, pos: str) -> Explanation | None:
        """Return what makes ``candidate`` similar to ``target``, or None if one is unknown.

        Raises:
            LexsubError: the thesaurus has no words of that part of speech.
        """
        space = self.model.space(pos)
        ids = space.words.find(target), space.words.find(candidate)
        if ids[0] is None or ids[1] is None:
            return None
        return self._weighted(pos).explain(ids[0], ids[1])

    def _weighted(self, pos: str) -> _WeightedSpace:
        space = self.model.space(pos)
        name = space.folder.name
        if name not in self._spaces:
            self._spaces[name] = _WeightedSpace(space, self.measure)
        return self._spaces[name]


SCANS = 8
"""Words of a part of speech compared before the index pays: making it, and loading what compiles
the loop, takes longer than so many readings."""


class _WeightedSpace:
    """One part of speech, weighted for a measure."""

    def __init__(self, space: Space, measure: Similarity) -> None:
        self._space, self._measure, self._formula = space, measure, measure.formula()
        self._asked = 0

    @cached_property
    def _weighted(self) -> Weighted:
        return weigh(self._space.counts, self._formula.weights)

    @cached_property
    def _sizes(self) -> NDArray[np.float64]:
        return kernel.word_sizes(self._weighted, self._formula)

    @cached_property
    def _matrix(self) -> kernel.WeightMatrix:
        return kernel.prepare(self._space.counts, self._formula)

    def nearest(self, target: int, k: int) -> kernel.Neighbours:
        self._asked += 1
        higher = self._measure.higher_is_closer
        if self._asked <= SCANS or not can_compile():
            return kernel.scan(self._weighted, self._sizes, self._formula, higher, target, k)
        return kernel.compiled_kernel(self._formula, higher)(self._matrix, target, target + 1, k)

    def explain(self, target: int, candidate: int) -> Explanation:
        starts, contexts, weights = self._weighted
        rows = [slice(int(starts[i]), int(starts[i + 1])) for i in (target, candidate)]
        shared, here, there = np.intersect1d(
            contexts[rows[0]], contexts[rows[1]], assume_unique=True, return_indices=True
        )
        pair = weights[rows[0]][here], weights[rows[1]][there]
        counted = [self._counts(word, shared) for word in (target, candidate)]
        parts = self._formula.shared(pair[0], pair[1], self._formula.constant)
        order = np.lexsort((shared, -np.abs(parts)))
        found = self.nearest(target, len(starts) - 1)
        place = np.flatnonzero(found.ids[0] == candidate)
        return Explanation(
            value=float(found.values[0, place[0]]) if len(place) else None,
            rank=int(place[0]) + 1 if len(place) else None,
            shared=tuple(
                SharedContext(
                    *self._name(int(shared[i])),
                    (int(counted[0][i]), int(counted[1][i])),
                    (float(pair[0][i]), float(pair[1][i])),
                    float(parts[i]),
                )
                for i in order
            ),
            sizes=(rows[0].stop - rows[0].start, rows[1].stop - rows[1].start),
        )

    def _name(self, context: int) -> tuple[str, str]:
        relation, _, other = self._space.contexts[context].partition("\t")
        return relation, other

    def _counts(self, word: int, contexts: NDArray[np.int32]) -> NDArray[np.uint32]:
        counts = self._space.counts
        row = slice(int(counts.starts[word]), int(counts.starts[word + 1]))
        return counts.counts[row][np.searchsorted(counts.contexts[row], contexts)]


@dataclass(frozen=True)
class Distributional(CandidateSource):
    """The nearest words of the same part of speech in a distributional thesaurus.

    The sentence plays no role; a target that the thesaurus does not know gets none
    (McCarthy and Navigli, 2007, section 4.2).  Candidates come nearest first; their origin
    has the measure as its group and its value as the score.

    Attributes:
        thesaurus: name of a model in the config's ``[models]`` or a place in ``[resources]``,
            or the folder of a thesaurus.
        measure: similarity or distance, as ``lin`` or ``alpha-skew(alpha=0.95)``.
        k: how many neighbours.
    """

    thesaurus: str
    measure: str = "lin"
    k: Positive = 200

    def __post_init__(self) -> None:
        super().__post_init__()
        parse_measure(self.measure)

    reads_models: ClassVar[dict[str, str]] = {"thesaurus": "thesaurus"}

    def open(self, resources: Resources) -> ByTarget:
        """Open the thesaurus."""
        folder = resources.model(self.thesaurus, "thesaurus")
        thesaurus = Thesaurus(folder, parse_measure(self.measure))

        def candidates(lemma: str, pos: str) -> Iterator[Candidate]:
            for rank, near in enumerate(thesaurus.neighbours(lemma, pos, self.k)):
                origin = Origin("distributional", rank, self.measure, near.value)
                yield Candidate(near.word, (origin,))

        return ByTarget(candidates)
