"""Generalised average precision and its binary case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import Measure, Reads, ratio
from lexsub.evaluation.registry import MEASURES
from lexsub.evaluation.sheets import Sheet
from lexsub.evaluation.ties import expected_precision

Multiwords = Literal["drop", "letters", "keep"]
Ties = Literal["input", "name", "expected"]


@dataclass(frozen=True)
class Ranked(Measure):
    """Base of the measures of a whole ranking.

    Attributes:
        multiwords: ``drop`` substitutes with a blank or hyphen from ranking and gold, drop all
            but those of ``letters`` a-z (LexSubGen), or ``keep`` them.
        ties: answers of equal score stay in ``input`` order, are put in order of ``name``, or
            the figure is its ``expected`` value over all their orders, computed exactly.
        unjudged: ``keep`` answers that no judge saw, as wrong ones, or ``drop`` them first.
    """

    multiwords: Multiwords = "drop"
    ties: Ties = "input"
    unjudged: Literal["keep", "drop"] = "keep"

    reads: ClassVar[Reads] = "ranking"

    @property
    def criteria(self) -> tuple[str, ...]:  # type: ignore[override]
        """Items left without gold are skipped, not counted as 0."""
        return {
            "drop": ("single-word gold",), "letters": ("alphabetic gold",), "keep": ("gold",),
        }[self.multiwords]  # fmt: skip

    def answers(self, sheet: Sheet) -> Sheet:
        """The answers that are ranked: repeated ones never count twice."""
        if self.unjudged == "drop":
            sheet = sheet.judged_only
        if self.multiwords == "drop":
            return sheet.single_words
        return sheet.alphabetic if self.multiwords == "letters" else sheet.unique


@MEASURES.register("GAP")
@dataclass(frozen=True)
class GeneralisedAveragePrecision(Ranked):
    """GAP = Σ_i 1[x_i > 0]·p_i / Σ_{i≤R} ȳ_i, the mean over items.

    x_i is the gold weight of the i-th ranked candidate, p_i = (Σ_{k≤i} x_k) / i, and ȳ_i the same
    mean of the gold weights in falling order.

    Attributes:
        unranked: whether gold that was never ranked stays in the denominator (``count``, as
            in all published figures) or not (``ignore``).
    """

    unranked: Literal["count", "ignore"] = "count"

    name: ClassVar[str] = "GAP"
    reference: ClassVar[str] = "Kishida (2005); Thater, Fürstenau and Pinkal (2010), section 4.2"

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        answers = self.answers(sheet)
        gold = answers.gold
        found = answers.sum(
            expected_precision(answers, answers.gains, expected=self.ties == "expected")
        )
        if self.unranked == "count":
            ideal = gold.sum(gold.running(gold.weights) / gold.rank)
        else:
            order = np.lexsort((-answers.gains, answers.owner))
            gains = answers.gains[order]
            means = answers.running(gains) / answers.rank
            ideal = answers.sum(np.where(gains > 0, means, 0.0))
        return ratio(found, ideal, 0.0)


@MEASURES.register("AP")
@dataclass(frozen=True)
class AveragePrecision(Ranked):
    """Average precision, whose mean over items is MAP: Σ precision at each hit / |gold|."""

    multiwords: Multiwords = "keep"

    name: ClassVar[str] = "AP"
    reference: ClassVar[str] = "Buckley and Voorhees (2000); SWORDS evaluation code (map)"

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        answers = self.answers(sheet)
        found = answers.sum(
            expected_precision(answers, answers.hits, expected=self.ties == "expected")
        )
        return ratio(found, answers.gold.sizes.astype(float), 0.0)
