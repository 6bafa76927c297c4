"""What each kind of part must offer to be named in a config, and what it may offer besides.

A *part* (a candidate source, a ranker, a boundary …) is a frozen dataclass: its fields are
its options, validated from the config by their types, printed with their defaults in the
resolved config and hashed into the cache key.  Making one reads nothing.  ``open`` reads
what it needs and returns the object that does the work, item by item; ``inputs`` names
the files that ``open`` would read, so that a finished stage can be reused as long as they
are the same.

Each kind is a class here.  What is abstract every part of the kind has; the other methods have
defaults.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeAlias

from lexsub.datasets import Dataset, Gold, Item
from lexsub.errors import LexsubError, look_for
from lexsub.parts.build import Named, inner_parts
from lexsub.parts.registry import Registry, follows
from lexsub.rankings import Candidate, Ranking
from lexsub.resources import Resources

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float32]


class Part(Named):
    """What all parts share."""

    inflected: bool = False
    """Whether it puts words into the target's form, for which a language may want an extra."""

    blind: ClassVar[bool] = False
    """Whether it looks at a lemma and its part of speech alone, not at the sentence."""

    reads_models: ClassVar[dict[str, str]] = {}
    """Options that name a model it reads, and the kind of each, as of ``Resources.model``."""

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the files whose content decides this part's output.

        Here those models, and the files of the parts in its options.

        Raises:
            MissingResourceError: one of them is not there; the text says how to get it.
        """
        models = self.reads_models.items()
        own = [resources.model(getattr(self, option), kind) for option, kind in models]
        theirs = [path for part in inner_parts(self) for path in part.inputs(resources)]
        return list(dict.fromkeys([*own, *theirs]))

    extras: ClassVar[tuple[tuple[str, str, str, str], ...]] = ()
    """What its work always imports of the extras; see :func:`lexsub.errors.look_for`."""

    def check_extras(self) -> None:
        """Look for what its work will import of the extras, before any work is done.

        Raises:
            LexsubError: a library, or a model that is installed like one, is not there.
        """
        for needed in self.extras:
            look_for(*needed)

    def report(self, resources: Resources) -> Mapping[str, object]:
        """Return what a run's manifest says of it: plain JSON values by topic; here its parts'."""
        notes: dict[str, object] = {}
        for part in inner_parts(self):
            notes |= part.report(resources)
        return notes


class Generator(Protocol):
    """An opened candidate source."""

    def candidates(self, item: Item) -> Sequence[Candidate]:
        """Return candidates for an item, best first by the source's own lights.

        The target itself and duplicates are left out.
        """
        ...


class CandidateSource(Part, ABC):
    """Proposes substitutes for a target."""

    needs_gold: ClassVar[bool] = False
    """Whether it looks at the gold of the data it works on: its answers are an oracle's."""

    @abstractmethod
    def open(self, resources: Resources) -> Generator:
        """Read what is needed and return the working source."""

    def __post_init__(self) -> None:
        """Note whether it looks at the gold: it does if one of the sources that it asks does."""
        super().__post_init__()
        if any(one.needs_gold for one in inner_parts(self) if isinstance(one, CandidateSource)):
            object.__setattr__(self, "needs_gold", True)


class Detector(Protocol):
    """An opened multiword detector."""

    def multiword(self, item: Item) -> str | None:
        """Return the multiword that the item's target is part of, or None."""
        ...


class MultiwordSource(Part, ABC):
    """Finds the multiword that a target is part of (task mw)."""

    @abstractmethod
    def open(self, resources: Resources) -> Detector:
        """Read what is needed and return the working detector."""


Explained: TypeAlias = tuple[Sequence[float], Mapping[str, Sequence[float]]]
"""Scores of candidates, and the named values that they are made of."""


class Opened(ABC):
    """What opening a part returns, where a class says what it must have."""

    page: ClassVar[str]
    """Where that is described."""

    def __new__(cls, *_: object, **__: object) -> Self:
        """Refuse a class that lacks a method: its author reads one line.

        Raises:
            LexsubError: it does.
        """
        if missing := sorted(cls.__abstractmethods__):
            raise LexsubError(f"{cls.__name__} has no {' and no '.join(missing)} (see {cls.page})")
        return super().__new__(cls)


