"""Agreement seen class by class, and which categories are taken for one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lexsub.formats.annotations import LabelChoice


@dataclass(frozen=True, slots=True)
class ClassAgreement:
    """How far pairs of annotators agree on one class.

    Attributes:
        label: the class.
        share: its share of all labels.
        both: pairs in which both gave it.
        either: pairs in which at least one did.
        specific: both / mean of how often each side gave it (positive agreement, Dice); the
            chance that one gave it if the other did.  None for a class in no pair.
    """

    label: str
    share: float
    both: int
    either: int
    specific: float | None


@dataclass(frozen=True, slots=True)
class Confusion:
    """Two categories given to the same item by two annotators.

    Attributes:
        labels: the two, in order.
        count: pairs of annotators that did so, either way round.
        share: of all pairs that disagree.
    """

    labels: tuple[str, str]
    count: int
    share: float


def coarse(choices: Iterable[LabelChoice]) -> list[LabelChoice]:
    """Return the choices by class alone: what stands before the colon in ``business:travel``."""
    return [
        LabelChoice(choice.item, choice.annotator, choice.label.partition(":")[0])
        for choice in choices
    ]


def class_agreement(
    choices: Iterable[LabelChoice], confusion: Mapping[tuple[str, str], int]
) -> tuple[ClassAgreement, ...]:
    """Return the agreement on each class.

    Args:
        choices: every label given.
        confusion: pairs of labels to count, each pair of annotators once in either direction
            (:func:`lexsub.evaluation.agreement.labels.pooled`).
    """
    given = Counter(choice.label for choice in choices)
    rows = []
    for label in sorted(given):
        # Symmetric counts: a pair that agrees stands twice on the diagonal.
        own = confusion.get((label, label), 0)
        row = sum(count for (one, _), count in confusion.items() if one == label)
        both = own // 2
        rows.append(
            ClassAgreement(
                label,
                given[label] / given.total(),
                both,
                row - both,
                own / row if row else None,
            )
        )
    return tuple(rows)


def largest_confusions(confusion: Mapping[tuple[str, str], int]) -> tuple[Confusion, ...]:
    """Return the pairs of categories taken for one another, most often first, then by name."""
    counts = {pair: count for pair, count in confusion.items() if pair[0] < pair[1] and count}
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple(Confusion(pair, count, count / total) for pair, count in ranked)
