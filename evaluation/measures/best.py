"""best of SemEval-2007 (McCarthy and Navigli, 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import Measure, Reads
from lexsub.evaluation.registry import MEASURES

if TYPE_CHECKING:
    from lexsub.evaluation.sheets import Sheet


class _Best(Measure):
    reads: ClassVar[Reads] = "best"
    criteria: ClassVar[tuple[str, ...]] = ("scored",)


def best_credit(sheet: Sheet) -> Floats:
    """Σ_{a∈A} freq(a) / (|A|·|H|): the share of all responses, divided by the answers given."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(sheet.sum(sheet.gains) / sheet.gold.total / sheet.sizes)


@MEASURES.register("best-P")
@dataclass(frozen=True)
class BestPrecision(_Best):
    """Mean best credit of the items attempted."""

    name: ClassVar[str] = "best-P"
    reference: ClassVar[str] = "McCarthy and Navigli (2007), scoring of the task"

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: item credit; 1 where attempted."""
        return np.stack([best_credit(sheet), sheet.attempted], axis=1)


@MEASURES.register("best-R")
@dataclass(frozen=True)
class BestRecall(_Best):
    """Mean best credit of all items."""

    name: ClassVar[str] = "best-R"
    reference: ClassVar[str] = "McCarthy and Navigli (2007), scoring of the task"

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: item credit; 1."""
        return np.stack([best_credit(sheet), np.ones(len(sheet.listed))], axis=1)


def mode_first(sheet: Sheet) -> Floats:
    """1 where the first answer is the mode."""
    return sheet.sum(sheet.is_mode & (sheet.rank == 1))


@MEASURES.register("best-mode-P")
@dataclass(frozen=True)
class BestModePrecision(_Best):
    """Share of the attempted items with a mode whose first answer is the mode."""

    name: ClassVar[str] = "best-mode-P"
    reference: ClassVar[str] = "McCarthy and Navigli (2007), scoring of the task"
    criteria: ClassVar[tuple[str, ...]] = ("scored", "mode")

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: mode given first; 1 where attempted."""
        return np.stack([mode_first(sheet), sheet.attempted], axis=1)


@MEASURES.register("best-mode-R")
@dataclass(frozen=True)
class BestModeRecall(_Best):
    """Share of all items with a mode whose first answer is the mode."""

    name: ClassVar[str] = "best-mode-R"
    is_hit: ClassVar[bool] = True
    reference: ClassVar[str] = "McCarthy and Navigli (2007), scoring of the task"
    criteria: ClassVar[tuple[str, ...]] = ("scored", "mode")

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: mode given first; 1."""
        return np.stack([mode_first(sheet), np.ones(len(sheet.listed))], axis=1)
