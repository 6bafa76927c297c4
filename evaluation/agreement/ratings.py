"""Agreement of judges who rated substitutes, after Tanguy et al. (2016), for a second gold."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from lexsub.formats.annotations import Rating

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
    unanimous = sum(len(set(values)) == 1 for values in several)
    return RatingAgreement(
        len(several),
        len(groups) - len(several),
        unanimous / len(several),
        mean,
        interval,
        deviation,
    )
