"""Answers of equal score: exact means over all their orders, never by sampling.

A tie group of m answers holds the ranks s+1 … s+m; every order of it is as likely.  For each
rank the expected gain, and what average precision needs, have closed forms in the group's sums;
a list without ties is the case m = 1 throughout.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lexsub.evaluation.gold_arrays import Floats, Ints, bincount
from lexsub.evaluation.sheets import Sheet


@dataclass(frozen=True, eq=False)
class Groups:
    """For every answer, what its tie group holds.

    Attributes:
        size: m, the answers in the group.
        place: j, the answer's place inside it, from 1.
        gain: G, the sum of the group's gains.
        hits: the number of right answers in the group.
        before: C, the sum of gains before the group.
    """

    size: Floats
    place: Floats
    gain: Floats
    hits: Floats
    before: Floats


def groups(sheet: Sheet, gains: Floats, *, expected: bool) -> Groups:
    """Group tied answers (each answer is a group of its own unless ``expected``)."""
    tied = sheet.tied if expected else np.zeros(len(gains), bool)
    group: Ints = np.cumsum(~tied) - 1
    starts = np.flatnonzero(~tied)
    count = len(starts)
    size = bincount(group, np.ones(len(gains)), count)
    running = sheet.running(gains)
    return Groups(
        size=size[group],
        place=(np.arange(len(gains)) - starts[group] + 1).astype(np.float64),
        gain=bincount(group, gains, count)[group],
        hits=bincount(group, gains > 0, count)[group],
        before=(running - gains)[starts][group],
    )


def expected_gains(sheet: Sheet, gains: Floats, *, expected: bool) -> Floats:
    """The mean gain at each rank: G / m."""
    found = groups(sheet, gains, expected=expected)
    return found.gain / found.size


def expected_precision(sheet: Sheet, gains: Floats, *, expected: bool) -> Floats:
    """The mean of 1[x_i > 0] · (Σ_{k≤i} x_k) / i at each rank i.

    With P right answers in the group, the answer at place j is right one of P, x̄ = G / P on
    average, and each of the j-1 before it has mean (G - x) / (m - 1):

        (P·C + G + (j-1)/(m-1) · G·(P-1)) / (m·i)
    """
    found = groups(sheet, gains, expected=expected)
    others = (found.place - 1) / np.maximum(found.size - 1, 1) * found.gain * (found.hits - 1)
    whole = found.hits * found.before + found.gain + others
    return whole / (found.size * sheet.rank)
