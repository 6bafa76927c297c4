"""best of SemEval-2007 (McCarthy and Navigli, 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import Measure, Reads
from lexsub.evaluation.registry import MEASURES
from lexsub.evaluation.sheets import Sheet


class _Best(Measure):
    reads: ClassVar[Reads] = "best"
    criteria: ClassVar[tuple[str, ...]] = ("scored",)
    reference: ClassVar[str] = "McCarthy and Navigli (2007), scoring of the task"

    def figures(self, sheet: Sheet) -> Floats:
        """Σ_{a∈A} freq(a) / (|A|·|H|): the share of all responses, divided by the answers given."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.nan_to_num(sheet.sum(sheet.gains) / sheet.gold.total / sheet.sizes)


@MEASURES.register("best-P")
@dataclass(frozen=True)
class BestPrecision(_Best):
    """Mean best credit of the items attempted."""

    name: ClassVar[str] = "best-P"
    attempted_only: ClassVar[bool] = True


@MEASURES.register("best-R")
@dataclass(frozen=True)
class BestRecall(_Best):
    """Mean best credit of all items."""

    name: ClassVar[str] = "best-R"


class _BestMode(_Best):
    criteria: ClassVar[tuple[str, ...]] = ("scored", "mode")

    def figures(self, sheet: Sheet) -> Floats:
        """1 where the first answer is the mode."""
        return sheet.sum(sheet.is_mode & (sheet.rank == 1))


@MEASURES.register("best-mode-P")
@dataclass(frozen=True)
class BestModePrecision(_BestMode):
    """Share of the attempted items with a mode whose first answer is the mode."""

    name: ClassVar[str] = "best-mode-P"
    attempted_only: ClassVar[bool] = True


@MEASURES.register("best-mode-R")
@dataclass(frozen=True)
class BestModeRecall(_BestMode):
    """Share of all items with a mode whose first answer is the mode."""

    name: ClassVar[str] = "best-mode-R"
    is_hit: ClassVar[bool] = True
