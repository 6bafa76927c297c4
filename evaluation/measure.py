"""What a measure is.

A measure is a frozen dataclass: its fields are its parameters, it prints as the string that
parses back to it (``GAP(multiwords=keep)``, ``P@3``), and one line registers it.  It computes
what each item adds to a few sums, and turns sums into a figure; so intervals, tests and
breakdowns all come from the same array, and ratios are always computed from sums.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from lexsub.errors import LexsubError, suggest
from lexsub.evaluation.gold_arrays import Bools, Floats, GoldArrays
from lexsub.evaluation.sheets import Sheet
from lexsub.parts.registry import Registry, no_dataclass
from lexsub.rankings import TASKS

Reads = Literal["best", "oot", "mw", "ranking"]
"""Which list of a system's answers a measure looks at."""

READS: tuple[Reads, ...] = (*TASKS, "ranking")

CUT = "k"
"""The field that is written behind ``@``."""


@dataclass(frozen=True)
class Measure:
    """Base of all measures.

    A subclass states the class variables and ``figures`` if it is a mean over items, else
    ``statistics``; ``value`` is the first column's sum over the second's unless it says otherwise.

    Attributes:
        name: the registered name.
        reads: the list of answers it looks at; ``ranking`` falls back on oot, then best.
        reference: paper and formula.
        unit: ``%`` for figures printed times 100, ``1`` for fractions.
        criteria: what an item must have to be counted, keys of ``CRITERIA``.
        is_hit: whether each counted item is hit or missed (first column 1 or 0, second 1), so
            that McNemar's test applies.
        attempted_only: whether the mean is over the items with an answer, not all that count.
    """

    name: ClassVar[str]
    reads: ClassVar[Reads]
    reference: ClassVar[str]
    unit: ClassVar[Literal["%", "1"]] = "%"
    criteria: ClassVar[tuple[str, ...]] = ()
    is_hit: ClassVar[bool] = False
    attempted_only: ClassVar[bool] = False

    def __init_subclass__(cls, **variables: Any) -> None:
        """Take class variables as keywords, too: ``class BestRecall(_Best, name="best-R")``."""
        super().__init_subclass__()
        for name, value in variables.items():
            setattr(cls, name, value)

    def statistics(self, sheet: Sheet) -> Floats:
        """Return an array (items, columns) of what each item adds to the sums.

        Rows of items that are not counted may hold anything.  As it stands, an item adds its
        figure and 1, so that the value is a mean.
        """
        return np.stack([self.figures(sheet), self.units(sheet)], axis=1)

    def units(self, sheet: Sheet) -> Floats | Bools:
        """Return what each item counts in the mean of the figures, shape (items,)."""
        return sheet.attempted if self.attempted_only else np.ones(len(sheet.gold.ids))

    def figures(self, sheet: Sheet) -> Floats:
        """Return each item's figure, shape (items,), for a measure that is the mean of them."""
        raise LexsubError(f"measure {self} has no figures and no statistics (see {PAGE})")

    def value(self, sums: Floats) -> Floats:
        """Return the figure for sums of shape (..., columns), with shape (...).

        Where the denominator is 0 the figure is undefined: NaN, never a number.
        """
        return ratio(sums[..., 0], sums[..., 1])

    def check(self, gold: GoldArrays) -> None:
        """Refuse a gold on which the measure has no meaning.

        Raises:
            LexsubError: says what the gold has and what the measure needs.
        """

    def __str__(self) -> str:
        defaults = {field.name: field.default for field in dataclasses.fields(self)}
        cut = f"@{getattr(self, CUT)}" if CUT in defaults else ""
        changed = [
            f"{name}={show(getattr(self, name))}"
            for name, default in defaults.items()
            if name != CUT and getattr(self, name) != default
        ]
        return self.name + (f"({','.join(changed)})" if changed else "") + cut

    def parameters(self) -> dict[str, str]:
        """Return every parameter with its value, defaults included (for the signature)."""
        return {field.name: show(getattr(self, field.name)) for field in dataclasses.fields(self)}


def show(value: object) -> str:
    """Print a parameter's value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def ratio(numerator: Floats, denominator: Floats, otherwise: float = float("nan")) -> Floats:
    """Divide, with ``otherwise`` where the denominator is 0."""
    result = np.full(np.broadcast(numerator, denominator).shape, otherwise)
    np.divide(numerator, denominator, out=result, where=np.not_equal(denominator, 0))
    return result


def harmonic(precision: Floats, recall: Floats) -> Floats:
    """F = 2PR/(P+R), 0 where both are 0."""
    return ratio(2 * precision * recall, precision + recall, 0.0)


CRITERIA: dict[str, tuple[str, Callable[[GoldArrays], Bools]]] = {
    "scored": ("fewer than two responses", lambda gold: gold.scored),
    "mode": ("no mode", lambda gold: gold.has_mode),
    "gold": ("no gold substitute", lambda gold: gold.sizes > 0),
    "single-word gold": ("no single-word gold", lambda gold: gold.single_words.sizes > 0),
    "alphabetic gold": ("no gold of letters only", lambda gold: gold.alphabetic.sizes > 0),
    "multiword": ("not a multiword item", lambda gold: gold.is_multiword_item),
}
"""Criterion → (why an item that lacks it is skipped, which items have it)."""


@dataclass(frozen=True)
class Counted:
    """Which items count.

    Attributes:
        mask: one truth value an item.
        skipped: reason → number of items skipped for it (the first reason that holds).
    """

    mask: Bools
    skipped: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, gold: GoldArrays, criteria: Sequence[str], within: Bools | None = None) -> Counted:
        """Count the items (of ``within``, or all) that meet every criterion."""
        mask = np.ones(len(gold.ids), bool) if within is None else within.copy()
        skipped = {}
        for name in criteria:
            reason, holds = CRITERIA[name]
            failing = mask & ~holds(gold)
            if failing.any():
                skipped[reason] = int(failing.sum())
            mask &= ~failing
        return cls(mask, skipped)


PAGE = "docs/how-to/measure.md"


def fault(name: str, part: Any) -> str:
    """Say what a measure lacks; "" where it lacks nothing."""
    if found := no_dataclass(part):
        return f"{found} (see {PAGE})"
    if not issubclass(part, Measure):
        return f"{part.__name__} is no subclass of evaluation.measure.Measure (see {PAGE})"
    missing = [one for one in ("name", "reads", "reference") if not hasattr(part, one)]
    if part.statistics is Measure.statistics and part.figures is Measure.figures:
        missing.append("figures and no statistics")
    if missing:
        return f"{part.__name__} has no {' and no '.join(missing)} (see {PAGE})"
    if part.name != name:
        return f"{part.__name__} calls itself {part.name!r}; expected the name it is registered by"
    if part.reads not in READS:
        return f"{part.__name__} reads {part.reads!r}; expected one of {', '.join(READS)}"
    # Ours may have them depend on their options; then the class has a property.
    given = part.criteria if isinstance(part.criteria, tuple) else ()
    unknown = [one for one in given if one not in CRITERIA]
    if unknown:
        return f"{part.__name__} has the criterion {unknown[0]!r}{suggest(unknown[0], CRITERIA)}"
    if part.unit not in ("%", "1"):
        return f"{part.__name__} has the unit {part.unit!r}; expected '%' or '1'"
    return ""


MEASURES: Registry[type[Measure]] = Registry("measure", fault)
