"""The candidate source ``distributional``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.distributional.thesaurus import Thesaurus
from lexsub.candidates.registry import SOURCES
from lexsub.items import Item
from lexsub.keeping import Kept
from lexsub.parts import model_folder
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources


@SOURCES.register("distributional")
@dataclass(frozen=True)
class Distributional:
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

    inputs = model_folder("thesaurus", "thesaurus")

    def open(self, resources: Resources) -> DistributionalCandidates:
        """Open the thesaurus."""
        folder = resources.model(self.thesaurus, "thesaurus")
        return DistributionalCandidates(self, Thesaurus(folder, parse_measure(self.measure)))


@dataclass
class DistributionalCandidates:
    """The working source; it keeps the list of each target."""

    options: Distributional
    thesaurus: Thesaurus
    _lists: dict[tuple[str, str], tuple[Candidate, ...]] = field(default_factory=lambda: Kept(128))

    def candidates(self, item: Item) -> Sequence[Candidate]:
        """Return the target's neighbours, the nearest first."""
        key = (item.lemma, item.pos)
        if key not in self._lists:
            found = self.thesaurus.neighbours(*key, self.options.k)
            self._lists[key] = tuple(
                Candidate(
                    neighbour.word,
                    (Origin("distributional", rank, self.options.measure, neighbour.value),),
                )
                for rank, neighbour in enumerate(found)
            )
        return self._lists[key]
