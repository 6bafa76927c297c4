"""Ceilings and floors as systems: what candidates allow, and what no knowledge gets.

Each function returns a system that :func:`lexsub.evaluation.scoring.evaluate` scores like any
other, so a ceiling stands in the same table, under the same measures and signatures.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from lexsub.datasets import Gold
from lexsub.evaluation.answers import OOT_LIMIT, Lists
from lexsub.evaluation.resampling import Interval
from lexsub.evaluation.scores import Scores
from lexsub.evaluation.scoring import evaluate
from lexsub.evaluation.sheets import is_multiword
from lexsub.formats.variants import pool_candidates, pool_key
from lexsub.matching.policies import Normalisation
from lexsub.matching.seen import gold_under
from lexsub.rankings import Ranked, Ranking

Pool = Mapping[str, Sequence[str]]
"""Candidates by item id."""


def oracle(
    gold: Gold, pool: Pool | None = None, *, normalise: str | Normalisation | None = None
) -> dict[str, Lists]:
    """Rank each item's candidates by their gold weight: the ceiling of a candidate source.

    Args:
        gold: the gold standard.
        pool: candidates by item id; None for the gold's own substitutes (the ceiling of the
            measure itself).
        normalise: the policy under which candidates and gold are compared, None for the
            gold's own; score the result under the same one.

    Returns:
        Lists for best (the first), oot (the right ones among the first ten, or the first
        where none is right) and ranking (all candidates, equal ones in pool order, repeated
        ones once).
    """
    best: dict[str, list[str]] = {}
    oot: dict[str, list[str]] = {}
    ranking: dict[str, list[str]] = {}
    for item_id, seen in gold_under(gold, normalise).items():
        candidates = list(seen.row.weights) if pool is None else pool.get(item_id, ())
        weights: dict[str, float] = {}
        for candidate in candidates:
            if form := seen.form(candidate):
                weights.setdefault(form, seen.row.lookup.get(form, 0.0))
        ranked = sorted(weights, key=lambda form: -weights[form])
        if not ranked:
            continue
        right = [form for form in ranked if weights[form] > 0]
        best[item_id] = ranked[:1]
        oot[item_id] = (right or ranked[:1])[:OOT_LIMIT]
        ranking[item_id] = ranked
    return {"best": best, "oot": oot, "ranking": ranking}


def ceiling(
    gold: Gold,
    pool: Pool,
    measures: str = "best oot",
    *,
    normalise: str | Normalisation | None = None,
    interval: Interval | None = None,
) -> Scores:
    """Score the oracle over a candidate pool; the system is called ``oracle``."""
    system = oracle(gold, pool, normalise=normalise)
    return evaluate(gold, {"oracle": system}, measures, normalise=normalise, interval=interval)


def random_order(pool: Pool, seed: int = 0) -> dict[str, list[str]]:
    """Shuffle each item's candidates; an item's order depends on seed and id alone."""
    shuffled = {}
    for item_id, candidates in pool.items():
        order = list(dict.fromkeys(candidates))
        random.Random(f"{seed}:{item_id}").shuffle(order)
        shuffled[item_id] = order
    return shuffled


def all_tied(pool: Pool) -> list[Ranking]:
    """Give all candidates the same score.

    Under a measure with ``ties=expected`` its figure is the exact mean of all random orders:
    the floor, without sampling.
    """
    return [
        Ranking(item_id, "", tuple(Ranked(c, 0.0) for c in dict.fromkeys(candidates)))
        for item_id, candidates in pool.items()
    ]


def pooled_candidates(gold: Gold, *, multiwords: bool = False) -> dict[str, list[str]]:
    """Pool the gold substitutes of all items of a target, for each of its items.

    The set-up in which rankings are compared since Thater, Fürstenau and Pinkal (2010) and
    Melamud et al. (2015): candidates are known, only their order is to be found.

    Args:
        gold: the gold, trial and test together in most papers (``semeval2007/all``).
        multiwords: keep substitutes with a blank or hyphen; the papers leave them out.
    """
    pools = {
        target: sorted(c for c in candidates if multiwords or not is_multiword(c))
        for target, candidates in pool_candidates(gold.items.values()).items()
    }
    # In order of name: the order of the gold file would let its counts leak into ties.
    return {item.id: pools[pool_key(item.lexelt)] for item in gold.items.values()}


def given_candidates(gold: Gold, pools: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Give each item the candidates of its target, as a published pool file has them.

    Args:
        gold: the gold.
        pools: target to candidates; see :mod:`lexsub.formats.variants`.
    """
    return {item.id: pools.get(pool_key(item.lexelt), ()) for item in gold.items.values()}
