"""mw of SemEval-2007: multiword detection and identification (McCarthy and Navigli, 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import Measure, Reads
from lexsub.evaluation.registry import MEASURES

if TYPE_CHECKING:
    from lexsub.evaluation.sheets import Sheet


class _Multiword(Measure):
    reads: ClassVar[Reads] = "mw"


def detected(sheet: Sheet) -> Floats:
    """1 for each multiword item the system has a line for.

    Under the official normalisation a line with a blank answer counts, though it is not
    among those found; under others such a line is no answer.
    """
    return (sheet.listed & sheet.gold.is_multiword_item).astype(float)


def identified(sheet: Sheet) -> Floats:
    """1 for each multiword item for which the very multiword is given."""
    return sheet.any(sheet.is_mode).astype(float)


@MEASURES.register("mw-detection-P")
@dataclass(frozen=True)
class DetectionPrecision(_Multiword):
    """Multiword items detected, of the items for which the system names a multiword."""

    name: ClassVar[str] = "mw-detection-P"
    reference: ClassVar[str] = "McCarthy and Navigli (2007), scoring of the task"

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: detected; 1 where a multiword is named."""
        return np.stack([detected(sheet), sheet.attempted], axis=1)


@MEASURES.register("mw-detection-R")
@dataclass(frozen=True)
class DetectionRecall(_Multiword):
    """Multiword items detected, of all multiword items."""

    name: ClassVar[str] = "mw-detection-R"
    reference: ClassVar[str] = "McCarthy and Navigli (2007), scoring of the task"
    criteria: ClassVar[tuple[str, ...]] = ("multiword",)

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: detected; 1 for a multiword item."""
        return np.stack([detected(sheet), sheet.gold.is_multiword_item], axis=1)


@MEASURES.register("mw-identification-P")
@dataclass(frozen=True)
class IdentificationPrecision(_Multiword):
    """Multiwords named rightly, of the items for which the system names one."""

    name: ClassVar[str] = "mw-identification-P"
    reference: ClassVar[str] = "McCarthy and Navigli (2007), scoring of the task"

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: identified; 1 where a multiword is named."""
        return np.stack([identified(sheet), sheet.attempted], axis=1)


@MEASURES.register("mw-identification-R")
@dataclass(frozen=True)
class IdentificationRecall(_Multiword):
    """Multiwords named rightly, of all multiword items."""

    name: ClassVar[str] = "mw-identification-R"
    reference: ClassVar[str] = "McCarthy and Navigli (2007), scoring of the task"
    criteria: ClassVar[tuple[str, ...]] = ("multiword",)

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: identified; 1 for a multiword item."""
        return np.stack([identified(sheet), sheet.gold.is_multiword_item], axis=1)
