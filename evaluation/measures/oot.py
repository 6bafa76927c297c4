"""oot of SemEval-2007: up to ten answers (McCarthy and Navigli, 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import Measure, Reads
from lexsub.evaluation.registry import MEASURES
from lexsub.evaluation.sheets import Sheet

LIMIT = 10


@dataclass(frozen=True)
class _Oot(Measure):
    """Base of the oot measures.

    Attributes:
        duplicates: ``count``: an answer given twice earns its credit twice (the official
            scorer; its authors later called that an oversight, 2009); ``drop``: once.
    """

    duplicates: Literal["count", "drop"] = "count"

    reads: ClassVar[Reads] = "oot"
    criteria: ClassVar[tuple[str, ...]] = ("scored",)
    reference: ClassVar[str] = "McCarthy and Navigli (2007), scoring of the task"

    def answers(self, sheet: Sheet) -> Sheet:
        """The ten answers that count."""
        return (sheet.unique if self.duplicates == "drop" else sheet).first(LIMIT)

    def figures(self, sheet: Sheet) -> Floats:
        """Σ_{a∈A} freq(a) / |H|: the share of all responses, not divided by the answers."""
        answers = self.answers(sheet)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.nan_to_num(answers.sum(answers.gains) / sheet.gold.total)


class _OotMode(_Oot):
    criteria: ClassVar[tuple[str, ...]] = ("scored", "mode")

    def figures(self, sheet: Sheet) -> Floats:
        """1 where the mode is among the answers."""
        answers = self.answers(sheet)
        return answers.any(answers.is_mode).astype(float)


@MEASURES.register("oot-P")
@dataclass(frozen=True)
class OotPrecision(_Oot):
    """Mean oot credit of the items attempted."""

    name: ClassVar[str] = "oot-P"
    attempted_only: ClassVar[bool] = True


@MEASURES.register("oot-R")
@dataclass(frozen=True)
class OotRecall(_Oot):
    """Mean oot credit of all items."""

    name: ClassVar[str] = "oot-R"


@MEASURES.register("oot-mode-P")
@dataclass(frozen=True)
class OotModePrecision(_OotMode):
    """Share of the attempted items with a mode that have it among ten answers."""

    name: ClassVar[str] = "oot-mode-P"
    attempted_only: ClassVar[bool] = True


@MEASURES.register("oot-mode-R")
@dataclass(frozen=True)
class OotModeRecall(_OotMode):
    """Share of all items with a mode that have it among ten answers."""

    name: ClassVar[str] = "oot-mode-R"
    is_hit: ClassVar[bool] = True
