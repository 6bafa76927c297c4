"""Agreement on substitutes and multiwords, after McCarthy and Navigli (2007), section 4.

Every figure is a share in [0, 1] with the number of pairs it is the mean of, so that an
undefined one (no pair) is seen as such: its value is None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from lexsub.datasets import mode_of
from lexsub.evaluation.agreement import Report
from lexsub.evaluation.measure import ratio
from lexsub.evaluation.resampling import bootstrap_counts, quantile_interval, unit_sums
from lexsub.evaluation.sheets import Floats
from lexsub.formats.annotations import Response


@dataclass(frozen=True, slots=True)
class SubstituteAgreement:
    """Agreement of a group of annotators.

    Attributes:
        pairwise: mean overlap of the substitutes of two annotators.
        with_mode: mean overlap of an annotator's substitutes with the mode.
    """

    pairwise: Share
    with_mode: Share


def agreement(responses: Iterable[Response]) -> SubstituteAgreement:
    """Return both figures for a group of annotators."""
    kept = list(responses)
    return SubstituteAgreement(pairwise(kept), with_mode(kept))


def pairwise(responses: Iterable[Response]) -> Share:
    """Return the mean of |h1 ∩ h2| / |h1 ∪ h2| over all pairs of annotators of all items.

    Only pairs in which both gave a substitute count (task documentation, section 6).
    """
    return share(
        (item, [overlap(one.substitutes, two.substitutes) for one, two in combinations(answers, 2)])
        for item, answers in _by_item(responses).items()
    )


def with_mode(responses: Iterable[Response]) -> Share:
    """Return the mean of |h ∩ {mode}| / |h ∪ {mode}| over all annotators of items with a mode.

    The paper says "pairwise agreement with the mode" and no more; this is the reading that
    takes the mode for one more annotator.  An item has a mode if one substitute is given
    more often than any other and there is more than one response, as in scoring.
    """
    shares = []
    for item, answers in _by_item(responses).items():
        top = mode(answers)
        if top is not None:
            shares.append((item, [overlap(answer.substitutes, (top,)) for answer in answers]))
    return share(shares)


def mode(answers: Sequence[Response]) -> str | None:
    """Return the substitute that most annotators of an item gave, if there is just one."""
    counts = Counter(name for answer in answers for name in answer.substitutes)
    return mode_of(counts) if counts.total() > 1 else None


def leave_one_out(responses: Iterable[Response]) -> dict[str, SubstituteAgreement]:
    """Return the agreement of the others for each annotator left out, modes counted anew."""
    kept = list(responses)
    return {
        left_out: agreement(response for response in kept if response.annotator != left_out)
        for left_out in sorted({response.annotator for response in kept})
    }


@dataclass(frozen=True, slots=True)
class MultiwordAgreement:
    """Agreement on whether a target is part of a multiword, and of which.

    Attributes:
        detection: share of annotator pairs, over all items, that agree whether it is.
        form: share of the pairs in which both named a multiword that named the same, case
            and spacing aside.
    """

    detection: Share
    form: Share


def multiword_agreement(responses: Iterable[Response]) -> MultiwordAgreement:
    """Return both figures; every annotator who saw the item takes part in detection."""
    items: dict[str, list[str | None]] = {}
    for response in responses:
        named = response.multiword
        items.setdefault(response.item, []).append(
            None if named is None else " ".join(named.casefold().split())
        )
    detection, form = [], []
    for item, answers in items.items():
        pairs = list(combinations(answers, 2))
        detection.append((item, [(one is None) == (other is None) for one, other in pairs]))
        form.append((item, [one == other for one, other in pairs if None not in (one, other)]))
    return MultiwordAgreement(share(detection), share(form))


def overlap(one: Sequence[str], other: Sequence[str]) -> Fraction:
    """Return |A ∩ B| / |A ∪ B| of two non-empty collections, exactly."""
    left, right = set(one), set(other)
    return Fraction(len(left & right), len(left | right))


def _by_item(responses: Iterable[Response]) -> dict[str, list[Response]]:
    """Group responses that hold a substitute by item."""
    items: dict[str, list[Response]] = {}
    for response in responses:
        if response.substitutes:
            items.setdefault(response.item, []).append(response)
    return items


Interval = tuple[float, float]

LEVEL = 0.95
RESAMPLES = 2_000
SEED = 0


def unit_of(item: str) -> str:
    """Return the unit that an item is drawn with."""
    return item.rpartition(" ")[0] or item


def interval(
    items: Sequence[str], rows: Floats, figure: Callable[[Floats], Floats]
) -> Interval | None:
    """Return the 95 % percentile interval of a figure of sums.

    Args:
        items: the item of each row.
        rows: what each adds to the sums, shape (rows, columns).
        figure: from sums of shape (resamples, columns) to figures; NaN for an undefined one.

    Returns:
        None where there are fewer than two units, or no resample has a figure.
    """
    names = {name: number for number, name in enumerate(sorted(set(map(unit_of, items))))}
    if len(names) < 2:
        return None
    sums = unit_sums(rows, np.array([names[unit_of(item)] for item in items]))
    drawn = [figure(counts @ sums) for counts in bootstrap_counts(len(names), RESAMPLES, SEED)]
    low, high = quantile_interval(np.concatenate(drawn), LEVEL)
    return None if np.isnan(low) else (low, high)


@dataclass(frozen=True, slots=True)
class Share:
    """A mean over comparisons.

    Attributes:
        value: the mean, or None where there was nothing to compare.
        comparisons: how many comparisons it is the mean of.
        items: how many items they come from.
        interval: its 95 % interval, by bootstrap over whole targets; None for fewer than two.
    """

    value: float | None
    comparisons: int
    items: int
    interval: Interval | None = None


def share(groups: Iterable[tuple[str, Sequence[Fraction | bool]]]) -> Share:
    """Return the mean of all comparisons, given by item."""
    filled = [(item, group) for item, group in groups if group]
    count = sum(len(group) for _, group in filled)
    if not count:
        return Share(None, 0, 0)
    # Fractions: the same figure whatever the order of the rows.
    totals = [sum((Fraction(value) for value in group), Fraction(0)) for _, group in filled]
    rows = np.array(
        [(float(total), len(group)) for total, (_, group) in zip(totals, filled, strict=True)]
    )
    bounds = interval(
        [item for item, _ in filled], rows, lambda sums: ratio(sums[:, 0], sums[:, 1])
    )
    return Share(float(sum(totals, Fraction(0)) / count), count, len(filled), bounds)


NEEDS_ANNOTATORS = (
    "pairwise agreement, agreement with the mode, leaving one annotator out, multiword "
    "agreement, unanimity and kappa need each annotator's own answers"
)


@dataclass(frozen=True, slots=True, repr=False)
class SubstituteReport(Report):
    """Agreement on substitutes and multiwords (SemEval-2007)."""

    annotators: tuple[str, ...]
    items: int
    everyone: SubstituteAgreement
    without: Mapping[str, SubstituteAgreement]
    multiwords: MultiwordAgreement | None
    """None where no annotator named a multiword (the column is missing or empty)."""


def report_substitutes(responses: Sequence[Response]) -> SubstituteReport:
    """Return every figure that annotators' substitutes give."""
    named = any(response.multiword for response in responses)
    return SubstituteReport(
        tuple(sorted({response.annotator for response in responses})),
        len({response.item for response in responses}),
        agreement(responses),
        leave_one_out(responses),
        multiword_agreement(responses) if named else None,
    )
