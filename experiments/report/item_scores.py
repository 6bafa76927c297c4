"""Every item under every system, for charts and breakdowns; and two systems at a time.

Of two systems: tests of their differences, marks for the tables, and agreement.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lexsub.boundary.curves import LARGEST
from lexsub.datasets import Item
from lexsub.evaluation.comparison import Comparison
from lexsub.evaluation.measure import Counted
from lexsub.evaluation.measures.jabbari import CoverageF, CoveragePrecision, CoverageRecall
from lexsub.evaluation.scores import Scores
from lexsub.evaluation.scoring import evaluate
from lexsub.evaluation.sheets import Answered, make_gold_arrays, make_sheet
from lexsub.experiments.report.runs import ReportedRuns
from lexsub.experiments.results.config_tables import all_pairs
from lexsub.matching.seen import SeenGold, SeenItem, gold_under
from lexsub.rankings import Submission, Task

Floats = NDArray[np.float64]

ITEM_MEASURES = ("oot-R", "best-R", "coverage-F@10", "GAP")
"""Measures whose figure of each item is shown and compared, all between 0 and 1."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """Coverage of the first 1 to 10 candidates of each counted item, shape (items, 10).

    Attributes:
        ids: the items.
        precision: coverage P by item and n.
        recall: coverage R.
        f: coverage F.
    """

    ids: tuple[str, ...]
    precision: Floats
    recall: Floats
    f: Floats


@dataclass(frozen=True)
class ItemScores:
    """The systems of a reported that answer, judged item by item.

    Attributes:
        reported: the systems.
        scores: their figures over all items and by part of speech, with those of the items.
    """

    reported: ReportedRuns
    scores: Scores

    @classmethod
    def of(cls, reported: ReportedRuns) -> ItemScores:
        """Judge every item."""
        scores = Scores(())
        if reported.answering:
            given = reported.data.gold, reported.answers(), ITEM_MEASURES
            scores = evaluate(*given, interval=None, by_pos=True, per_item=True)
        return cls(reported, scores)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The systems' names."""
        return tuple(system.name for system in self.reported.answering)

    @cached_property
    def values(self) -> Mapping[str, Floats]:
        """Measure to the items' figures, shape (systems, items); NaN for items not counted."""
        ids = [item.id for item in self.reported.data.items]
        found = {measure: np.full((len(self.names), len(ids)), np.nan) for measure in ITEM_MEASURES}
        for one in self.scores.per_item:
            figures = dict(zip(one.ids, one.values, strict=True))
            row = self.names.index(one.system)
            found[one.measure][row] = [figures.get(name, math.nan) for name in ids]
        return found

    @cached_property
    def gold(self) -> SeenGold:
        """The gold under the reported's normalisation."""
        return gold_under(self.reported.data.gold)

    @cached_property
    def scored(self) -> tuple[tuple[Item, SeenItem], ...]:
        """The items that oot and coverage count, with their gold."""
        gold = self.gold
        counted = np.atleast_1d((~np.isnan(self.values["oot-R"])).any(axis=0)).tolist()
        return tuple(
            (item, gold[item.id])
            for item, counts in zip(self.reported.data.items, counted, strict=True)
            if counts
        )

    @cached_property
    def cuts(self) -> Mapping[str, Cuts]:
        """System to what keeping its first n candidates would score, n = 1 to 10."""
        gold = self.reported.data.gold
        table = make_gold_arrays(gold, self.gold.policy)
        found = {}
        for system in self.reported.answering:
            tops = {one.id: Answered(one.top(LARGEST)) for one in system.rankings.values()}
            sheet = make_sheet(table, tops)
            firsts = [sheet.first(n) for n in range(1, LARGEST + 1)]
            counted = np.asarray(Counted.of(table, CoverageF().criteria).mask)
            columns = [
                np.stack([measure.statistics(first)[counted, 0] for first in firsts], axis=1)
                for measure in (CoveragePrecision(), CoverageRecall(), CoverageF())
            ]
            ids = tuple(i for i, counts in zip(table.ids, counted.tolist(), strict=True) if counts)
            found[system.name] = Cuts(ids, *columns)
        return found


