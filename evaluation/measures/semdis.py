"""BEST and OOT of SemDis 2014 (French), raw and normalised (Tanguy et al., 2016, section 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexsub.evaluation.measure import Measure, ratio
from lexsub.evaluation.sheets import Bools, Floats, Sheet

LIMIT = 10
REFERENCE = "Tanguy et al. (2016), section 5.1; semdis_eval.py 0.3"


@dataclass(frozen=True)
class _SemDis(Measure, reads="ranking", unit="1", criteria=("gold",), reference=REFERENCE):
    """Base of the SemDis measures; golds may have whole or decimal scores.

    Attributes:
        normalised: divide, sentence by sentence, by what a perfect system would get; else by
            the sum of all scores, as the 2014 evaluator does.
        per: average over the ``items`` of the gold, or over the ``lines`` of the submission as
            the 2014 evaluator does (where leaving items out costs nothing).
    """

    normalised: bool = True
    per: Literal["items", "lines"] = "items"

    def units(self, sheet: Sheet) -> Floats | Bools:
        """All items, or those with a line."""
        return sheet.listed if self.per == "lines" else super().units(sheet)


@dataclass(frozen=True)
class SemDisBest(_SemDis, name="semdis-best"):
    """BEST: s(first answer) / max s, or / Σ s when not normalised."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        first, gold = sheet.unique.first(1), sheet.gold
        whole = gold.maximum if self.normalised else gold.sum(gold.weights)
        return ratio(first.sum(first.gains), whole, 0.0)


@dataclass(frozen=True)
class SemDisOot(_SemDis, name="semdis-oot"):
    """OOT: Σ s of the first ten answers / Σ of the ten greatest s, or / Σ s."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        answers, gold = sheet.unique.first(LIMIT), sheet.gold
        whole = gold.sum(gold.weights, LIMIT if self.normalised else None)
        return ratio(answers.sum(answers.gains), whole, 0.0)
