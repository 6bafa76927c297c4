"""The candidate source ``vectors``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from lexsub.candidates.opened import ByTarget
from lexsub.parts.base import CandidateSource
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources
from lexsub.vectors.vectors import open_vectors


@dataclass(frozen=True)
class NearestVectors(CandidateSource):
    """The words whose vectors are nearest to the target's.

    The sentence plays no role; a target without a vector gets none.  Candidates come nearest
    first; the score of their origin is the cosine.  Vectors of forms know no parts of speech
    and bring inflected forms in, too.

    Attributes:
        vectors: name of a model in the config's ``[models]`` or a place in ``[resources]``,
            or a folder of vectors.
        k: how many neighbours.
    """

    vectors: str
    k: int = 50

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError(f"k is {self.k}; expected a whole number of at least 1")

    reads_models: ClassVar[dict[str, str]] = {"vectors": "vectors"}

    def open(self, resources: Resources) -> ByTarget:
        """Open the vectors."""
        vectors = open_vectors(resources, self.vectors)

        def candidates(lemma: str, pos: str) -> Iterator[Candidate]:
            found = vectors.nearest(lemma, pos, self.k)
            others = (near for near in found if near.word.lower() != lemma.lower())
            for rank, near in enumerate(others):
                yield Candidate(near.word, (Origin("vectors", rank, "", near.value),))

        return ByTarget(candidates)
