"""The figures by part of speech, target, number of gold answers, and origin of the candidates."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lexsub.boundary.curves import LARGEST
from lexsub.experiments.report.charts import Chart, Series
from lexsub.experiments.report.item_scores import ItemScores, mean
from lexsub.experiments.report.runs import RunSystem
from lexsub.items import PARTS_OF_SPEECH

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
    return _groups(
        item_scores, [item.pos for item in item_scores.reported.data.items], list(PARTS_OF_SPEECH)
    )


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
    series = tuple(
        Series(
            system.name,
            system.letter,
            tuple((float(i), group.values[number]) for i, group in enumerate(groups)),
        )
        for number, system in enumerate(item_scores.reported.answering)
    )
    names = tuple(f"{PARTS_OF_SPEECH[group.name]}s" for group in groups)
    return Chart(
        "by-pos",
        f"{MEASURE} by part of speech, percent",
        "part of speech",
        MEASURE,
        series,
        kind="bars",
        categories=names,
    )


def ceiling_chart(item_scores: ItemScores) -> Chart | None:
    """Return bars of best and oot recall: each system, and a perfect ranker over its candidates."""
    systems = [system for system in item_scores.reported.systems if system.part.has_candidates]
    measures = [m for m in ("best-R", "oot-R") if any(m in s.scores.figures for s in systems)]
    if not measures:
        return None
    series: list[Series] = []
    for measure in measures:
        own = len(series)
        for kind in ("reached", "ceiling"):
            points = []
            for place, system in enumerate(systems):
                figures = (system.scores if kind == "reached" else system.ceiling).figures
                value = 100 * figures[measure].value if measure in figures else math.nan
                points.append((float(place), value))
            series.append(
                Series(f"{measure}, {kind}", "", tuple(points))
                if kind == "reached"
                else Series(f"{measure}, {kind}", "", tuple(points), own, "outline")
            )
    return Chart(
        "ceilings",
        "Recall reached, and the ceiling of the candidates, percent",
        "system",
        "recall",
        tuple(series),
        kind="bars",
        categories=tuple(f"{system.letter} {system.name}" for system in systems),
    )


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
            found.append(
                Coverage(
                    system,
                    sum(sizes) / len(sizes),
                    sizes.count(0),
                    100 * types[0] / types[1],
                    100 * tokens[0] / tokens[1],
                    100 * top / tokens[1],
                )
            )
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
    counted: dict[tuple[int, int], dict[str, list[int]]] = {}
    for system in item_scores.reported.generating:
        key = (id(system.rankings), id(system.details))
        if key not in counted:
            counted[key] = _count_origins(item_scores, system)
        counts = counted[key]
        for origin, (number, hits, top, top_hits) in sorted(
            counts.items(), key=lambda entry: (-entry[1][0], entry[0])
        ):
            rows.append(
                OriginFigures(
                    system,
                    origin,
                    number,
                    100 * hits / number,
                    100 * top / number,
                    100 * top_hits / top if top else math.nan,
                )
            )
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
