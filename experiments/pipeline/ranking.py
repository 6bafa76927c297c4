"""Rankings of a data set by one ranker, without a config."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, cast

from lexsub import rankings
from lexsub.datasets import Dataset
from lexsub.errors import LexsubError
from lexsub.experiments.pipeline.makers.candidates import generate
from lexsub.experiments.pipeline.makers.rankings import order
from lexsub.parts.base import RANKERS, SOURCES, Ranker
from lexsub.parts.build import build_part
from lexsub.parts.checked import open_checked
from lexsub.rankers.explained import ExplainedScorer
from lexsub.rankers.function import RankingFunction, function_scorer
from lexsub.rankings import Candidate, Ranking
from lexsub.resources import Resources

Pools = Mapping[str, Sequence[str]]
"""Substitutes by item id."""


def rank_data(
    data: Dataset,
    ranker: RankingFunction | str | Mapping[str, Any],
    candidates: str | Mapping[str, Any] | Pools,
    resources: Resources,
) -> list[Ranking]:
    """Rank the candidates of every item; see :func:`lexsub.rank`."""
    resources = replace(resources, language=data.language)
    if callable(ranker):
        part: Ranker = _Given(ranker)
    else:
        if isinstance(ranker, str) and ":" in ranker:
            ranker = {"name": "function", "call": ranker}
        part = build_part(RANKERS, ranker, "ranker")
    if part.needs_gold:
        raise LexsubError("that ranker looks at the gold; expected one that does not")
    pools = _pools(data, candidates, resources)
    opened = partial(open_checked, part, "given", resources, data)
    return order(opened, resources, data, pools, explain=False)[0]


def _pools(
    data: Dataset, candidates: str | Mapping[str, Any] | Pools, resources: Resources
) -> rankings.Pools:
    if isinstance(candidates, str) or isinstance(candidates.get("name"), str):
        source = build_part(SOURCES, cast("str | Mapping[str, Any]", candidates), "candidates")
        return dict(generate(source, resources, data))
    pools = cast(Pools, candidates)
    for item_id, substitutes in pools.items():
        if isinstance(substitutes, str):
            raise LexsubError(f"candidates of item {item_id} are a string; expected a list")
    # Repeated candidates are dropped: each would get a place of its own in the ranking.
    return {
        item.id: tuple(map(Candidate, dict.fromkeys(pools.get(item.id, ())))) for item in data.items
    }


@dataclass(frozen=True)
class _Given(Ranker):
    """A function at hand, as a ranker."""

    function: RankingFunction

    needs_gold: ClassVar[bool] = False

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Return the function as a scorer."""
        return function_scorer(self.function, str(getattr(self.function, "__name__", "given")))
