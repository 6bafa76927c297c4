"""Agreement on labels: raw agreement and kappa, as for the double annotation of Enron mail.

Jabbari et al. (2006) had each of 2200 messages labelled twice.  The two annotators of a
message may be any two of a group, so a figure is given for each pair of annotators and for
all pairs together; then for each class, and for categories that are taken for one another.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Literal

import numpy as np

from lexsub.errors import LexsubError
from lexsub.evaluation.agreement import Report
from lexsub.evaluation.agreement.substitutes import Interval, interval
from lexsub.evaluation.measure import ratio
from lexsub.evaluation.sheets import Floats
from lexsub.formats.annotations import LabelChoice, Rating


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """Agreement of two columns of labels.

    Attributes:
        items: how many items both columns label.
        raw: share of them with the same label.
        kappa: Cohen's (1960) kappa, or None where it is undefined because both columns
            hold one and the same label only.
        confusion: (label in the first column, label in the second) to count.
        raw_interval: 95 % interval of raw, by bootstrap over items (over whole targets where
            items name theirs); None for fewer than two.
        kappa_interval: the same of kappa.
    """

    items: int
    raw: float
    kappa: float | None
    confusion: Mapping[tuple[str, str], int]
    raw_interval: Interval | None = None
    kappa_interval: Interval | None = None


def cohen(pairs: Sequence[tuple[str, str]], items: Sequence[str] = ()) -> LabelAgreement:
    """Return the agreement of two columns; (p_o - p_e) / (1 - p_e) with marginals of each.

    Args:
        pairs: the labels of each row.
        items: the item of each row, for intervals; none without.

    Raises:
        ValueError: no pair.
    """
    if not pairs:
        raise ValueError("no pair of labels")
    labels = sorted({label for pair in pairs for label in pair})
    cell = {pair: place for place, pair in enumerate(product(labels, repeat=2))}
    rows = np.zeros((len(pairs), len(cell)))
    rows[np.arange(len(pairs)), [cell[pair] for pair in pairs]] = 1
    raw, kappa = (float(figure(rows.sum(axis=0))) for figure in (_raw, _kappa))
    return LabelAgreement(
        len(pairs),
        raw,
        None if math.isnan(kappa) else kappa,
        dict(sorted(Counter(pairs).items())),
        interval(items, rows, _raw),
        interval(items, rows, _kappa),
    )


def _counted(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the pairs that agree, pairs times those that would by chance, and pairs.

    Args:
        sums: tables of first by second label, laid flat along the last axis.
    """
    side = math.isqrt(sums.shape[-1])
    table = sums.reshape(*sums.shape[:-1], side, side)
    by_chance = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1)
    return np.trace(table, axis1=-2, axis2=-1), by_chance, sums.sum(axis=-1)


def _raw(sums: Floats) -> Floats:
    agreed, _, size = _counted(sums)
    return ratio(agreed, size)


def _kappa(sums: Floats) -> Floats:
    agreed, by_chance, size = _counted(sums)
    return ratio(agreed * size - by_chance, size**2 - by_chance)


def by_pair(choices: Iterable[LabelChoice]) -> dict[tuple[str, str], LabelAgreement]:
    """Return the agreement of each two annotators who share an item, names in order."""
    columns: dict[tuple[str, str], list[tuple[str, str]]] = {}
    items: dict[tuple[str, str], list[str]] = {}
    for left, right in _shared(choices):
        pair = (left.annotator, right.annotator)
        columns.setdefault(pair, []).append((left.label, right.label))
        items.setdefault(pair, []).append(left.item)
    return {pair: cohen(labels, items[pair]) for pair, labels in sorted(columns.items())}


def pooled(choices: Iterable[LabelChoice]) -> LabelAgreement | None:
    """Return the agreement over all pairs of annotators of all items, or None without a pair.

    The annotators of a pair are interchangeable here, so each pair is entered in both
    directions: the marginals are those of all labels together and the kappa is Scott's
    (1955) pi, which is Cohen's where both annotators use the labels equally often.  The
    confusion is symmetric, each pair counted once in either direction.
    """
    shared = _shared(choices)
    pairs = [(left.label, right.label) for left, right in shared]
    if not pairs:
        return None
    items = [left.item for left, _ in shared]
    both = cohen([*pairs, *((right, left) for left, right in pairs)], [*items, *items])
    return replace(both, items=len(pairs))


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
            (:func:`pooled`).
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
                label, given[label] / given.total(), both, row - both, own / row if row else None
            )
        )
    return tuple(rows)


