"""What each stage must offer to be named in a config.

A *part* (a candidate source, a ranker, a boundary …) is a frozen dataclass: its fields are
its options, validated from the config by their types, printed with their defaults in the
resolved config and hashed into the cache key.  Making one reads nothing.  ``open`` reads
what it needs and returns the object that does the work, item by item; ``inputs`` names
the files that ``open`` would read, so that a finished stage can be reused as long as they
are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeAlias, runtime_checkable

from lexsub.datasets import Dataset
from lexsub.golds import Gold
from lexsub.items import Item
from lexsub.parts.contracts import follows
from lexsub.parts.registry import Registry
from lexsub.rankings import Candidate, Ranking
from lexsub.resources import Resources


class Part(Protocol):
    """What all parts share."""

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the files whose content decides this part's output.

        Raises:
            MissingResourceError: one of them is not there; the text says how to get it.
        """
        ...


@runtime_checkable
class Reporting(Protocol):
    """A part that has something to say in the manifest of a run."""

    def report(self, resources: Resources) -> Mapping[str, object]:
        """Return plain JSON values by topic, such as the WordNet version found."""
        ...


@runtime_checkable
class LooksAtGold(Protocol):
    """A part that says whether it looks at the gold of the data it works on.

    Every ranker and boundary says so; of candidate sources those do that may.
    """

    needs_gold: ClassVar[bool]
    """Whether it does: its answers are an oracle's."""


def needs_gold(part: object) -> bool:
    """Say whether a part looks at the gold of the data it works on."""
    return isinstance(part, LooksAtGold) and bool(part.needs_gold)


class Generator(Protocol):
    """An opened candidate source."""

    def candidates(self, item: Item) -> Sequence[Candidate]:
        """Return candidates for an item, best first by the source's own lights.

        The target itself and duplicates are left out.
        """
        ...


class CandidateSource(Part, Protocol):
    """Proposes substitutes for a target."""

    def open(self, resources: Resources) -> Generator:
        """Read what is needed and return the working source."""
        ...


class Detector(Protocol):
    """An opened multiword detector."""

    def multiword(self, item: Item) -> str | None:
        """Return the multiword that the item's target is part of, or None."""
        ...


class MultiwordSource(Part, Protocol):
    """Finds the multiword that a target is part of (task mw)."""

    def open(self, resources: Resources) -> Detector:
        """Read what is needed and return the working detector."""
        ...


class Scorer(Protocol):
    """An opened ranker."""

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return a score for each candidate, comparable within the item, higher is better."""
        ...

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return the named values that a score is made of, for explanations."""
        ...


Explained: TypeAlias = tuple[Sequence[float], Mapping[str, Sequence[float]]]
"""Scores of candidates, and the named values that they are made of."""


