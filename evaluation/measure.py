"""What a measure is, and measures from strings: ``best``, ``GAP(multiwords=keep)``, ``P@1``.

A measure is a frozen dataclass: its fields are its parameters, it prints as the string that
parses back to it (``GAP(multiwords=keep)``, ``P@3``), and one line registers it.  It computes
what each item adds to a few sums, and turns sums into a figure; so intervals, tests and
breakdowns all come from the same array, and ratios are always computed from sums.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, get_args, get_origin, get_type_hints

import numpy as np

from lexsub.errors import LexsubError, UnknownNameError, suggest
from lexsub.evaluation.sheets import Bools, Floats, GoldArrays, Ints, Sheet
from lexsub.parts.limits import Bounded, out_of_limits
from lexsub.parts.registry import Registry, no_dataclass
from lexsub.rankings import TASKS

Reads = Literal["best", "oot", "mw", "ranking"]
"""Which list of a system's answers a measure looks at."""

READS: tuple[Reads, ...] = (*TASKS, "ranking")

CUT = "k"
"""The field that is written behind ``@``."""


@dataclass(frozen=True)
class Measure(Bounded):
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


def ratio(numerator: Floats, denominator: Floats | Ints, otherwise: float = np.nan) -> Floats:
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


GROUPS: dict[str, str] = {
    "best": "best-P best-R best-mode-P best-mode-R",
    "oot": "oot-P oot-R oot-mode-P oot-mode-R",
    "oot-unique": "oot-P(duplicates=drop) oot-R(duplicates=drop) "
    "oot-mode-P(duplicates=drop) oot-mode-R(duplicates=drop)",
    "mw": "mw-detection-P mw-detection-R mw-identification-P mw-identification-R",
    "coverage": "coverage-P coverage-R coverage-F@10 optimal-F",
    "jabbari": "best-prime best-1 coverage",
    "semdis": "semdis-best semdis-oot semdis-best(normalised=no) semdis-oot(normalised=no)",
    "ranking": "GAP GAP(multiwords=keep) AP nDCG@10 P@1 P@3 R@10 credit(multiwords=drop)@10",
    "thater": "GAP credit(multiwords=drop)@10",
    "lexsubgen": "GAP(multiwords=letters) P@1 P@3 R@10",
    "swords": "swords-F@10 swords-F(reference_set=conceivable)@10 swords-F(setting=strict)@10 "
    "swords-F(reference_set=conceivable,setting=strict)@10 "
    "swords-P(reference_set=conceivable,setting=strict)@1 GAP(multiwords=keep,unjudged=drop)",
    "tsar": "tsar-MAP@1 tsar-MAP@3 tsar-MAP@5 tsar-MAP@10 tsar-potential@3 tsar-potential@5 "
    "tsar-potential@10 tsar-accuracy@1 tsar-accuracy@2 tsar-accuracy@3",
    "sg": "sg-potential sg-P sg-R sg-F",
    "pipeline": "pipeline-P pipeline-accuracy pipeline-changed",
}
"""Names that stand for several measures."""

LONGEST_RANGE = 1_000
"""Measures that one ``@low..high`` may stand for."""

_MEASURE = re.compile(
    r"(?P<name>[A-Za-z][\w-]*)(?:\((?P<parameters>[^()]*)\))?"
    r"(?:@(?P<cut>\d+)(?:\.\.(?P<last>\d+))?)?"
)


def parse_measures(text: str | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Read a list of measures; what one prints parses back to it, repeated ones are given once.

    Args:
        text: names separated by blanks (or several such strings, or measures): a measure with
            parameters in parentheses and its cut-off behind ``@``, ``@1..10`` for each of a
            range, or a group of GROUPS.

    Raises:
        UnknownNameError: no such measure or group; lists the nearest ones.
        LexsubError: a parameter that the measure has not, or a value it does not take.
    """
    measures: dict[Measure, None] = {}
    for part in [text] if isinstance(text, str) else text:
        if isinstance(part, Measure):
            measures[part] = None
            continue
        for word in part.replace(", ", " ").split():
            measures |= dict.fromkeys(_expand(word))
    if not measures:
        raise LexsubError(f"no measure is named; expected some of {', '.join(_known())}")
    return tuple(measures)


def _expand(word: str) -> Sequence[Measure]:
    if word in GROUPS:
        return parse_measures(GROUPS[word])
    match = _MEASURE.fullmatch(word)
    if match is None:
        raise LexsubError(
            f"measure {word!r} is not readable; expected name(parameter=value,…)@k as in "
            "GAP(multiwords=keep) or P@1 or F@1..10"
        )
    if match["name"] in GROUPS and match["name"] not in MEASURES:
        raise LexsubError(
            f"measure {word!r}: {match['name']} stands for several measures and takes neither "
            f"parameters nor @k; expected one of {GROUPS[match['name']]}"
        )
    if match["name"] not in MEASURES:
        raise UnknownNameError("measure", match["name"], _known())
    part = MEASURES[match["name"]]
    values = _parameters(word, part, match["parameters"] or "")
    if match["cut"] is None:
        return [_make(word, part, values)]
    if CUT not in {field.name for field in dataclasses.fields(part)}:
        raise LexsubError(f"measure {word!r}: {match['name']} takes no @k")
    first, last = _cut(word, match["cut"]), _cut(word, match["last"] or match["cut"])
    if last < first:
        raise LexsubError(f"measure {word!r}: the range is empty; expected @low..high")
    if last - first >= LONGEST_RANGE:
        raise LexsubError(
            f"measure {word!r}: the range has {last - first + 1} cut-offs; expected at most "
            f"{LONGEST_RANGE}"
        )
    return [_make(word, part, values | {CUT: cut}) for cut in range(first, last + 1)]


def _cut(word: str, digits: str) -> int:
    # Python itself reads no number of more than some thousand digits.
    cut = int(digits[:20])
    if expected := out_of_limits(cut, CUT):
        raise LexsubError(f"measure {word!r}: the cut-off is {digits}; expected {expected}")
    return cut


def _make(word: str, part: type[Measure], values: dict[str, object]) -> Measure:
    try:
        return part(**values)
    except ValueError as error:
        raise LexsubError(f"measure {word!r}: {error}") from error


def _parameters(word: str, part: type[Measure], text: str) -> dict[str, object]:
    names = [field.name for field in dataclasses.fields(part)]
    values: dict[str, object] = {}
    for piece in filter(None, text.split(",")):
        name, sign, value = piece.partition("=")
        if name not in names or not sign:
            raise UnknownNameError(f"parameter of measure {part.name}", name, names)
        # Asked for only here: it takes longer than all else of a small evaluation.
        values[name] = _convert(word, name, value, get_type_hints(part)[name])
    return values


def _convert(word: str, name: str, value: str, hint: object) -> object:
    choices: Sequence[str]
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        if value in choices:
            return value
    elif hint is bool:
        choices = ("yes", "no")
        if value in choices:
            return value == "yes"
    else:
        choices = ("a number",)
        with suppress(ValueError):
            number = int(value) if hint is int else float(value)
            expected = out_of_limits(number)
            if not expected:
                return number
            choices = (expected,)
    raise LexsubError(
        f"measure {word!r}: {name} is {value!r}; expected {' or '.join(map(str, choices))}"
    )


def _known() -> list[str]:
    return sorted({*MEASURES, *GROUPS})
