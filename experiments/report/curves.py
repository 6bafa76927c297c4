"""Curves: coverage by the number of answers, sweeps of thresholds, and calibration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.boundary.curves import LARGEST, outcome
from lexsub.boundary.expected_f import ExpectedF
from lexsub.boundary.thresholds import scores_of
from lexsub.data.catalogue import load
from lexsub.errors import LexsubError
from lexsub.experiments.report.charts import Chart, Series
from lexsub.experiments.report.item_scores import Floats, ItemScores
from lexsub.experiments.report.runs import RunSystem
from lexsub.parts.base import BOUNDARIES, BoundaryContext, Tuning
from lexsub.parts.build import build_part

SWEEPS = ("score", "relative-score", "gap", "mass")
"""Threshold strategies, by the names they have in a config."""

STEPS = 24
"""Thresholds tried in a sweep."""

BINS = 10

ByCut = tuple[str, str, Iterable[float], Iterable[float], Iterable[float]]


def coverage_charts(item_scores: ItemScores) -> list[Chart]:
    """Return F by n, and precision by recall for n = 1 to 10."""
    found: list[ByCut] = []
    for system in item_scores.reported.answering:
        cuts = item_scores.cuts[system.name]
        if cuts.ids:
            f, recall, precision = (x.mean(axis=0) for x in (cuts.f, cuts.recall, cuts.precision))
            found.append((system.name, system.letter, f, recall, precision))
    return by_cut(found)


def by_cut(
    found: Iterable[ByCut], by_n: Iterable[Series] = (), pr: Iterable[Series] = ()
) -> list[Chart]:
    """Return F by n, and precision by recall; nothing where nothing was found.

    Args:
        found: name, mark, and F, recall and precision for n = 1 to 10.
        by_n: further series of the first chart.
        pr: further series of the second.
    """
    known = list(found)
    ns = range(1, LARGEST + 1)
    first = [Series(name, mark, _points(ns, f)) for name, mark, f, _, _ in known]
    second = [Series(name, mark, _points(r, p)) for name, mark, _, r, p in known]
    if not known:
        return []
    by_answers = ("f-by-n", "Coverage F by n", "n, answers kept", "coverage F")
    title = "Coverage precision by recall, n = 1 to 10"
    by_recall = ("precision-recall", title, "coverage recall", "coverage precision")
    note = "A line runs from one answer (left) to ten (right)."
    return [
        Chart(*by_answers, (*first, *by_n), note="Each item's first n candidates are kept."),
        Chart(*by_recall, (*second, *pr), note=note),
    ]


def _points(x: Iterable[float], y: Iterable[float]) -> tuple[tuple[float, float], ...]:
    return tuple((float(a), float(b)) for a, b in zip(x, y, strict=True))


def sweep_charts(item_scores: ItemScores) -> list[Chart]:
    """Return, for each system, F by the mean number of answers that thresholds leave."""
    charts = []
    for system in item_scores.reported.answering:
        cuts = item_scores.cuts[system.name]
        of_length: dict[int, dict[int, Floats]] = defaultdict(dict)
        for row, item_id in enumerate(cuts.ids):
            if item_id in system.rankings:
                scores = scores_of(system.rankings[item_id])
                of_length[len(scores)][row] = scores
        of_length.pop(0, None)
        if not of_length:
            continue
        # Rankings of one length together: each by itself takes ten times as long.
        tables = [(list(found), np.stack(list(found.values()))) for found in of_length.values()]
        series = [Series("fixed n", "n", _points(range(1, LARGEST + 1), cuts.f.mean(axis=0)))]
        for name in SWEEPS:
            strategy: Any = build_part(BOUNDARIES, {"name": name, "smallest": 0}, name)
            values = np.full((len(cuts.ids), LARGEST), -np.inf)
            for rows, table in tables:
                with np.errstate(invalid="ignore"):  # a score may be minus infinity
                    running = strategy.running(table)[:, :LARGEST]
                values[rows, : running.shape[1]] = running
            series.append(Series(name, name[0], tuple(_sweep(values, cuts.f))))
        key, title = f"sweep-{system.letter}", f"{system.name}: thresholds swept"
        charts.append(Chart(key, title, "answers kept, mean", "coverage F", tuple(series)))
    return charts


def _sweep(values: Floats, f: Floats) -> Iterator[tuple[float, float]]:
    """Yield the mean cut and mean F at each threshold, by rising cut."""
    known = values[np.isfinite(values)]
    if not len(known):
        return
    thresholds = np.unique(np.quantile(known, np.linspace(1, 0, STEPS)))[::-1]
    zero = np.concatenate([np.zeros((len(f), 1)), f], axis=1)
    rows = np.arange(len(f))
    for threshold in thresholds:
        cuts = (values >= threshold).sum(axis=1)
        yield float(cuts.mean()), float(zero[rows, cuts].mean())


def calibration_charts(item_scores: ItemScores) -> list[Chart]:
    """Return how often candidates are right by their score, and by the chance learned for them."""
    systems = item_scores.reported.answering
    by_score, by_chance = [], []
    learned: dict[tuple[int, int], Floats | None] = {}
    for system in systems:
        scores, right = _scored_candidates(item_scores, system)
        if len(scores):
            tenths = enumerate(_tenths(-scores), start=1)
            points = tuple((float(number), float(right[part].mean())) for number, part in tenths)
            by_score.append(Series(system.name, system.letter, points))
        key = (id(system.rankings), id(system.tuning))
        if key not in learned:
            learned[key] = _chances(item_scores, system)
        chances = learned[key]
        if chances is not None and len(chances):
            points = tuple(
                (float(chances[part].mean()), float(right[part].mean()))
                for part in _tenths(chances)
            )
            by_chance.append(Series(system.name, system.letter, points))
    charts = []
    if by_score:
        title, x = "Share right by tenth of the score", "tenth of the candidates, by falling score"
        note = (
            "The first ten candidates of all items, put in order of their score: "
            "where a line does not fall, the scores of different items compare badly."
        )
        charts.append(Chart("right-by-score", title, x, "share right", tuple(by_score), note=note))
    if by_chance:
        title, x = "Calibration of learned chances", "chance, mean of its tenth"
        note = (
            "Chances that boundary expected-f learns on the tuning split, against "
            "what is right in the data; on the dashed line they are exact."
        )
        told = ("calibration", title, x, "share right", tuple(by_chance))
        charts.append(Chart(*told, diagonal=True, note=note))
    return charts


def _scored_candidates(item_scores: ItemScores, system: RunSystem) -> tuple[Floats, Floats]:
    scores: list[float] = []
    right: list[float] = []
    for item, gold in item_scores.scored:
        if (ranking := system.rankings.get(item.id)) is not None:
            found = outcome(ranking, gold).right
            scores += [entry.score for entry in ranking.ranked[: len(found)]]
            right += (found > 0).tolist()
    return np.array(scores), np.array(right, float)


def _tenths(values: Floats) -> Sequence[NDArray[np.intp]]:
    """Return the places of values in rising order, in tenths; of fewer than ten, each by itself."""
    return np.array_split(np.argsort(values, kind="stable"), min(BINS, len(values)))


def _chances(item_scores: ItemScores, system: RunSystem) -> Floats | None:
    """Return the chance learned for each of the scored candidates; None where none can be."""
    table = next(run.experiment.table for run in item_scores.reported.runs if system in run.systems)
    if table.tuning is None or not system.tuning or system.part.needs_gold:
        return None
    try:
        data = load(table.tuning, item_scores.reported.data_folders, table.language)
        gold = data.under(item_scores.reported.normalisation).gold
        cutter = ExpectedF().fit(BoundaryContext(tuning=Tuning(list(system.tuning.values()), gold)))
    except LexsubError:  # no scikit-learn, no tuning data here, or nothing to learn in them
        return None
    ranked = [item for item, _ in item_scores.scored if item.id in system.rankings]
    rows = [cutter.chances(system.rankings[item.id]) for item in ranked]
    return np.concatenate(rows) if rows else None
