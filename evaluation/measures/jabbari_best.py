"""The best measures of Jabbari, Hepple and Guthrie (2010), normalised by the top answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import Measure, Reads, ratio
from lexsub.evaluation.registry import MEASURES
from lexsub.evaluation.sheets import Sheet


@dataclass(frozen=True)
class _MaxFrequency(Measure):
    reads: ClassVar[Reads] = "best"
    unit: ClassVar[Literal["%", "1"]] = "1"
    criteria: ClassVar[tuple[str, ...]] = ("scored",)


@MEASURES.register("best-prime")
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


@MEASURES.register("best-1")
@dataclass(frozen=True)
class BestOne(_MaxFrequency):
    """best1: mean of freq(first answer) / maxfreq over all items."""

    name: ClassVar[str] = "best-1"
    reference: ClassVar[str] = "Jabbari, Hepple and Guthrie (2010), best1"

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        first = sheet.first(1)
        return ratio(first.sum(first.gains), first.gold.maximum, 0.0)
