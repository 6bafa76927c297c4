"""The measures of lexical simplification: TSAR-2022's, and LEXenstein's of stages and pipelines.

With A the ranked answers of an item (repeated ones and the target left out: the policy ``tsar``),
G its gold, and h_i = 1 where the i-th answer is in G, those of TSAR-2022 (Saggion et al., 2022;
``tsar_eval.py``) are means over items of

* MAP@K = (1/K) Σ_{i≤K} h_i (h_1+…+h_i)/i, divided by K however many are in G or A;
* Potential@K: 1 where any h_i with i ≤ K is 1;
* Accuracy@K@top1: 1 where one of the first K answers is one that most people gave, ties included;
* Precision@K = Σ_{i≤K} h_i / min(K, |A|), Recall@K = Σ_{i≤K} h_i / |G|.

Those of substitute generation (Paetzold and Specia, 2016) are sums over all items: P = Σ|A∩G| /
Σ|A|, R = Σ|A∩G| / Σ|G|.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from lexsub.errors import LexsubError
from lexsub.evaluation.measure import Measure, harmonic, ratio
from lexsub.evaluation.sheets import Bools, Floats, GoldArrays, Sheet
from lexsub.parts.limits import Positive

TSAR = "Saggion et al. (2022), TSAR-2022 shared task; tsar_eval.py"
LEXENSTEIN = "Paetzold and Specia (2016); LEXenstein, evaluators.py"


@dataclass(frozen=True)
class _Simplification(Measure, reads="ranking", unit="1", criteria=("gold",)):
    """Base of them all."""


@dataclass(frozen=True)
class _Tsar(_Simplification, reference=TSAR):
    """Base of TSAR's measures.

    Attributes:
        per: average over the ``items`` of the gold, or over the ``lines`` of the submission as
            the script does (where leaving items out costs nothing).
        k: how many answers count.
    """

    per: Literal["items", "lines"] = "items"
    k: Positive = 10

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: the figure of the item; 1, or 1 where there is a line."""
        return super().statistics(sheet.unique.first(self.k))

    def units(self, sheet: Sheet) -> Floats | Bools:
        """All items, or those with a line."""
        return sheet.listed if self.per == "lines" else super().units(sheet)


@dataclass(frozen=True)
class TsarMap(_Tsar, name="tsar-MAP"):
    """MAP@K: the precision at each right answer of the first k, summed and divided by k."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return sheet.sum(sheet.hits * sheet.running(sheet.hits) / sheet.rank) / self.k


@dataclass(frozen=True)
class TsarPotential(_Tsar, name="tsar-potential"):
    """Potential@K: the share of items with a right answer among the first k."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return sheet.any(sheet.hits > 0).astype(float)


@dataclass(frozen=True)
class TsarAccuracy(_Tsar, name="tsar-accuracy"):
    """Accuracy@K@top1: the share of items where the first k have what most people gave."""

    k: Positive = 1

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        most = sheet.gold.maximum[sheet.owner]
        return sheet.any((sheet.gains > 0) & (sheet.gains == most)).astype(float)


@dataclass(frozen=True)
class TsarPrecision(_Tsar, name="tsar-P"):
    """Precision@K: right answers among the first k, divided by these; mean over items."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return ratio(sheet.sum(sheet.hits), sheet.sizes, 0.0)


@dataclass(frozen=True)
class TsarRecall(_Tsar, name="tsar-R"):
    """Recall@K: right answers among the first k, divided by the gold's; mean over items."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return ratio(sheet.sum(sheet.hits), sheet.gold.sizes, 0.0)


