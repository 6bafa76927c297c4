"""Agreement on multiwords, after McCarthy and Navigli (2007), section 4."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from lexsub.evaluation.agreement.shares import Share, share
from lexsub.formats.annotations import Response


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
