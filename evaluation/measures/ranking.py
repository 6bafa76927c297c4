"""Measures of a ranking: GAP and its binary case, and those of the first k answers.

Answers of equal score have exact means over all their orders, never by sampling.  A tie group of m
answers holds the ranks s+1 … s+m; every order of it is as likely.  For each rank the expected
gain, and what average precision needs, have closed forms in the group's sums; a list without ties
is the case m = 1 throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from lexsub.evaluation.measure import Measure, harmonic, ratio
from lexsub.evaluation.sheets import Floats, Ints, Sheet, bincount
from lexsub.parts.limits import Positive

Multiwords = Literal["drop", "letters", "keep"]
Ties = Literal["input", "name", "expected"]


@dataclass(frozen=True)
class RankingMeasure(Measure, reads="ranking"):
    """Base of the measures of a whole ranking.

    Attributes:
        multiwords: ``drop`` substitutes with a blank or hyphen from ranking and gold, drop all
            but those of ``letters`` a-z (LexSubGen), or ``keep`` them.
        ties: answers of equal score stay in ``input`` order, are put in order of ``name``, or
            the figure is its ``expected`` value over all their orders, computed exactly.
        unjudged: ``keep`` answers that no judge saw, as wrong ones, or ``drop`` them first.
    """

    multiwords: Multiwords = "drop"
    ties: Ties = "input"
    unjudged: Literal["keep", "drop"] = "keep"

    @property
    def criteria(self) -> tuple[str, ...]:  # type: ignore[override]
        """Items left without gold are skipped, not counted as 0."""
        return {"drop": ("single-word gold",), "letters": ("alphabetic gold",), "keep": ("gold",)}[
            self.multiwords
        ]

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: the figure of the item's ranked answers; 1."""
        return super().statistics(self.answers(sheet))

    def answers(self, sheet: Sheet) -> Sheet:
        """The answers that are ranked: repeated ones never count twice."""
        if self.unjudged == "drop":
            sheet = sheet.judged_only
        if self.multiwords == "drop":
            return sheet.single_words
        return sheet.alphabetic if self.multiwords == "letters" else sheet.unique

    def tie_groups(self, answers: Sheet) -> tuple[Ints, Ints]:
        """Return the tie group of each answer, and where each group starts.

        Each answer is a group of its own unless figures are expected values.
        """
        tied = answers.tied if self.ties == "expected" else np.zeros(len(answers.owner), bool)
        return np.cumsum(~tied) - 1, np.flatnonzero(~tied)

    def mean_gains(self, answers: Sheet, gains: Floats) -> Floats:
        """Return the mean gain at each rank: G / m, of a group of m answers with the gains G."""
        group, starts = self.tie_groups(answers)
        total, size = (bincount(group, one, len(starts)) for one in (gains, np.ones(len(gains))))
        return np.asarray((total / size)[group])

    def precisions(self, answers: Sheet, gains: Floats) -> Floats:
        """Return the mean of 1[x_i > 0] · (Σ_{k≤i} x_k) / i at each rank i.

        Of a group of m answers with the gains G, P of them right, and the gains C before it, the
        answer at place j is right one of P, x̄ = G / P on average, and each of the j-1 before it
        has mean (G - x) / (m - 1):

            (P·C + G + (j-1)/(m-1) · G·(P-1)) / (m·i)
        """
        group, starts = self.tie_groups(answers)
        columns = np.ones(len(gains)), gains, gains > 0
        size, gain, hits = (bincount(group, one, len(starts))[group] for one in columns)
        place = np.arange(len(gains)) - starts[group] + 1
        before = (answers.running(gains) - gains)[starts][group]
        others = (place - 1) / np.maximum(size - 1, 1) * gain * (hits - 1)
        return np.asarray((hits * before + gain + others) / (size * answers.rank))