class Scorer(Opened):
    """An opened ranker."""

    page = "docs/how-to/ranker.md"

    stands_in: bool = False
    """Whether it stands in for one whose libraries are not installed."""

    @abstractmethod
    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return a score for each candidate, comparable within the item, higher is better."""

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return the named values that a score is made of, for explanations; here none."""
        return {}

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return scores and parts; for some scorers they are one piece of work."""
        return self.scores(item, candidates), self.parts(item, candidates)

    def reasons(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[Sequence[str]]:
        """Return for each candidate what speaks for it, in words; here nothing."""
        return [() for _ in candidates]


class Ranker(Part, ABC):
    """Orders the candidates of an item."""

    needs_gold: ClassVar[bool]
    """Whether it looks at the gold of the data it ranks (an oracle); every ranker says so."""

    @abstractmethod
    def open(self, resources: Resources, data: Dataset) -> Scorer:
        """Read what is needed and return the working ranker."""

    def open_sharing(self, resources: Resources, data: Dataset, shared: dict[str, Any]) -> Scorer:
        """Open as ``open`` does, where several rankers are opened side by side.

        Args:
            resources: as of ``open``.
            data: as of ``open``.
            shared: what rankers leave there by names of their own for the next ones.
        """
        return self.open(resources, data)

    def families(self, resources: Resources) -> Mapping[str, FeatureFamily]:
        """Return the feature families that it reads, by label; here none.

        Their values are computed before it is opened and are in
        :attr:`lexsub.resources.Resources.features`.
        """
        return {}

    def ranks_with(self) -> str:
        """Return the name of the learned model of ``[models]`` that it ranks with, or ""."""
        return ""


@dataclass(frozen=True, slots=True)
class Feature:
    """One number that a family knows of a candidate.

    Attributes:
        name: unique within its family.
        text: one line: what it says, in which unit.
        within: whether it means most in comparison with the item's other candidates, so that
            its rank, z-score and distance to the best are features as well; flags, and what
            is the same for all candidates, need no comparison.
    """

    name: str
    text: str
    within: bool = True


class Extractor(Opened):
    """An opened family."""

    page = "docs/how-to/learn.md"

    @abstractmethod
    def values(self, item: Item, candidates: Sequence[Candidate]) -> Values:
        """Return the features, shape (candidates, features); NaN where nothing is known."""

    def prepare(self, items: Sequence[Item]) -> None:
        """Get ready for the values of these items, which are asked for next.

        It never changes a value; some families do part of their work faster for several items at
        once.
        """

    def reasons(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[Sequence[str]]:
        """Return for each candidate what speaks for it, as "fits after *too*"; here nothing."""
        return [() for _ in candidates]


class FeatureFamily(Part, ABC):
    """Some related features: what a learned ranker may know of a candidate.

    It computes a few related numbers for all candidates of an item at once, and lives in the room
    whose models it reads.
    """

    @abstractmethod
    def features(self) -> Sequence[Feature]:
        """Return what the columns of :meth:`Extractor.values` are, in their order."""

    @abstractmethod
    def open(self, resources: Resources) -> Extractor:
        """Read what is needed and return the working family."""

    def open_beside(self, resources: Resources, shared: dict[str, Any]) -> Extractor:
        """Open as ``open`` does, where it asks other families, which are opened already.

        Args:
            resources: as of ``open``.
            shared: what rankers share (:meth:`Ranker.open_sharing`).
        """
        return self.open(resources)


class ModelBuilder(Part, ABC):
    """Trains a model that rankers or candidate sources use (an entry of ``[models]``)."""

    needs_words: ClassVar[bool] = False
    """Whether it keeps only what the systems of the run may answer.

    They are in :attr:`lexsub.resources.Resources.words` when it builds.
    """

    @abstractmethod
    def build(self, resources: Resources, folder: Path) -> None:
        """Write the model's files into ``folder``.

        The folder exists, is empty, and is kept only when this returns.
        """

    def learns_from_gold(self) -> GoldLearner | None:
        """Return itself where it learns from candidates, features and gold of some splits."""
        return None


class GoldLearner(ModelBuilder):
    """A model builder that learns from candidates, features and gold of some splits.

    They are in ``training`` and ``features`` of the resources when it builds.
    """

    data: Sequence[str]
    """The splits, as ``semeval2007/trial``."""

    system: str
    """The system whose candidates are learned from; "" for the first that has the model."""

    without: Sequence[str]
    """Splits that tell what is left out of all others."""

    def learns_from_gold(self) -> GoldLearner:
        """Return itself."""
        return self

    @abstractmethod
    def chosen(self, data: Dataset, left_out: Sequence[Dataset], seed: int) -> Dataset:
        """Return a split with the items that are learned from.

        Args:
            data: the split.
            left_out: the splits of ``without``.
            seed: of what is drawn.
        """

    @abstractmethod
    def families(self) -> Mapping[str, FeatureFamily]:
        """Return the feature families by label."""


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


class Boundary(Part, ABC):
    """Draws the line between good and bad in a ranking."""

    needs_gold: ClassVar[bool]
    """Whether it looks at the gold of the items it cuts (an oracle)."""

    needs_tuning: ClassVar[bool]
    """Whether it learns from a tuning split."""

    others: Sequence[str] = ()
    """Systems at whose rankings it looks.

    They are in ``options["others"]`` of its context, by system and item id.
    """

    @abstractmethod
    def fit(self, context: BoundaryContext) -> Cutter:
        """Learn what is needed and return the working boundary."""


def registry_of(kind: str, base: type[Any], page: str) -> Registry[Any]:
    """Return the registry of a kind of parts, which are also options of others.

    Args:
        kind: what it is called.
        base: the class of all of them.
        page: where it is described, below ``docs/how-to``.
    """
    registry = Registry[Any](kind, follows(base, f"docs/how-to/{page}"))
    base.registry = registry
    return registry


SOURCES: Registry[type[CandidateSource]]
SOURCES = registry_of("candidate source", CandidateSource, "source.md")
DETECTORS: Registry[type[MultiwordSource]]
DETECTORS = registry_of("multiword detector", MultiwordSource, "source.md")
RANKERS: Registry[type[Ranker]] = registry_of("ranker", Ranker, "ranker.md")
FEATURES: Registry[type[FeatureFamily]] = registry_of("feature family", FeatureFamily, "learn.md")
BUILDERS: Registry[type[ModelBuilder]] = registry_of("model kind", ModelBuilder, "ranker.md")
BOUNDARIES: Registry[type[Boundary]] = registry_of("boundary", Boundary, "boundary.md")
