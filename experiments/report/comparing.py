"""Two systems at a time: tests of their differences, marks for the tables, and agreement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from lexsub.boundary.curves import LARGEST
from lexsub.evaluation.comparison import Comparison
from lexsub.experiments.report.item_scores import Floats, ItemScores
from lexsub.experiments.report.runs import ReportedRuns
from lexsub.experiments.results.config_tables import all_pairs
from lexsub.matching import SeenGold
from lexsub.rankings import Submission, Task


def pair_tests(reported: ReportedRuns) -> Comparison | None:
    """Test every pair of answering systems, as ``lexsub compare`` does with these measures.

    Returns:
        None for fewer than two systems, or none that can be compared.
    """
    if len(reported.runs) == 1 and reported.runs[0].tests is not None:
        return reported.runs[0].tests
    return all_pairs(reported.data.gold, reported.answers())


@dataclass(frozen=True, slots=True)
class Matrix:
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


def agreement(item_scores: ItemScores) -> list[Matrix]:
    """Return how alike the systems' answers are, pair by pair."""
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
    return [
        Matrix(
            "same-best",
            "Same best answer",
            "Share of the items that both answer where their first best answer is the same.",
            names,
            _pairs(best, lambda a, b: float(a == b)),
        ),
        Matrix(
            "same-oot",
            "Overlap of the oot answers",
            "Answers in common over all answers of the two (Jaccard), mean over the items "
            "that both answer.",
            names,
            _pairs(oot, _jaccard),
        ),
        Matrix(
            "correlation",
            "Correlation of the items' oot credit",
            "Pearson's r, times 100: whether the same items are easy.",
            names,
            100 * _correlation(credit),
        ),
        Matrix(
            "either",
            "Items that either hits",
            "Share of the scored items where one of the two, or both, has a right oot answer; "
            "on the diagonal the system alone.",
            names,
            either,
        ),
    ]


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
