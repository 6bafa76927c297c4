"""Several candidate sources as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Literal

from lexsub.candidates.opened import ByItem
from lexsub.items import Item
from lexsub.parts.base import CandidateSource, Generator
from lexsub.parts.build import Labelled
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources


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

    sources: Labelled[CandidateSource]
    order: Literal["turns", "sources"] = "turns"

    def __post_init__(self) -> None:
        if not self.sources:
            raise ValueError("sources is empty; expected at least one")
        super().__post_init__()

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
                if len(candidate.origins) == 1:  # as most of the thousands of a target
                    (origin,) = candidate.origins
                    named = Origin(label, origin.rank, origin.group, origin.score)
                    origins.setdefault(candidate.substitute, []).append(named)
                else:
                    more = _named(candidate.origins, label, rank)
                    origins.setdefault(candidate.substitute, []).extend(more)
        return [Candidate(text, tuple(found)) for text, found in origins.items()]


def _named(origins: Sequence[Origin], label: str, rank: int) -> Sequence[Origin]:
    names = {origin.source for origin in origins}
    # A union inside a union has origins of several sources; their names stay apart.
    if len(names) > 1:
        return [replace(origin, source=f"{label}/{origin.source}") for origin in origins]
    return [replace(origin, source=label) for origin in origins] or [Origin(label, rank)]
