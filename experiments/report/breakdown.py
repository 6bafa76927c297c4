"""The figures by part of speech, target, number of gold answers, and origin of the candidates."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lexsub.boundary.curves import LARGEST
from lexsub.datasets import PARTS_OF_SPEECH
from lexsub.experiments.report.charts import Chart, Series
from lexsub.experiments.report.item_scores import ItemScores, mean
from lexsub.experiments.report.runs import RunSystem
from lexsub.experiments.results.scoring import SystemScores

MEASURE = "oot-R"
"""The measure that breaks down: a mean over items, so that groups are means over theirs."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some items.

    Attributes:
        name: what they have in common.
        items: how many are scored.
        values: each system's figure on them, in percent; NaN where none is scored.
    """

    name: str
    items: int
    values: tuple[float, ...]


def by_pos(item_scores: ItemScores) -> list[Group]:
    """Return the groups of items by part of speech, those without any left out."""
    names = [item.pos for item in item_scores.reported.data.items]
    return _groups(item_scores, names, list(PARTS_OF_SPEECH))


def by_target(item_scores: ItemScores) -> list[Group]:
    """Return the groups of items by target, in the order of the data."""
    names = [str(item.lexelt) for item in item_scores.reported.data.items]
    return _groups(item_scores, names, list(dict.fromkeys(names)))


def by_gold_size(item_scores: ItemScores) -> list[Group]:
    """Return the groups of items by how many different answers people gave."""
    gold = item_scores.gold
    sizes = [
        str(len(gold[item.id].row.weights)) if item.id in gold else ""
        for item in item_scores.reported.data.items
    ]
    return _groups(item_scores, sizes, sorted(set(sizes) - {""}, key=int))


def _groups(item_scores: ItemScores, names: Sequence[str], order: Sequence[str]) -> list[Group]:
    values = item_scores.values[MEASURE]
    rows: dict[str, list[int]] = defaultdict(list)
    for row, name in enumerate(names):
        rows[name].append(row)
    groups = []
    for name in order:
        part = values[:, rows[name]]
        counted = int((~np.isnan(part)).any(axis=0).sum()) if part.size else 0
        if counted:
            groups.append(Group(name, counted, tuple(100 * mean(one) for one in part)))
    return groups


def pos_chart(item_scores: ItemScores) -> Chart | None:
    """Return bars of recall by part of speech; None without items to show."""
    groups = by_pos(item_scores)
    if not groups:
        return None
    series = []
    for number, system in enumerate(item_scores.reported.answering):
        points = tuple((float(i), group.values[number]) for i, group in enumerate(groups))
        series.append(Series(system.name, system.letter, points))
    names = tuple(f"{PARTS_OF_SPEECH[group.name]}s" for group in groups)
    title, x = f"{MEASURE} by part of speech, percent", "part of speech"
    return Chart("by-pos", title, x, MEASURE, tuple(series), kind="bars", categories=names)


def ceiling_chart(item_scores: ItemScores) -> Chart | None:
    """Return bars of best and oot recall: each system, and a perfect ranker over its candidates."""
    systems = [system for system in item_scores.reported.systems if system.part.has_candidates]
    measures = [m for m in ("best-R", "oot-R") if any(m in s.scores.figures for s in systems)]
    if not measures:
        return None
    series: list[Series] = []
    for measure in measures:
        reached = Series(f"{measure}, reached", "", _bars(measure, [s.scores for s in systems]))
        most = _bars(measure, [system.ceiling for system in systems])
        series += [reached, Series(f"{measure}, ceiling", "", most, len(series), "outline")]
    title = "Recall reached, and the ceiling of the candidates, percent"
    names = tuple(f"{system.letter} {system.name}" for system in systems)
    return Chart(
        "ceilings", title, "system", "recall", tuple(series), kind="bars", categories=names
    )


def _bars(measure: str, scores: Iterable[SystemScores]) -> tuple[tuple[float, float], ...]:
    found = (one.figures.get(measure) for one in scores)
    values = (100 * figure.value if figure is not None else math.nan for figure in found)
    return tuple((float(place), value) for place, value in enumerate(values))


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the gold a system's candidates contain, over the scored items.

    Attributes:
        system: the system.
        mean: candidates an item, mean.
        empty: items without a candidate.
        types: share of the different human answers among the candidates, in percent.
        tokens: share of all human answers, in percent.
        top: share of the human answers (tokens) among the first ten.
    """

    system: RunSystem
    mean: float
    empty: int
    types: float
    tokens: float
    top: float


