"""Figures with all that is needed to read them, and how the field prints them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lexsub.evaluation.gold_arrays import Floats
from lexsub.matching.script import percent
from lexsub.tables import Number


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of one system.

    Attributes:
        system: the system's name.
        measure: the measure, as it prints.
        subset: ALL, NMWT, NMWS, RAND or MAN.
        pos: n, v, a, r, or ``all``.
        value: the figure as a fraction; NaN where it is undefined (a denominator is 0).
        low: lower bound of its interval, NaN without one.
        high: upper bound.
        unit: ``%`` where the field prints it times 100, else ``1``.
        items: items counted.
        attempted: of these, items with an answer.
        targets: how many targets have an item that enters the figure: of a precision, targets
            with an item attempted.
        skipped: reason → items not counted for it.
        signature: exactly what the figure is.
    """

    system: str
    measure: str
    subset: str
    pos: str
    value: float
    low: float
    high: float
    unit: str
    items: int
    attempted: int
    skipped: Mapping[str, int]
    signature: str
    targets: int = 0


@dataclass(frozen=True, slots=True)
class ItemValues:
    """The figures of the single items, for one system and measure (subset ALL).

    Attributes:
        system: the system's name.
        measure: the measure, as it prints.
        ids: ids of the items counted.
        values: their figures, as fractions.
    """

    system: str
    measure: str
    ids: tuple[str, ...]
    values: Floats


def number(figure: Figure | None) -> Number | None:
    """Return a figure as the field prints it, with its interval; None for none."""
    return None if figure is None else shown(figure.value, figure.unit, figure.low, figure.high)


def shown(value: float, unit: str, low: float = math.nan, high: float = math.nan) -> Number:
    """Return a fraction as the field prints it: percent with two decimals, others with four.

    Percentages are rounded as the official scorer rounds them.
    """
    figure = scaled(value, unit, low, high)
    if unit == "%" and not math.isnan(value):
        figure = replace(figure, value=float(percent(value)))
    return figure


def scaled(value: float, unit: str, low: float = math.nan, high: float = math.nan) -> Number:
    """Return a fraction in the unit and with the decimals in which it is printed, not rounded."""
    scale, digits = (100, 2) if unit == "%" else (1, 4)
    if math.isnan(low) or math.isnan(high):
        return Number(scale * value, digits=digits)
    return Number(scale * value, scale * low, scale * high, digits)


def defined(value: Any) -> Any:
    """Return a value as JSON has it: null for an undefined figure."""
    return None if value != value else value
