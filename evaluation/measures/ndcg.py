"""Normalised discounted cumulative gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import ratio
from lexsub.evaluation.measures.at_k import _AtK
from lexsub.evaluation.registry import MEASURES
from lexsub.evaluation.sheets import Sheet
from lexsub.evaluation.ties import expected_gains


@MEASURES.register("nDCG")
@dataclass(frozen=True)
class NormalisedDiscountedGain(_AtK):
    """nDCG@k: Σ_{i≤k} x_i / log2(i+1), divided by that of the ideal order; mean over items.

    The gain is the gold weight itself (no exponential).
    """

    name: ClassVar[str] = "nDCG"
    reference: ClassVar[str] = "Järvelin and Kekäläinen (2002), with gain = weight, log2(rank+1)"

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        answers = self.answers(sheet)
        gold = answers.gold
        gains = expected_gains(answers, answers.gains, expected=self.ties == "expected")
        discounted = np.where(answers.rank <= self.k, gains / np.log2(answers.rank + 1.0), 0.0)
        ideal = gold.sum(gold.weights / np.log2(gold.rank + 1.0), self.k)
        return ratio(answers.sum(discounted), ideal, 0.0)
