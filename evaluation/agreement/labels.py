"""Agreement on labels: raw agreement and kappa, as for the double annotation of Enron mail.

Jabbari et al. (2006) had each of 2200 messages labelled twice.  The two annotators of a
message may be any two of a group, so a figure is given for each pair of annotators and for
all pairs together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from lexsub.formats.annotations import LabelChoice


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """Agreement of two columns of labels.

    Attributes:
        items: how many items both columns label.
        raw: share of them with the same label.
        kappa: Cohen's (1960) kappa, or None where it is undefined because both columns
            hold one and the same label only.
        confusion: (label in the first column, label in the second) to count.
    """

    items: int
    raw: float
    kappa: float | None
    confusion: Mapping[tuple[str, str], int]


def cohen(pairs: Sequence[tuple[str, str]]) -> LabelAgreement:
    """Return the agreement of two columns; (p_o - p_e) / (1 - p_e) with marginals of each.

    Raises:
        ValueError: no pair.
    """
    if not pairs:
        raise ValueError("no pair of labels")
    size = len(pairs)
    confusion = Counter(pairs)
    first = Counter(one for one, _ in pairs)
    second = Counter(other for _, other in pairs)
    agreed = sum(count for (one, other), count in confusion.items() if one == other)
    by_chance = sum(first[label] * second[label] for label in first)  # times size ** 2
    kappa = None
    if by_chance < size * size:
        kappa = (agreed * size - by_chance) / (size * size - by_chance)
    return LabelAgreement(size, agreed / size, kappa, dict(sorted(confusion.items())))


def by_pair(choices: Iterable[LabelChoice]) -> dict[tuple[str, str], LabelAgreement]:
    """Return the agreement of each two annotators who share an item, names in order."""
    columns: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for one, other in _shared(choices):
        pair = (one.annotator, other.annotator)
        columns.setdefault(pair, []).append((one.label, other.label))
    return {pair: cohen(labels) for pair, labels in sorted(columns.items())}


def pooled(choices: Iterable[LabelChoice]) -> LabelAgreement | None:
    """Return the agreement over all pairs of annotators of all items, or None without a pair.

    The annotators of a pair are interchangeable here, so each pair is entered in both
    directions: the marginals are those of all labels together and the kappa is Scott's
    (1955) pi, which is Cohen's where both annotators use the labels equally often.  The
    confusion is symmetric, each pair counted once in either direction.
    """
    pairs = [(one.label, other.label) for one, other in _shared(choices)]
    if not pairs:
        return None
    both = cohen([*pairs, *((other, one) for one, other in pairs)])
    return LabelAgreement(len(pairs), both.raw, both.kappa, both.confusion)


def fleiss(choices: Iterable[LabelChoice]) -> float | None:
    """Return Fleiss' (1971) kappa over the items, or None where it is undefined.

    It needs the same number of labels, two or more, on every item, and two labels in use.
    """
    items: dict[str, Counter[str]] = {}
    for choice in choices:
        items.setdefault(choice.item, Counter())[choice.label] += 1
    sizes = {counts.total() for counts in items.values()}
    if len(sizes) != 1 or (raters := sizes.pop()) < 2:
        return None
    agreed = sum(count * (count - 1) for counts in items.values() for count in counts.values())
    observed = agreed / (len(items) * raters * (raters - 1))
    totals = sum(items.values(), Counter[str]())
    expected = sum(count * count for count in totals.values()) / totals.total() ** 2
    return None if len(totals) == 1 else (observed - expected) / (1 - expected)


def _shared(choices: Iterable[LabelChoice]) -> list[tuple[LabelChoice, LabelChoice]]:
    items: dict[str, list[LabelChoice]] = {}
    for choice in choices:
        items.setdefault(choice.item, []).append(choice)
    return [
        pair
        for labels in items.values()
        for pair in combinations(sorted(labels, key=lambda choice: choice.annotator), 2)
    ]
