"""The measures of SWORDS (Lee et al., 2021), with the reference code's pooling.

The gold's weights are shares of favourable labels.  A substitute is acceptable when more
than half of its judges say so, conceivable when at least one in ten does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from lexsub.errors import LexsubError
from lexsub.evaluation.measure import Measure, ratio
from lexsub.evaluation.sheets import Floats, GoldArrays, Sheet
from lexsub.parts.limits import Positive

# "More than half", as the reference code writes it; a tie of labels is not enough.
THRESHOLDS = {"acceptable": 0.5 + 1e-4, "conceivable": 0.1}


@dataclass(frozen=True)
class _Swords(
    Measure,
    reads="ranking",
    reference="Lee, Donahue, Jia, Iyabor and Liang (2021); evaluation code",
):
    """Base of the SWORDS measures.

    Attributes:
        reference_set: ``acceptable`` or ``conceivable`` substitutes.
        setting: ``lenient``: answers that were not among the judged candidates of the target
            are taken out before the list is cut; ``strict``: the list is cut as it stands.
        k: how many answers count.
        possible: what recall divides by: ``min``: min(|reference|, k), ``all``: |reference|.
    """

    reference_set: Literal["acceptable", "conceivable"] = "acceptable"
    setting: Literal["lenient", "strict"] = "lenient"
    possible: Literal["min", "all"] = "min"
    k: Positive = 10

    def check(self, gold: GoldArrays) -> None:
        """Refuse golds whose weights are no shares of labels."""
        if gold.weights.max(initial=0) > 1:
            raise LexsubError(
                f"{self}: gold {gold.gold.name} has weights up to {gold.weights.max():g}; the "
                "SWORDS measures need shares of favourable labels, from 0 to 1"
            )

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: hits, answers given, answers that could be right."""
        threshold = THRESHOLDS[self.reference_set]
        answers = (sheet.judged_only if self.setting == "lenient" else sheet.unique).first(self.k)
        hits = answers.sum(answers.gains >= threshold)
        gold = sheet.gold
        size = gold.sum((gold.weights >= threshold).astype(float))
        possible = np.minimum(size, self.k) if self.possible == "min" else size
        return np.stack([hits, answers.sizes, possible], axis=1)


@dataclass(frozen=True)
class SwordsPrecision(_Swords, name="swords-P"):
    """P^k = Σ hits / Σ |first k|, pooled over items; 0 where nothing is answered."""

    def value(self, sums: Floats) -> Floats:
        """Hits over answers given."""
        return ratio(sums[..., 0], sums[..., 1], 0.0)


@dataclass(frozen=True)
class SwordsRecall(_Swords, name="swords-R"):
    """R^k = Σ hits / Σ min(|reference|, k), pooled over items; 0 where there is no reference."""

    def value(self, sums: Floats) -> Floats:
        """Hits over what could be right."""
        return ratio(sums[..., 0], sums[..., 2], 0.0)


@dataclass(frozen=True)
class SwordsF(_Swords, name="swords-F"):
    """F^k: the harmonic mean of the *pooled* P^k and R^k, 0 where both are 0.

    2PR/(P+R) with P = h/a and R = h/r is 2h/(a+r).
    """

    def value(self, sums: Floats) -> Floats:
        """2h / (a + r)."""
        return ratio(2 * sums[..., 0], sums[..., 1] + sums[..., 2], 0.0)
