"""Figures with all that is needed to read them, and how the field prints them.

A signature says exactly what a figure is.  It is made from the measure's own fields and from the
objects that were used, so nothing that changes a figure can be left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lexsub import __version__
from lexsub.datasets import Gold
from lexsub.evaluation.measure import Measure
from lexsub.evaluation.sheets import Floats
from lexsub.matching.policies import Normalisation
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


DIGEST = 8
"""How many hex digits of the gold's sha256 are shown."""

FIELDS: Mapping[str, str] = {
    "ties": "Whether and how answers of equal score are told apart: input, as they were given; "
    "name, by their letters; expected, the mean of all orders.",
    "duplicates": "What an answer that is repeated counts. Clean rules leave none, so there it is "
    "always drop.",
    "reads": "Which list of answers the measure looks at: best, oot, mw or ranking.",
    "data": "The data set, or the file of the gold.",
    "gold": "The first digits of the sha256 of the gold.",
    "norm": "The rules by which answers are compared with the gold.",
    "subset": "The part of the items: ALL, or what official subsets are called.",
    "pos": "The part of speech: n, v, a, r, or all.",
    "items": "How many items were counted.",
    "unit": "%: printed times 100; 1: as it is.",
    "interval": "How the interval was made: what was drawn, how often, at which level and seed.",
    "lexsub": "The version.",
}
"""What the fields behind a measure's name say; others are the measure's own parameters."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all figures of one evaluation share.

    Attributes:
        gold: the gold.
        policy: under which substitutes are compared.
        interval: how intervals were made, "" for none.
    """

    gold: Gold
    policy: Normalisation
    interval: str


def signature(measure: Measure, setting: Setting, *, subset: str, pos: str, items: int) -> str:
    """Return the signature of a figure.

    Args:
        measure: the measure.
        setting: gold, normalisation, interval.
        subset: ALL, NMWT, NMWS, RAND or MAN.
        pos: part of speech, or ``all``.
        items: how many items were counted.
    """
    gold, policy, parameters = setting.gold, setting.policy, measure.parameters()
    # Under a policy that has dropped them there is nothing to count: both values are one figure.
    # One written by a user may not say whether it does.
    if getattr(policy, "merges", False) and "duplicates" in parameters:
        parameters["duplicates"] = "drop"
    fields: Mapping[str, str] = {
        "ties": "input",  # the one tie rule of every list, unless the measure has its own
        **parameters,
        "reads": measure.reads,
        "data": gold.name,
        "gold": gold.sha256[:DIGEST] or "none",
        "norm": policy.name,
        "subset": subset,
        "pos": pos,
        "items": str(items),
        "unit": measure.unit,
        **({"interval": setting.interval} if setting.interval else {}),
        "lexsub": __version__,
    }
    return "|".join([measure.name, *(f"{name}:{value}" for name, value in fields.items())])
