"""BEST and OOT of SemDis 2014 (French), raw and normalised (Tanguy et al., 2016, section 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import Measure, Reads, ratio
from lexsub.evaluation.sheets import Sheet

LIMIT = 10


@dataclass(frozen=True)
class _SemDis(Measure):
    """Base of the SemDis measures; golds may have whole or decimal scores.

    Attributes:
        normalised: divide, sentence by sentence, by what a perfect system would get; else by
            the sum of all scores, as the 2014 evaluator does.
        per: average over the ``items`` of the gold, or over the ``lines`` of the submission as
            the 2014 evaluator does (where leaving items out costs nothing).
    """

    normalised: bool = True
    per: Literal["items", "lines"] = "items"

    reads: ClassVar[Reads] = "ranking"
    unit: ClassVar[Literal["%", "1"]] = "1"
    criteria: ClassVar[tuple[str, ...]] = ("gold",)

    def columns(self, credit: Floats, whole: Floats, sheet: Sheet) -> Floats:
        """Columns for the mean of item ratios."""
        units = sheet.listed if self.per == "lines" else np.ones(len(credit))
        return np.stack([ratio(credit, whole, 0.0), units], axis=1)


@dataclass(frozen=True)
class SemDisBest(_SemDis):
    """BEST: s(first answer) / max s, or / Σ s when not normalised."""

    name: ClassVar[str] = "semdis-best"
    reference: ClassVar[str] = "Tanguy et al. (2016), section 5.1; semdis_eval.py 0.3"

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: the figure of the item; 1, or 1 where there is a line."""
        first = sheet.unique.first(1)
        gold = sheet.gold
        whole = gold.maximum if self.normalised else gold.sum(gold.weights)
        return self.columns(first.sum(first.gains), whole, sheet)


@dataclass(frozen=True)
class SemDisOot(_SemDis):
    """OOT: Σ s of the first ten answers / Σ of the ten greatest s, or / Σ s."""

    name: ClassVar[str] = "semdis-oot"
    reference: ClassVar[str] = "Tanguy et al. (2016), section 5.1; semdis_eval.py 0.3"

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: the figure of the item; 1, or 1 where there is a line."""
        answers = sheet.unique.first(LIMIT)
        gold = sheet.gold
        whole = gold.sum(gold.weights, LIMIT if self.normalised else None)
        return self.columns(answers.sum(answers.gains), whole, sheet)