def largest_confusions(confusion: Mapping[tuple[str, str], int]) -> tuple[Confusion, ...]:
    """Return the pairs of categories taken for one another, most often first, then by name."""
    counts = {pair: count for pair, count in confusion.items() if pair[0] < pair[1] and count}
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple(Confusion(pair, count, count / total) for pair, count in ranked)


def _shared(choices: Iterable[LabelChoice]) -> list[tuple[LabelChoice, LabelChoice]]:
    items: dict[str, list[LabelChoice]] = {}
    for choice in choices:
        items.setdefault(choice.item, []).append(choice)
    return [
        pair
        for labels in items.values()
        for pair in combinations(sorted(labels, key=lambda choice: choice.annotator), 2)
    ]


Deviation = Literal["population", "sample"]


@dataclass(frozen=True, slots=True)
class RatingAgreement:
    """How far ratings of one substitute agree.

    Attributes:
        substitutes: how many substitutes have two ratings or more.
        single: how many have one, and are left out of every figure.
        unanimity: share of substitutes whose ratings are all the same.
        mean_deviation: mean over substitutes of the standard deviation of the ratings.
        interval: its 95 % interval by the normal approximation, mean ± 1.96 standard
            errors; None for fewer than two substitutes.
        deviation: which standard deviation; the paper does not say.
    """

    substitutes: int
    single: int
    unanimity: float
    mean_deviation: float
    interval: tuple[float, float] | None
    deviation: Deviation


def by_substitute(ratings: Iterable[Rating]) -> dict[tuple[str, str], list[float]]:
    """Return the ratings of each (item, substitute), in order."""
    groups: dict[tuple[str, str], list[float]] = {}
    for rating in ratings:
        groups.setdefault((rating.item, rating.substitute), []).append(rating.rating)
    return groups


def rating_agreement(
    ratings: Iterable[Rating], deviation: Deviation = "population"
) -> RatingAgreement | None:
    """Return the figures, or None where no substitute has two ratings."""
    groups = by_substitute(ratings)
    several = [values for values in groups.values() if len(values) > 1]
    if not several:
        return None
    spread = statistics.pstdev if deviation == "population" else statistics.stdev
    deviations = [spread(values) for values in several]
    mean = statistics.fmean(deviations)
    interval = None
    if len(several) > 1:
        error = 1.959963984540054 * statistics.stdev(deviations) / len(several) ** 0.5
        interval = (mean - error, mean + error)
    count, single = len(several), len(groups) - len(several)
    unanimous = sum(len(set(values)) == 1 for values in several)
    return RatingAgreement(count, single, unanimous / count, mean, interval, deviation)


@dataclass(frozen=True, slots=True, repr=False)
class LabelReport(Report):
    """Agreement on labels (Enron).

    ``classes`` and ``confusions`` are over all pairs of annotators.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    items: int
    pairs: Mapping[tuple[str, str], LabelAgreement]
    pooled: LabelAgreement
    fleiss: float | None
    classes: tuple[ClassAgreement, ...]
    confusions: tuple[Confusion, ...]


def report_labels(choices: Sequence[LabelChoice]) -> LabelReport:
    """Return every figure that labels give.

    Raises:
        LexsubError: no item has two labels.
    """
    together = pooled(choices)
    if together is None:
        raise LexsubError("no item has labels of two annotators: agreement needs a double one")
    return LabelReport(
        tuple(sorted({choice.annotator for choice in choices})),
        tuple(sorted({choice.label for choice in choices})),
        len({choice.item for choice in choices}),
        by_pair(choices),
        together,
        fleiss(choices),
        class_agreement(choices, together.confusion),
        largest_confusions(together.confusion),
    )


@dataclass(frozen=True, slots=True, repr=False)
class RatingReport(Report):
    """Agreement on ratings (SemDis gold 2)."""

    annotators: tuple[str, ...]
    agreement: RatingAgreement


def report_ratings(ratings: Sequence[Rating], deviation: Deviation) -> RatingReport:
    """Return every figure that ratings alone give.

    Raises:
        LexsubError: no substitute has two ratings.
    """
    figures = rating_agreement(ratings, deviation)
    if figures is None:
        raise LexsubError("no substitute has two ratings: agreement needs two judges or more")
    return RatingReport(tuple(sorted({rating.annotator for rating in ratings})), figures)