@dataclass(frozen=True)
class GeneralisedAveragePrecision(
    RankingMeasure,
    name="GAP",
    reference="Kishida (2005); Thater, Fürstenau and Pinkal (2010), section 4.2",
):
    """GAP = Σ_i 1[x_i > 0]·p_i / Σ_{i≤R} ȳ_i, the mean over items.

    x_i is the gold weight of the i-th ranked candidate, p_i = (Σ_{k≤i} x_k) / i, and ȳ_i the same
    mean of the gold weights in falling order.

    Attributes:
        unranked: whether gold that was never ranked stays in the denominator (``count``, as
            in all published figures) or not (``ignore``).
    """

    unranked: Literal["count", "ignore"] = "count"

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        gold = sheet.gold
        found = sheet.sum(self.precisions(sheet, sheet.gains))
        if self.unranked == "count":
            ideal = gold.sum(gold.running(gold.weights) / gold.rank)
        else:
            order = np.lexsort((-sheet.gains, sheet.owner))
            gains = sheet.gains[order]
            means = sheet.running(gains) / sheet.rank
            ideal = sheet.sum(np.where(gains > 0, means, 0.0))
        return ratio(found, ideal, 0.0)


@dataclass(frozen=True)
class AveragePrecision(
    RankingMeasure, name="AP", reference="Buckley and Voorhees (2000); SWORDS evaluation code (map)"
):
    """Average precision, whose mean over items is MAP: Σ precision at each hit / |gold|."""

    multiwords: Multiwords = "keep"

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        found = sheet.sum(self.precisions(sheet, sheet.hits))
        return ratio(found, sheet.gold.sizes, 0.0)


@dataclass(frozen=True)
class _AtK(RankingMeasure):
    """Base of the measures of the first answers.

    Attributes:
        k: how many answers count; precision divides by k however many there are.
    """

    multiwords: Multiwords = "keep"
    k: Positive = 10

    def top(self, answers: Sheet, gains: Floats) -> Floats:
        """Sum the gains of each item's first k answers (expected ones, over ties)."""
        means = self.mean_gains(answers, gains)
        return answers.sum(np.where(answers.rank <= self.k, means, 0.0))


@dataclass(frozen=True)
class PrecisionAtK(_AtK, name="P", reference="LexSubGen (Arefyev et al., 2020), prec@k"):
    """P@k: right answers among the first k, divided by k; mean over items."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return self.top(sheet, sheet.hits) / self.k


@dataclass(frozen=True)
class RecallAtK(_AtK, name="R", reference="LexSubGen (Arefyev et al., 2020), rec@k"):
    """R@k: right answers among the first k, divided by the number of gold substitutes."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return ratio(self.top(sheet, sheet.hits), sheet.gold.sizes, 0.0)


@dataclass(frozen=True)
class FAtK(_AtK, name="F", reference="LexSubGen (Arefyev et al., 2020), f1@k"):
    """F@k: the harmonic mean of an item's P@k and R@k, then the mean over items."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        right = self.top(sheet, sheet.hits)
        recall = ratio(right, sheet.gold.sizes, 0.0)
        return harmonic(right / self.k, recall)


@dataclass(frozen=True)
class CreditAtK(
    _AtK, name="credit", reference="McCarthy and Navigli (2007); Thater et al. (2010), P10"
):
    """credit@k: the share of all responses that the first k answers hold.

    With ``multiwords=drop`` and k = 10 it is P10 of Thater, Fürstenau and Pinkal (2010).
    """

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        gold = sheet.gold
        return ratio(self.top(sheet, sheet.gains), gold.sum(gold.weights), 0.0)


@dataclass(frozen=True)
class NormalisedDiscountedGain(
    _AtK, name="nDCG", reference="Järvelin and Kekäläinen (2002), with gain = weight, log2(rank+1)"
):
    """nDCG@k: Σ_{i≤k} x_i / log2(i+1), divided by that of the ideal order; mean over items.

    The gain is the gold weight itself (no exponential).
    """

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        gold = sheet.gold
        gains = self.mean_gains(sheet, sheet.gains)
        discounted = np.where(sheet.rank <= self.k, gains / np.log2(sheet.rank + 1.0), 0.0)
        ideal = gold.sum(gold.weights / np.log2(gold.rank + 1.0), self.k)
        return ratio(sheet.sum(discounted), ideal, 0.0)