def coverage(item_scores: ItemScores) -> list[Coverage]:
    """Return how much of the gold each system's candidates hold."""
    found = []
    for system in item_scores.reported.generating:
        sizes, types, tokens, top = [], [0, 0], [0.0, 0.0], 0.0
        for item, gold in item_scores.scored:
            ranking = system.rankings.get(item.id)
            worth = gold.worth([e.substitute for e in ranking.ranked]) if ranking else []
            sizes.append(len(worth))
            types[0] += len(right := list(filter(None, worth)))
            types[1] += len(gold.row.weights)
            tokens[0] += sum(right)
            tokens[1] += gold.total
            top += sum(filter(None, worth[:LARGEST]))
        if sizes and types[1]:
            shares = (100 * types[0] / types[1], 100 * tokens[0] / tokens[1], 100 * top / tokens[1])
            found.append(Coverage(system, sum(sizes) / len(sizes), sizes.count(0), *shares))
    return found


@dataclass(frozen=True, slots=True)
class OriginFigures:
    """The candidates of one origin in a system's rankings, over the scored items.

    Attributes:
        system: the system.
        origin: source, with the relation or measure where it is known.
        candidates: how many there are.
        right: of these, in the gold; in percent.
        top: of these, among their item's first ten; in percent.
        top_right: of those among the first ten, in the gold; in percent, NaN for none.
    """

    system: RunSystem
    origin: str
    candidates: int
    right: float
    top: float
    top_right: float


def by_origin(item_scores: ItemScores) -> list[OriginFigures]:
    """Return how candidates of each origin fare; one proposed by several counts under each."""
    rows = []
    for system in item_scores.reported.generating:
        counts = _count_origins(item_scores, system)
        for origin in sorted(counts, key=lambda origin: (-counts[origin][0], origin)):
            number, hits, top, top_hits = counts[origin]
            shares = (100 * hits / number, 100 * top / number)
            right = 100 * top_hits / top if top else math.nan
            rows.append(OriginFigures(system, origin, number, *shares, right))
    return rows


def _count_origins(item_scores: ItemScores, system: RunSystem) -> dict[str, list[int]]:
    """Return candidates, right ones, those in the first ten and the right of these, by origin."""
    kinds: Counter[tuple[tuple[str, ...], bool, bool]] = Counter()
    for item, gold in item_scores.scored:
        ranking = system.rankings.get(item.id)
        ranked = ranking.ranked if ranking else ()
        hits = [weight > 0 for weight in gold.weights([entry.substitute for entry in ranked])]
        firsts = [place < LARGEST for place in range(len(ranked))]
        kinds.update(zip(origins(system, item.id), hits, firsts, strict=False))
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for (named, hit, first), number in kinds.items():
        for origin in named:
            for column, counted in enumerate((True, hit, first, hit and first)):
                counts[origin][column] += number * counted
    return counts


def origins(system: RunSystem, item_id: str) -> Iterator[tuple[str, ...]]:
    """Yield the origins of each candidate of an item's ranking, best first; none without one."""
    details, ranking = system.details.get(item_id), system.rankings.get(item_id)
    known = details.origins if details is not None else ()
    rest = ranking.ranked[len(known) :] if ranking is not None else ()
    yield from known
    for _, _, sources in rest:
        yield sources if len(sources) < 2 else tuple(dict.fromkeys(sources))