@runtime_checkable
class Explaining(Protocol):
    """A scorer for which scores and parts are one piece of work; it need not be done twice."""

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return what ``scores`` and ``parts`` of :class:`Scorer` would."""
        ...


@runtime_checkable
class StandsIn(Protocol):
    """A scorer that may stand in for one whose libraries are not installed."""

    @property
    def stands_in(self) -> bool:
        """Whether it does."""
        ...


class Ranker(Part, Protocol):
    """Orders the candidates of an item."""

    needs_gold: ClassVar[bool]
    """Whether it looks at the gold of the data it ranks (an oracle)."""

    def open(self, resources: Resources, data: Dataset) -> Scorer:
        """Read what is needed and return the working ranker."""
        ...


@runtime_checkable
class Sharing(Protocol):
    """A ranker of which several, side by side, need not each do what all of them need."""

    def open_sharing(self, resources: Resources, data: Dataset, shared: dict[str, Any]) -> Scorer:
        """Open as ``open`` does.

        Args:
            resources: as of ``open``.
            data: as of ``open``.
            shared: what rankers leave there by names of their own for the next ones.
        """
        ...


class ModelBuilder(Part, Protocol):
    """Trains a model that rankers or candidate sources use (an entry of ``[models]``)."""

    def build(self, resources: Resources, folder: Path) -> None:
        """Write the model's files into ``folder``.

        The folder exists, is empty, and is kept only when this returns.
        """
        ...


@runtime_checkable
class WantsWords(Protocol):
    """A model builder that keeps only what the systems of the run may answer.

    They are in :attr:`lexsub.resources.Resources.words` when it builds.
    """

    needs_words: ClassVar[bool]


@runtime_checkable
class LearnsFromGold(Protocol):
    """A model builder that learns from candidates, features and gold of some splits.

    They are in ``training`` and ``features`` of the resources when it builds.
    """

    needs_training: ClassVar[bool]

    @property
    def data(self) -> Sequence[str]:
        """The splits, as ``semeval2007/trial``."""
        ...

    @property
    def system(self) -> str:
        """The system whose candidates are learned from; "" for the first that has the model."""
        ...

    @property
    def without(self) -> Sequence[str]:
        """Splits that tell what is left out of all others."""
        ...

    def chosen(self, data: Dataset, left_out: Sequence[Dataset], seed: int) -> Dataset:
        """Return a split with the items that are learned from.

        Args:
            data: the split.
            left_out: the splits of ``without``.
            seed: of what is drawn.
        """
        ...

    def families(self) -> Mapping[str, Part]:
        """Return the feature families by label."""
        ...


@runtime_checkable
class WantsFeatures(Protocol):
    """A ranker that reads features of candidates, computed before it is opened.

    Their tables are in :attr:`lexsub.resources.Resources.features`.
    """

    needs_features: ClassVar[bool]

    def families(self, resources: Resources) -> Mapping[str, Part]:
        """Return the feature families by label."""
        ...


@runtime_checkable
class HasModel(Protocol):
    """A part that works with a model of the config's ``[models]``."""

    @property
    def model(self) -> str:
        """The model's name."""
        ...


@runtime_checkable
class AsksOthers(Protocol):
    """A boundary that looks at the rankings of other systems.

    They are in ``options["others"]`` of its context, by system and item id.
    """

    @property
    def others(self) -> Sequence[str]:
        """The systems' names."""
        ...


@dataclass(frozen=True, slots=True)
class Tuning:
    """Rankings of the same system on items it may learn from, with their gold."""

    rankings: Sequence[Ranking]
    gold: Gold


@dataclass(frozen=True, slots=True)
class BoundaryContext:
    """What a boundary may learn from before it cuts.

    Attributes:
        gold: the gold of the rankings to be cut; only oracles look at it.
        tuning: rankings and gold of a tuning split, or None.
        seed: seed for everything random.
        options: room for what a strategy needs beyond these.
    """

    gold: Gold | None = None
    tuning: Tuning | None = None
    seed: int = 0
    options: Mapping[str, object] = field(default_factory=dict)


class Cutter(Protocol):
    """A boundary that has learned what it needed to."""

    def cut(self, ranking: Ranking) -> int:
        """Return how many of the ranking's first candidates are answers (0 for none)."""
        ...


class Boundary(Protocol):
    """Draws the line between good and bad in a ranking."""

    needs_gold: ClassVar[bool]
    """Whether it looks at the gold of the items it cuts (an oracle)."""

    needs_tuning: ClassVar[bool]
    """Whether it learns from a tuning split."""

    def fit(self, context: BoundaryContext) -> Cutter:
        """Learn what is needed and return the working boundary."""
        ...


PAGES = "docs/how-to"

SOURCES: Registry[type[CandidateSource]] = Registry(
    "candidate source", follows(CandidateSource, f"{PAGES}/source.md")
)
DETECTORS: Registry[type[MultiwordSource]] = Registry(
    "multiword detector", follows(MultiwordSource, "lexsub/parts/base.py")
)
RANKERS: Registry[type[Ranker]] = Registry(
    "ranker", follows(Ranker, f"{PAGES}/ranker.md", WantsFeatures)
)
BUILDERS: Registry[type[ModelBuilder]] = Registry(
    "model kind", follows(ModelBuilder, f"{PAGES}/ranker.md", LearnsFromGold)
)
BOUNDARIES: Registry[type[Boundary]] = Registry(
    "boundary", follows(Boundary, f"{PAGES}/boundary.md")
)
