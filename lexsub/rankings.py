"""Candidates, rankings, submissions: what the stages hand on to each other, and the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from lexsub.datasets import Item
from lexsub.tables import Table, Tabular


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a candidate comes from.

    Attributes:
        source: name of the candidate source.
        rank: place in that source's own list, from 0.
        group: what relation or sense brought it in, as the source names it ("" for none).
        score: the source's own value (a similarity, a frequency), or None.
    """

    source: str
    rank: int
    group: str = ""
    score: float | None = None

    def __reduce__(self) -> tuple[type[Origin], tuple[str, int, str, float | None]]:
        # Candidates travel to workers by the hundred thousand; by its fields one at a time, as
        # dataclasses with slots pickle by themselves, that takes several times longer.
        return Origin, (self.source, self.rank, self.group, self.score)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible substitute for a target, with every source that proposed it."""

    substitute: str
    origins: tuple[Origin, ...] = ()

    def __reduce__(self) -> tuple[type[Candidate], tuple[str, tuple[Origin, ...]]]:
        return Candidate, (self.substitute, self.origins)

    @property
    def is_multiword(self) -> bool:
        """Whether the substitute is written with a blank."""
        return " " in self.substitute


class Ranked(NamedTuple):
    """A candidate with a ranker's score (the higher the better) and the names of its sources.

    Attributes:
        substitute: the candidate.
        score: comparable within an item.
        sources: who proposed it.
    """

    # A tuple is made in a third of the time of a frozen dataclass, and there are very many.
    substitute: str
    score: float
    sources: tuple[str, ...] = ()


make_ranked: Callable[[tuple[str, float, tuple[str, ...]]], Ranked] = partial(tuple.__new__, Ranked)
"""Makes one of its fields, without the constructor's own call, which takes longer than that."""


@dataclass(frozen=True, slots=True, repr=False)
class Ranking(Tabular):
    """All candidates of one item, best first; never cut, so every boundary can be tried on it."""

    id: str
    lexelt: str
    ranked: tuple[Ranked, ...]

    def top(self, n: int) -> tuple[str, ...]:
        """Return the first ``n`` substitutes (fewer where there are fewer)."""
        return tuple(entry.substitute for entry in self.ranked[:n])

    def records(self) -> list[dict[str, Any]]:
        """Return a row a candidate."""
        return [
            {
                "id": self.id,
                "lexelt": self.lexelt,
                "rank": place,
                "substitute": entry.substitute,
                "score": entry.score,
                "sources": " ".join(entry.sources),
            }
            for place, entry in enumerate(self.ranked, start=1)
        ]

    def view(self) -> Table:
        """Return the candidates, best first."""
        cells = [
            [entry.substitute, f"{entry.score:.4g}", " ".join(entry.sources)]
            for entry in self.ranked
        ]
        best = ", ".join(self.top(3)) + (" …" if len(self.ranked) > 3 else "")
        title = f"{self.lexelt} {self.id}, {len(self.ranked)} candidates: {best}"
        return Table(title, ["candidate", "score", "sources"], cells)


def rank(item: Item, candidates: Sequence[Candidate], scores: Sequence[float]) -> Ranking:
    """Order an item's candidates by falling score; see :func:`rank_all`."""
    (ranking,) = rank_all([(item, candidates)], [scores])
    return ranking


Pools = Mapping[str, Sequence[Candidate]]
"""Candidates by item id."""

ScoreParts = Mapping[str, Sequence[float]]
"""What scores are made of: by name, a number for each candidate."""


def with_pools(items: Iterable[Item], pools: Pools) -> list[tuple[Item, Sequence[Candidate]]]:
    """Set each item beside its candidates."""
    return [(item, pools[item.id]) for item in items]


def rank_all(
    entries: Iterable[tuple[Item, Sequence[Candidate]]], scores: Iterable[Sequence[float]]
) -> list[Ranking]:
    """Order the candidates of items by falling score.

    Ties keep the order in which the candidate source gave them; this is the one tie rule
    of every ranking.

    Raises:
        ValueError: the number of scores is not that of the candidates.
    """
    rankings = []
    latest: object = None
    names: Sequence[str] = ()
    sources: Sequence[tuple[str, ...]] = ()
    for (item, candidates), found in zip(entries, scores, strict=True):
        # The sentences of a target mostly share their candidates; a list may have changed.
        if candidates is not latest or not isinstance(candidates, tuple):
            latest = candidates
            names = [candidate.substitute for candidate in candidates]
            sources = [
                tuple([origin.source for origin in candidate.origins]) for candidate in candidates
            ]
        values = list(map(float, found))
        if len(values) != len(candidates):
            raise ValueError(f"{len(values)} scores for {len(candidates)} candidates")
        # A reversed sort keeps the order of equals, too.
        order = sorted(zip(names, values, sources, strict=True), key=_score, reverse=True)
        rankings.append(Ranking(item.id, str(item.lexelt), tuple(map(make_ranked, order))))
    return rankings


_score = itemgetter(Ranked._fields.index("score"))


Task = Literal["best", "oot", "mw"]
TASKS: tuple[Task, ...] = ("best", "oot", "mw")

# The blank-separated sign between an item's id and its answers.
SEPARATORS: dict[Task, str] = {"best": "::", "oot": ":::", "mw": "::"}


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of a submission.

    Attributes:
        lexelt: the target word type, as the file writes it; never compared with the gold's.
        id: the item's id.
        substitutes: the answers as the file writes them (split on ``;``, not trimmed, inner
            and leading blanks kept, trailing ones gone, as the official scorer splits); for
            mw the one multiword.
        line: 1-based line in the file, 0 for answers that come from no file.
    """

    lexelt: str
    id: str
    substitutes: tuple[str, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Submission:
    """A system's answers in file order, repeated ids included.

    Attributes:
        name: the system's name.
        task: best, oot or mw.
        answers: every line that has the format's shape.
        rejected: (1-based line number, line) of non-blank lines that do not.
    """

    name: str
    task: Task
    answers: tuple[Answer, ...]
    rejected: tuple[tuple[int, str], ...] = ()
