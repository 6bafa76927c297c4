"""Corrections and exact tests on p values and paired hits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np

from lexsub.evaluation.gold_arrays import Floats


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p values for all comparisons made (Holm, 1979): step down, never falling."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    floor = 0.0
    for place, i in enumerate(order):
        floor = max(floor, min(1.0, (len(p_values) - place) * p_values[i]))
        adjusted[i] = floor
    return adjusted


def mcnemar(first: Floats, second: Floats) -> float:
    """Exact two-sided McNemar test on paired hits (0 or 1): binomial on the discordant pairs."""
    only_first = int(np.sum((first > 0) & (second == 0)))
    only_second = int(np.sum((second > 0) & (first == 0)))
    n = only_first + only_second
    tail = sum(comb(n, i) for i in range(min(only_first, only_second) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**n)))
