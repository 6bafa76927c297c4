"""The measures of SemEval-2007 Task 10 (McCarthy and Navigli, 2007): best, oot, mw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexsub.evaluation.measure import Measure, ratio
from lexsub.evaluation.sheets import Floats, Sheet

LIMIT = 10
"""Answers of an oot list that count."""

REFERENCE = "McCarthy and Navigli (2007), scoring of the task"


class _Best(Measure, reads="best", criteria=("scored",), reference=REFERENCE):
    def figures(self, sheet: Sheet) -> Floats:
        """Σ_{a∈A} freq(a) / (|A|·|H|): the share of all responses, divided by the answers given."""
        return ratio(ratio(sheet.sum(sheet.gains), sheet.gold.total, 0.0), sheet.sizes, 0.0)


@dataclass(frozen=True)
class BestPrecision(_Best, name="best-P", attempted_only=True):
    """Mean best credit of the items attempted."""


@dataclass(frozen=True)
class BestRecall(_Best, name="best-R"):
    """Mean best credit of all items."""


class _BestMode(_Best, criteria=("scored", "mode")):
    def figures(self, sheet: Sheet) -> Floats:
        """1 where the first answer is the mode."""
        return sheet.sum(sheet.is_mode & (sheet.rank == 1))


@dataclass(frozen=True)
class BestModePrecision(_BestMode, name="best-mode-P", attempted_only=True):
    """Share of the attempted items with a mode whose first answer is the mode."""


@dataclass(frozen=True)
class BestModeRecall(_BestMode, name="best-mode-R", is_hit=True):
    """Share of all items with a mode whose first answer is the mode."""


@dataclass(frozen=True)
class _Oot(Measure, reads="oot", criteria=("scored",), reference=REFERENCE):
    """Base of the oot measures.

    Attributes:
        duplicates: ``count``: an answer given twice earns its credit twice (the official
            scorer; its authors later called that an oversight, 2009); ``drop``: once.
    """

    duplicates: Literal["count", "drop"] = "count"

    def answers(self, sheet: Sheet) -> Sheet:
        """The ten answers that count."""
        return (sheet.unique if self.duplicates == "drop" else sheet).first(LIMIT)

    def figures(self, sheet: Sheet) -> Floats:
        """Σ_{a∈A} freq(a) / |H|: the share of all responses, not divided by the answers."""
        answers = self.answers(sheet)
        return ratio(answers.sum(answers.gains), sheet.gold.total, 0.0)


class _OotMode(_Oot, criteria=("scored", "mode")):
    def figures(self, sheet: Sheet) -> Floats:
        """1 where the mode is among the answers."""
        answers = self.answers(sheet)
        return answers.any(answers.is_mode).astype(float)


@dataclass(frozen=True)
class OotPrecision(_Oot, name="oot-P", attempted_only=True):
    """Mean oot credit of the items attempted."""


@dataclass(frozen=True)
class OotRecall(_Oot, name="oot-R"):
    """Mean oot credit of all items."""


@dataclass(frozen=True)
class OotModePrecision(_OotMode, name="oot-mode-P", attempted_only=True):
    """Share of the attempted items with a mode that have it among ten answers."""


@dataclass(frozen=True)
class OotModeRecall(_OotMode, name="oot-mode-R", is_hit=True):
    """Share of all items with a mode that have it among ten answers."""


class _Detection(Measure, reads="mw", reference=REFERENCE):
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


@dataclass(frozen=True)
class DetectionPrecision(_Detection, name="mw-detection-P", attempted_only=True):
    """Multiword items detected, of the items for which the system names a multiword."""


@dataclass(frozen=True)
class DetectionRecall(_Detection, name="mw-detection-R", criteria=("multiword",)):
    """Multiword items detected, of all multiword items."""


@dataclass(frozen=True)
class IdentificationPrecision(_Identification, name="mw-identification-P", attempted_only=True):
    """Multiwords named rightly, of the items for which the system names one."""


@dataclass(frozen=True)
class IdentificationRecall(_Identification, name="mw-identification-R", criteria=("multiword",)):
    """Multiwords named rightly, of all multiword items."""