def mean(values: Floats) -> float:
    """Return the mean of the values that are numbers; NaN where there are none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def pair_tests(reported: ReportedRuns) -> Comparison | None:
    """Test every pair of answering systems, as ``lexsub compare`` does with these measures.

    Returns:
        None for fewer than two systems, or none that can be compared.
    """
    if len(reported.runs) == 1 and reported.runs[0].tests is not None:
        return reported.runs[0].tests
    return all_pairs(reported.data.gold, reported.answers())


@dataclass(frozen=True, slots=True)
class AgreementMatrix:
    """A figure of each pair of systems.

    Attributes:
        key: names it.
        title: what it shows.
        note: how to read it.
        names: the systems.
        values: shape (systems, systems), in percent or (of correlations) times 100; NaN where
            there is none.
    """

    key: str
    title: str
    note: str
    names: tuple[str, ...]
    values: Floats


def agreement(item_scores: ItemScores) -> list[AgreementMatrix]:
    """Return how similar the answers of each pair of systems are."""
    systems = item_scores.reported.answering
    if len(systems) < 2:
        return []
    best = [_sets(item_scores.gold, system.answers, "best", 1) for system in systems]
    oot = [_sets(item_scores.gold, system.answers, "oot", LARGEST) for system in systems]
    names = item_scores.names
    credit = item_scores.values["oot-R"]
    hit = np.nan_to_num(credit) > 0
    counted = ~np.isnan(credit).all(axis=0)
    either = np.array(
        [[100 * (a | b)[counted].mean() if counted.any() else np.nan for b in hit] for a in hit]
    )
    values = {
        "same-best": _pairs(best, lambda a, b: float(a == b)),
        "same-oot": _pairs(oot, _jaccard),
        "correlation": 100 * _correlation(credit),
        "either": either,
    }
    return [AgreementMatrix(key, *_TOLD[key], names, values[key]) for key in _TOLD]


_TOLD = {
    "same-best": (
        "Same best answer",
        "Share of the items that both answer where their first best answer is the same.",
    ),
    "same-oot": (
        "Overlap of the oot answers",
        "Answers in common over all answers of the two (Jaccard), mean over the items that both "
        "answer.",
    ),
    "correlation": (
        "Correlation of the items' oot credit",
        "Pearson's r, times 100: whether the same items are easy.",
    ),
    "either": (
        "Items that either hits",
        "Share of the scored items where one of the two, or both, has a right oot answer; on the "
        "diagonal the system alone.",
    ),
}
"""Titles and notes of the matrices."""


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    both = len(one & other)
    return both / (len(one) + len(other) - both)


def _sets(
    gold: SeenGold, answers: Mapping[Task, Submission], task: Task, n: int
) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for answer in answers[task].answers if task in answers else ():
        seen, given = gold.get(answer.id), [one.strip() for one in answer.substitutes[:n]]
        forms = frozenset(map(seen.form, given) if seen else given)
        if forms:
            found.setdefault(answer.id, forms)
    return dict(sorted(found.items()))  # figures are added up in one order


def _pairs(
    sets: list[dict[str, frozenset[str]]], alike: Callable[[frozenset[str], frozenset[str]], float]
) -> Floats:
    values = np.full((len(sets), len(sets)), np.nan)
    for i, one in enumerate(sets):
        for j, other in enumerate(sets[: i + 1]):
            shared = [alike(forms, other[key]) for key, forms in one.items() if key in other]
            if shared:
                values[i, j] = values[j, i] = 100 * sum(shared) / len(shared)
    return values


def _correlation(credit: Floats) -> Floats:
    known = credit[:, ~np.isnan(credit).any(axis=0)]
    if known.shape[1] < 2:
        return np.full((len(credit), len(credit)), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):  # a system all of whose items are alike
        return np.asarray(np.atleast_2d(np.corrcoef(known)))
