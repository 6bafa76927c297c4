"""The candidate source ``distributional``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.distributional.thesaurus import Thesaurus
from lexsub.candidates.opened import ByTarget
from lexsub.parts.base import CandidateSource
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources


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
    k: int = 200

    def __post_init__(self) -> None:
        parse_measure(self.measure)
        if self.k < 1:
            raise ValueError(f"k is {self.k}; expected a whole number of at least 1")

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
