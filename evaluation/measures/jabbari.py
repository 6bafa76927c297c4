"""The measures of Jabbari, Hepple and Guthrie (2010): coverage, best by the top answer, ranking.

Coverage is precision, recall and F of an oot list.  With H the human substitutes, freq their
counts, |S| = Σ_{a∈S} freq(a), and A the answers: R = |A| / |H|, P = |A| / (|A| + k·|A∖H|), where a
wrong answer weighs ``penalty`` k, and F = 2PR / (P + R).  The overall figure is the mean of the
items' figures over all items, those without an answer included at 0: F is *not* computed from
mean P and mean R.  Answers given twice count once; ten count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import Measure, Reads, harmonic, ratio
from lexsub.evaluation.sheets import Sheet

LIMIT = 10
REFERENCE = "Jabbari, Hepple and Guthrie (2010), coverage measures"


@dataclass(frozen=True)
class _Coverage(Measure):
    """Base of the coverage measures.

    Attributes:
        penalty: the weight k of a wrong answer in precision; 1 in all published tables.
        counts: whether human counts weigh the answers; without them P and R are those of
            the plain sets.
    """

    penalty: float = 1.0
    counts: bool = True

    reads: ClassVar[Reads] = "oot"
    unit: ClassVar[Literal["%", "1"]] = "1"
    criteria: ClassVar[tuple[str, ...]] = ("scored",)
    reference: ClassVar[str] = REFERENCE

    def __post_init__(self) -> None:
        if self.penalty < 0:
            raise ValueError(f"penalty is {self.penalty:g}; expected 0 or more")

    def weigh(self, answers: Sheet) -> tuple[Floats, Floats]:
        """Return what each answer adds to |A|, and each item's |H|."""
        if self.counts:
            return answers.gains, answers.gold.total
        return answers.hits, answers.gold.sizes.astype(float)

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
class CoveragePrecision(_Coverage):
    """Mean coverage precision."""

    name: ClassVar[str] = "coverage-P"

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return self.items(sheet, LIMIT)[0]


@dataclass(frozen=True)
class CoverageRecall(_Coverage):
    """Mean coverage recall; the oot credit without duplicates."""

    name: ClassVar[str] = "coverage-R"

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return self.items(sheet, LIMIT)[1]


@dataclass(frozen=True)
class CoverageF(_Coverage):
    """Mean coverage F of the first ``k`` answers (all, where there are fewer).

    Attributes:
        k: the cut-off n of table 3; 10 is the whole oot list.
    """

    k: int = LIMIT

    name: ClassVar[str] = "coverage-F"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k < 1:
            raise ValueError(f"k is {self.k}; expected at least 1")

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return harmonic(*self.items(sheet, self.k))


@dataclass(frozen=True)
class OptimalF(_Coverage):
    """Mean over items of the best coverage F at any cut-off up to ten (table 2).

    An oracle picks the cut-off of each item: the figure says how good the ranking is, not
    what a system without the gold would get.
    """

    name: ClassVar[str] = "optimal-F"

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        answers = sheet.unique.first(LIMIT)
        gain, whole = self.weigh(answers)
        right, wrong = answers.running(gain), answers.running(1 - answers.hits)
        recall = ratio(right, whole[answers.owner], 0.0)
        return answers.best_of(harmonic(self.precision(right, wrong), recall))


@dataclass(frozen=True)
class _MaxFrequency(Measure):
    reads: ClassVar[Reads] = "best"
    unit: ClassVar[Literal["%", "1"]] = "1"
    criteria: ClassVar[tuple[str, ...]] = ("scored",)


@dataclass(frozen=True)
class BestPrime(_MaxFrequency):
    """best′: mean of Σ_{a∈A} freq(a) / (maxfreq·|A|) over all items.

    The mode given alone earns 1, whatever else people said.  Answers given twice count once.
    """

    name: ClassVar[str] = "best-prime"
    reference: ClassVar[str] = "Jabbari, Hepple and Guthrie (2010), best′"

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        answers = sheet.unique
        return ratio(answers.sum(answers.gains), answers.gold.maximum * answers.sizes, 0.0)


@dataclass(frozen=True)
class BestOne(_MaxFrequency):
    """best1: mean of freq(first answer) / maxfreq over all items."""

    name: ClassVar[str] = "best-1"
    reference: ClassVar[str] = "Jabbari, Hepple and Guthrie (2010), best1"

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        first = sheet.first(1)
        return ratio(first.sum(first.gains), first.gold.maximum, 0.0)


@dataclass(frozen=True)
class RankReconstruction(Measure):
    """Mean of Σ_{j=1..|H|} |top_j(A)| / Σ_{j=1..|H|} |top_j(ideal)|: a reconstruction.

    The paper says that its measure compares a ranking with the ideal order; its formula could
    not be obtained.  This cumulative ratio is our own reading and must never be given as the
    paper's figure; for a documented measure of ranking use GAP.  j runs over the distinct human
    substitutes; a list that ends early adds what it has.
    """

    name: ClassVar[str] = "rank-reconstruction"
    reference: ClassVar[str] = (
        "reconstruction, not the formula of Jabbari, Hepple and Guthrie (LREC 2010)"
    )
    reads: ClassVar[Reads] = "ranking"
    unit: ClassVar[Literal["%", "1"]] = "1"
    criteria: ClassVar[tuple[str, ...]] = ("scored", "gold")

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        answers, gold = sheet.unique, sheet.gold
        # An answer at place j is in every top_i with i >= j, so it counts |H| - j + 1 times.
        times = np.maximum(gold.sizes[answers.owner] - answers.rank + 1, 0)
        ideal = gold.sum(gold.weights * (gold.sizes[gold.owner] - gold.rank + 1))
        return ratio(answers.sum(answers.gains * times), ideal, 0.0)
