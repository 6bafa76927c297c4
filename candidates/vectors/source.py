"""The candidate source ``vectors``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lexsub.candidates.registry import SOURCES
from lexsub.items import Item
from lexsub.keeping import Kept
from lexsub.parts import model_folder
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources
from lexsub.vectors import Vectors, open_vectors


@SOURCES.register("vectors")
@dataclass(frozen=True)
class NearestVectors:
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

    inputs = model_folder("vectors", "vectors")

    def open(self, resources: Resources) -> VectorCandidates:
        """Open the vectors."""
        return VectorCandidates(self, open_vectors(resources, self.vectors))


@dataclass
class VectorCandidates:
    """The working source; it keeps the list of each target."""

    options: NearestVectors
    vectors: Vectors
    _lists: dict[tuple[str, str], tuple[Candidate, ...]] = field(default_factory=lambda: Kept(128))

    def candidates(self, item: Item) -> Sequence[Candidate]:
        """Return the target's neighbours, the nearest first."""
        key = (item.lemma, item.pos)
        if key not in self._lists:
            found = [
                near
                for near in self.vectors.nearest(*key, self.options.k)
                if near.word.lower() != item.lemma.lower()
            ]
            self._lists[key] = tuple(
                Candidate(near.word, (Origin("vectors", rank, "", near.value),))
                for rank, near in enumerate(found)
            )
        return self._lists[key]
