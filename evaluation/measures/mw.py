"""mw of SemEval-2007: multiword detection and identification (McCarthy and Navigli, 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import Measure, Reads
from lexsub.evaluation.registry import MEASURES
from lexsub.evaluation.sheets import Sheet


class _Detection(Measure):
    reads: ClassVar[Reads] = "mw"
    reference: ClassVar[str] = "McCarthy and Navigli (2007), scoring of the task"

    def figures(self, sheet: Sheet) -> Floats:
        """1 for each multiword item the system has a line for.

        Under the official normalisation a line with a blank answer counts, though it is not
        among those found; under others such a line is no answer.
        """
        return (sheet.listed & sheet.gold.is_multiword_item).astype(float)


class _Identification(_Detection):
    def figures(self, sheet: Sheet) -> Floats:
        """1 for each multiword item for which the very multiword is given."""
        return sheet.any(sheet.is_mode).astype(float)


@MEASURES.register("mw-detection-P")
@dataclass(frozen=True)
class DetectionPrecision(_Detection):
    """Multiword items detected, of the items for which the system names a multiword."""

    name: ClassVar[str] = "mw-detection-P"
    attempted_only: ClassVar[bool] = True


@MEASURES.register("mw-detection-R")
@dataclass(frozen=True)
class DetectionRecall(_Detection):
    """Multiword items detected, of all multiword items."""

    name: ClassVar[str] = "mw-detection-R"
    criteria: ClassVar[tuple[str, ...]] = ("multiword",)


@MEASURES.register("mw-identification-P")
@dataclass(frozen=True)
class IdentificationPrecision(_Identification):
    """Multiwords named rightly, of the items for which the system names one."""

    name: ClassVar[str] = "mw-identification-P"
    attempted_only: ClassVar[bool] = True


@MEASURES.register("mw-identification-R")
@dataclass(frozen=True)
class IdentificationRecall(_Identification):
    """Multiwords named rightly, of all multiword items."""

    name: ClassVar[str] = "mw-identification-R"
    criteria: ClassVar[tuple[str, ...]] = ("multiword",)
