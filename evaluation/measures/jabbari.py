"""The measures of Jabbari, Hepple and Guthrie (2010): coverage, best by the top answer, ranking.

Coverage is precision, recall and F of an oot list.  With H the human substitutes, freq their
counts, |S| = Σ_{a∈S} freq(a), and A the answers: R = |A| / |H|, P = |A| / (|A| + k·|A∖H|), where a
wrong answer weighs ``penalty`` k, and F = 2PR / (P + R).  The overall figure is the mean of the
items' figures over all items, those without an answer included at 0: F is *not* computed from
mean P and mean R.  Answers given twice count once; ten count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lexsub.evaluation.measure import Measure, harmonic, ratio
from lexsub.evaluation.sheets import Floats, Ints, Sheet
from lexsub.parts.limits import NotNegative, Positive

LIMIT = 10
REFERENCE = "Jabbari, Hepple and Guthrie (2010), coverage measures"


@dataclass(frozen=True)
class _Coverage(Measure, reads="oot", unit="1", criteria=("scored",), reference=REFERENCE):
    """Base of the coverage measures.

    Attributes:
        penalty: the weight k of a wrong answer in precision; 1 in all published tables.
        counts: whether human counts weigh the answers; without them P and R are those of
            the plain sets.
    """

    penalty: NotNegative = 1.0
    counts: bool = True

    def weigh(self, answers: Sheet) -> tuple[Floats, Floats | Ints]:
        """Return what each answer adds to |A|, and each item's |H|."""
        if self.counts:
            return answers.gains, answers.gold.total
        return answers.hits, answers.gold.sizes

    def precision(self, right: Floats, wrong: Floats) -> Floats:
        """P = |A| / (|A| + k·|A∖H|); 0 without a right answer."""
        return ratio(right, right + self.penalty * wrong, 0.0)

    def items(self, sheet: Sheet, limit: int) -> tuple[Floats, Floats]:
        """Return each item's P and R over its first ``limit`` answers."""
        answers = sheet.unique.first(limit)
        gain, whole = self.weigh(answers)
        right, wrong = answers.sum(gain), answers.sum(1 - answers.hits)
        return self.precision(right, wrong), ratio(right, whole, 0.0)


@dataclass(frozen=True)
class CoveragePrecision(_Coverage, name="coverage-P"):
    """Mean coverage precision."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return self.items(sheet, LIMIT)[0]


@dataclass(frozen=True)
class CoverageRecall(_Coverage, name="coverage-R"):
    """Mean coverage recall; the oot credit without duplicates."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return self.items(sheet, LIMIT)[1]


@dataclass(frozen=True)
class CoverageF(_Coverage, name="coverage-F"):
    """Mean coverage F of the first ``k`` answers (all, where there are fewer).

    Attributes:
        k: the cut-off n of table 3; 10 is the whole oot list.
    """

    k: Positive = LIMIT

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return harmonic(*self.items(sheet, self.k))


@dataclass(frozen=True)
class OptimalF(_Coverage, name="optimal-F"):
    """Mean over items of the best coverage F at any cut-off up to ten (table 2).

    An oracle picks the cut-off of each item: the figure says how good the ranking is, not
    what a system without the gold would get.
    """

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        answers = sheet.unique.first(LIMIT)
        gain, whole = self.weigh(answers)
        right, wrong = answers.running(gain), answers.running(1 - answers.hits)
        recall = ratio(right, whole[answers.owner], 0.0)
        return answers.best_of(harmonic(self.precision(right, wrong), recall))


@dataclass(frozen=True)
class _MaxFrequency(Measure, reads="best", unit="1", criteria=("scored",)):
    """Base of the measures of the first list of answers, beside the most frequent one."""


@dataclass(frozen=True)
class BestPrime(
    _MaxFrequency, name="best-prime", reference="Jabbari, Hepple and Guthrie (2010), best′"
):
    """best′: mean of Σ_{a∈A} freq(a) / (maxfreq·|A|) over all items.

    The mode given alone earns 1, whatever else people said.  Answers given twice count once.
    """

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        answers = sheet.unique
        return ratio(answers.sum(answers.gains), answers.gold.maximum * answers.sizes, 0.0)


@dataclass(frozen=True)
class BestOne(_MaxFrequency, name="best-1", reference="Jabbari, Hepple and Guthrie (2010), best1"):
    """best1: mean of freq(first answer) / maxfreq over all items."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        first = sheet.first(1)
        return ratio(first.sum(first.gains), first.gold.maximum, 0.0)


@dataclass(frozen=True)
class RankReconstruction(
    Measure,
    name="rank-reconstruction",
    reference="reconstruction, not the formula of Jabbari, Hepple and Guthrie (LREC 2010)",
    reads="ranking",
    unit="1",
    criteria=("scored", "gold"),
):
    """Mean of Σ_{j=1..|H|} |top_j(A)| / Σ_{j=1..|H|} |top_j(ideal)|: a reconstruction.

    The paper says that its measure compares a ranking with the ideal order; its formula could
    not be obtained.  This cumulative ratio is our own reading and must never be given as the
    paper's figure; for a documented measure of ranking use GAP.  j runs over the distinct human
    substitutes; a list that ends early adds what it has.
    """

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        answers, gold = sheet.unique, sheet.gold
        # An answer at place j is in every top_i with i >= j, so it counts |H| - j + 1 times.
        times = np.maximum(gold.sizes[answers.owner] - answers.rank + 1, 0)
        ideal = gold.sum(gold.weights * (gold.sizes[gold.owner] - gold.rank + 1))
        return ratio(answers.sum(answers.gains * times), ideal, 0.0)
