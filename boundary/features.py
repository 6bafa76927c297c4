"""What can be seen of a candidate in a ranking, for boundaries that learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Lexelt
from lexsub.errors import LexsubError
from lexsub.rankings import Ranking

Floats = NDArray[np.float64]

Others = Mapping[str, Mapping[str, Ranking]]
"""Rankings of the same items by other systems: system name to item id to ranking."""

TEMPERATURE = 2.0
"""Flattens the softmax of log10 scores."""


def features(ranking: Ranking, others: Sequence[str], given: Others, largest: int) -> Floats:
    """Return a row for each of the first ``largest`` candidates, shape (candidates, features).

    Place; score below the best, below the one before the next, and against all candidates;
    probability by softmax and its mass down to here; how many candidates there are and how
    evenly they score; multiword; part of speech; and for each other system the place and the
    score that it gives the candidate, and the places it gave to those above: rankers that
    agree are mostly right.

    Raises:
        LexsubError: another system is not there, or ranked other candidates.
    """
    scores = np.array([entry.score for entry in ranking.ranked])
    n, m = len(scores), min(largest, len(scores))
    if not n:
        return np.zeros((0, width(len(others))))
    place = np.arange(1, m + 1, dtype=np.float64)
    weights = 10 ** ((scores - scores[0]) / TEMPERATURE)
    chance = weights / weights.sum()
    gaps = -np.diff(scores, append=scores[-1] - TEMPERATURE)
    entropy = -(chance * np.log(np.maximum(chance, 1e-12))).sum()
    spread = scores.std() + 1e-9
    multiword = np.array([" " in entry.substitute for entry in ranking.ranked[:m]])
    pos = Lexelt.parse(ranking.lexelt).pos
    ones = np.ones(m)
    columns = [
        place,
        np.log(place),
        scores[:m] - scores[0],
        gaps[:m],
        chance[:m],
        np.cumsum(chance)[:m],
        n * ones,
        np.log(n) * ones,
        multiword.astype(float),
        chance[0] * ones,
        entropy * ones,
        scores[:10].std() * ones,
        scores[:m] - scores.mean(),
        (scores[:m] - scores.mean()) / spread,
        scores[0] * ones,
        *(float(pos == tag) * ones for tag in "nvar"),
    ]
    for name in others:
        columns += _agreement(ranking, name, given, m)
    return np.stack(columns, axis=1)


def width(others: int) -> int:
    """Return the number of features with so many other systems."""
    return 19 + 4 * others


def _agreement(ranking: Ranking, name: str, given: Others, m: int) -> list[Floats]:
    other = given.get(name, {}).get(ranking.id)
    if other is None:
        known = ", ".join(sorted(given)) or "none"
        raise LexsubError(
            f"boundary: no ranking of item {ranking.id} by system {name!r} (known: {known})"
        )
    places = {entry.substitute: place for place, entry in enumerate(other.ranked, start=1)}
    theirs = np.array([entry.score for entry in other.ranked])
    try:
        place = np.array([places[entry.substitute] for entry in ranking.ranked[:m]], dtype=float)
    except KeyError as error:
        raise LexsubError(
            f"boundary: system {name!r} did not rank {error.args[0]!r} of item {ranking.id}; "
            "systems that are compared must share their candidates"
        ) from error
    standard = (theirs - theirs.mean()) / (theirs.std() + 1e-9)
    log = np.log(place)
    above = np.cumsum(log) / np.arange(1, m + 1)
    return [log, place / len(ranking.ranked), standard[place.astype(int) - 1], above]