@dataclass(frozen=True)
class TsarF(_Tsar, name="tsar-F"):
    """F1@K: the harmonic mean of Precision@K and Recall@K, these being means over items."""

    def statistics(self, sheet: Sheet) -> Floats:
        """Columns: the item's precision and recall; 1, or 1 where there is a line."""
        precision = TsarPrecision(self.per, self.k).statistics(sheet)
        recall = TsarRecall(self.per, self.k).statistics(sheet)
        return np.stack([precision[:, 0], recall[:, 0], recall[:, 1]], axis=1)

    def value(self, sums: Floats) -> Floats:
        """Return the harmonic mean of the two means."""
        return harmonic(*(ratio(sums[..., column], sums[..., 2]) for column in (0, 1)))


@dataclass(frozen=True)
class GenerationPotential(_Simplification, name="sg-potential", reference=LEXENSTEIN):
    """The share of items with a right answer, whatever its place."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return sheet.any(sheet.hits > 0).astype(float)


@dataclass(frozen=True)
class _Generation(_Simplification, reference=LEXENSTEIN):
    """Base of the measures of substitute generation: all answers count, in any order.

    Attributes:
        columns: those of |A∩G|, |A| and |G| that enter the figure.
    """

    columns: ClassVar[Sequence[Literal[0, 1, 2]]]

    def statistics(self, sheet: Sheet) -> Floats:
        """Return those columns."""
        answers = sheet.unique
        sums = [answers.sum(answers.hits), answers.sizes, answers.gold.sizes]
        return np.stack(sums, axis=1)[:, self.columns]


@dataclass(frozen=True)
class GenerationPrecision(_Generation, name="sg-P", columns=(0, 1)):
    """Right answers to all items, divided by all answers."""


@dataclass(frozen=True)
class GenerationRecall(_Generation, name="sg-R", columns=(0, 2)):
    """Right answers to all items, divided by all gold substitutes."""


@dataclass(frozen=True)
class GenerationF(_Generation, name="sg-F", columns=(0, 1, 2)):
    """The harmonic mean of ``sg-P`` and ``sg-R``."""

    def value(self, sums: Floats) -> Floats:
        """Return F = 2·|A∩G| / (|A| + |G|), summed over all items."""
        return ratio(2 * sums[..., 0], sums[..., 1] + sums[..., 2])


@dataclass(frozen=True)
class _Pipeline(_Simplification, reference=LEXENSTEIN):
    """Base of the measures of what is put in the target's place: the first answer.

    The target itself as the answer says that it had better stay; the policy must not leave it out
    (``exact``, not ``tsar``).
    """

    def check(self, gold: GoldArrays) -> None:
        """Refuse a gold that does not say what its targets are.

        Raises:
            LexsubError: it does not, or the policy takes the target out of the answers.
        """
        if not any(seen.row.target for seen in gold.rows):
            raise LexsubError(
                f"{self} asks whether an answer is the target, and gold {gold.gold.name} does not "
                "say what stands in its sentences; expected one of lexical simplification"
            )
        if gold.normalisation == "tsar":
            raise LexsubError(
                f"{self} asks whether an answer is the target, which the rules 'tsar' leave out: "
                "compare by --normalisation exact"
            )

    def kept(self, sheet: Sheet) -> Floats:
        """1 for each item whose first answer is its target."""
        first = sheet.first(1)
        return first.any(first.is_target).astype(float)

    def right(self, sheet: Sheet) -> Floats:
        """1 for each item whose first answer is another word, and in the gold."""
        first = sheet.first(1)
        return first.any((first.hits > 0) & ~first.is_target).astype(float)


@dataclass(frozen=True)
class PipelinePrecision(_Pipeline, name="pipeline-P"):
    """The share of items whose first answer is in the gold, or the target itself."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return self.right(sheet) + self.kept(sheet)


@dataclass(frozen=True)
class PipelineAccuracy(_Pipeline, name="pipeline-accuracy"):
    """The share of items whose first answer is in the gold and not the target."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return self.right(sheet)


@dataclass(frozen=True)
class PipelineChanged(_Pipeline, name="pipeline-changed"):
    """The share of items whose first answer is not the target; without an answer, too."""

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        return 1 - self.kept(sheet)
