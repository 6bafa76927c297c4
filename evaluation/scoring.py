"""Scoring systems: figures, counts, intervals and signatures in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from lexsub.datasets import Gold
from lexsub.errors import LexsubError
from lexsub.evaluation.answers import GoldLike, System, as_gold, list_for, read_system
from lexsub.evaluation.comparison import Comparison, compare
from lexsub.evaluation.figures import Figure, ItemValues, Setting, signature
from lexsub.evaluation.judging import Judge, Judged
from lexsub.evaluation.measure import Measure, parse_measures
from lexsub.evaluation.resampling import Interval, quantile_interval, stacks
from lexsub.evaluation.scores import Runs, Scores, Weights
from lexsub.formats.outputs.trec import relevance, spelled
from lexsub.matching.policies import Normalisation, policy_for
from lexsub.matching.seen import gold_under

PARTS_OF_SPEECH = ("n", "v", "a", "r")


DEFAULT_INTERVAL = Interval()


def evaluate(
    gold: GoldLike,
    systems: Mapping[str, System],
    measures: str | Iterable[str | Measure] = "best oot",
    *,
    normalise: str | Normalisation | None = None,
    subsets: Sequence[str] = ("ALL",),
    by_pos: bool = False,
    interval: Interval | None = DEFAULT_INTERVAL,
    per_item: bool = False,
) -> Scores:
    """Score systems against a gold.

    Args:
        gold: the gold standard: a Gold, weights by substitute by item id, or a data frame with
            the columns ``id``, ``substitute``, ``weight`` (and ``lexelt``).
        systems: by name: a submission, rankings, answers by item id (best first, or with their
            scores), a data frame with the columns ``id``, ``substitute`` (and ``score``), or
            one of these for each of best, oot, mw and ranking.
        measures: as ``"best oot GAP P@1 F@1..10"``, see
            :func:`lexsub.evaluation.measure.parse_measures`.
        normalise: ``clean``, ``official``, ``lemma``, or a policy of your own; None for the
            gold's own.
        subsets: some of ALL, NMWT, NMWS, RAND, MAN (where the gold knows them).
        by_pos: whether every figure is also given for each part of speech.
        interval: how intervals are made; None for none.
        per_item: whether the figures of single items are kept.

    Raises:
        UnknownNameError: a measure, normalisation or subset that does not exist.
        LexsubError: a gold that a measure or subset cannot work on, or a system in no known form.
    """
    gold = as_gold(gold)
    chosen = parse_measures(measures)
    policy = policy_for(gold, normalise)
    judge = Judge(gold, policy, systems)
    setting = Setting(gold, policy, str(interval) if interval else "")
    figures: list[Figure] = []
    items: list[ItemValues] = []
    missing: list[tuple[str, str]] = []
    for system in systems:
        for subset in subsets:
            judged = {measure: judge.judge(system, measure, subset) for measure in chosen}
            answered = {measure: one for measure, one in judged.items() if one is not None}
            if subset == subsets[0]:
                missing += [(system, str(measure)) for measure in chosen if measure not in answered]
            for pos in ("all", *(PARTS_OF_SPEECH if by_pos else ())):
                figures += _figures(system, answered, subset, pos, setting, interval)
            if per_item and subset == "ALL":
                items += [_items(system, measure, one) for measure, one in answered.items()]
    notes = {system: judge.notes(system) for system in systems}
    several = interval is not None and len(systems) > 1
    tests = partial(_tests, gold, systems, chosen, policy, interval) if several else None
    ranked = partial(_ranked, gold, systems, policy)
    return Scores(tuple(figures), tuple(items), notes, tuple(missing), tests, ranked)


def _ranked(
    gold: Gold, systems: Mapping[str, System], policy: Normalisation
) -> tuple[Weights, dict[str, Runs]]:
    """Return gold and systems as tools of information retrieval have them: qrels and runs."""
    official = policy.name == "official"
    seen = gold_under(gold, "clean" if official else policy)
    runs: dict[str, Runs] = {}
    for name, system in systems.items():
        lines = list_for(read_system(name, system), "ranking")
        if lines is not None:
            answered = lines.answered
            given = {key: answered[key] for key in seen if key in answered}
            runs[name] = {
                key: spelled(seen[key], one.answers, one.scores) for key, one in given.items()
            }
    return relevance(seen), runs


def _tests(
    gold: Gold,
    systems: Mapping[str, System],
    measures: Sequence[Measure],
    policy: Normalisation,
    interval: Interval | None,
) -> Comparison | None:
    """Test all pairs of systems; None where there is nothing that all answer."""
    try:
        return compare(gold, systems, measures, normalise=policy, resampling=interval)
    except LexsubError:
        return None


def _items(system: str, measure: Measure, judged: Judged) -> ItemValues:
    rows = np.flatnonzero(judged.counted.mask)
    ids = tuple(judged.gold.ids[row] for row in rows)
    return ItemValues(system, str(measure), ids, measure.value(judged.statistics[rows]))


def _figures(
    system: str,
    answered: Mapping[Measure, Judged],
    subset: str,
    pos: str,
    setting: Setting,
    interval: Interval | None,
) -> list[Figure]:
    if pos != "all":
        answered = {measure: judged.of_pos(pos) for measure, judged in answered.items()}
        if not any(judged.counted.mask.any() for judged in answered.values()):
            return []
    bounds = _bounds(answered, interval) if interval else {}
    figures = []
    for measure, judged in answered.items():
        low, high = bounds.get(measure, (float("nan"), float("nan")))
        items = int(judged.counted.mask.sum())
        figures.append(
            Figure(
                system=system,
                measure=str(measure),
                subset=subset,
                pos=pos,
                value=float(measure.value(judged.statistics.sum(axis=0))),
                low=low,
                high=high,
                unit=measure.unit,
                items=items,
                attempted=int(judged.attempted.sum()),
                skipped=judged.counted.skipped,
                signature=signature(measure, setting, subset=subset, pos=pos, items=items),
                targets=judged.targets,
            )
        )
    return figures


def _bounds(
    answered: Mapping[Measure, Judged], interval: Interval
) -> dict[Measure, tuple[float, float]]:
    """Resample the units that have a counted item, for all measures with one set of draws."""
    return {
        measure: quantile_interval(figures, interval.level)
        for stack in stacks(
            {measure: {"": one} for measure, one in answered.items()}, interval.unit
        )
        if stack.units
        for (measure, _), figures in stack.bootstrap(interval.resamples, interval.seed).items()
    }
