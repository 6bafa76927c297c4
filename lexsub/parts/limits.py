"""What numbers a user may give, in an option or a config.

A field of a part declares its bounds (``k: Positive = 10``, or any ``Annotated`` of pydantic's
``Field``): they hold for a config and for a part that is made in Python.  All other numbers have
limits because a slip of the keyboard should be an error, not an hour's wait or a full memory.
"""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from annotated_types import Ge, Gt, Le, Lt, MinLen

from lexsub.errors import LexsubError, cut, expected_of, key_path

Natural = Annotated[int, Ge(0)]
Positive = Annotated[int, Ge(1)]
NotNegative = Annotated[float, Ge(0)]
AboveZero = Annotated[float, Gt(0)]
Share = Annotated[float, Ge(0), Le(1)]
Batch = Annotated[int, Ge(1), Le(100_000)]
Seed = Annotated[int, Ge(0), Le(2**32 - 1)]  # scikit-learn takes 32 bits

_TESTS: Mapping[type, tuple[str, Callable[[Any, Any], bool]]] = {
    Ge: ("greater_than_equal", operator.ge),
    Gt: ("greater_than", operator.gt),
    Le: ("less_than_equal", operator.le),
    Lt: ("less_than", operator.lt),
    MinLen: ("too_short", lambda value, least: len(value) >= least),
}
"""Kind of bound → what pydantic calls its fault, and whether it holds for a value."""


class BoundsError(LexsubError, ValueError):
    """A value beyond the bounds that its field declares."""


class Bounded:
    """A dataclass whose fields may declare bounds."""

    def __post_init__(self) -> None:
        """Refuse a value beyond them.

        Raises:
            BoundsError: names the first, what was found, and what was expected.
        """
        kind: Any = type(self)
        for name, hint in declared(kind).items():
            for path, value, expected in _beyond_bounds(getattr(self, name), hint, (name,)):
                raise BoundsError(f"{path} is {cut(str(value))}; expected {expected}")


@cache
def declared(kind: Any) -> dict[str, Any]:
    """Return the types of a dataclass's options by name, with their bounds."""
    hints = get_type_hints(kind, include_extras=True)
    return {one.name: hints[one.name] for one in dataclasses.fields(kind) if one.init}


def bounds_text(hint: Any) -> str:
    """Say what bounds a type declares, as "at least 2 and at most 8"; "" for none."""
    bounds, inner = _bounds(hint)
    each = [f"each {text}"] if inner is not None and (text := bounds_text(inner)) else []
    return " and ".join([*(expected for _, _, expected in bounds), *each])


def _beyond_bounds(
    value: Any, hint: Any, steps: tuple[object, ...]
) -> Iterator[tuple[str, Any, str]]:
    """Yield path, value and what was expected for all that is beyond the bounds of its type."""
    bounds, inner = _bounds(hint)
    for holds, limit, expected in bounds:
        if value is not None and not holds(value, limit):
            yield key_path(steps), value, expected
    if isinstance(value, Mapping | list | tuple):
        for key, one in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _beyond_bounds(one, inner, (*steps, key))


def _bounds(hint: Any) -> tuple[list[tuple[Callable[[Any, Any], bool], Any, str]], Any]:
    """Return the test, limit and words of each bound of a type, and the type of its entries."""
    if NoneType in get_args(hint):  # X | None
        hint = get_args(hint)[0]
    kind, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    inner = [one for one in get_args(kind) if one is not ...]
    bounds = []
    for mark in marks:
        for bound in getattr(mark, "metadata", [mark]):  # a Field of pydantic has several
            if type(bound) in _TESTS:
                fault, holds = _TESTS[type(bound)]
                limits = dataclasses.asdict(bound)
                expected = expected_of({"type": fault, "ctx": limits})
                bounds.append((holds, *limits.values(), expected))
    return bounds, inner[-1] if inner else None


LARGEST = 10**9
"""Of any number; either side of 0 where nothing more is said."""

_NOT_NEGATIVE = (
    "attempts excluded frequent judges k max_rating n penalty port queue seconds timeout top words"
)
LIMITS: Mapping[str, tuple[float, float]] = {
    "seed": (0, 2**32 - 1),
    "workers": (0, 512),
    "resamples": (0, 1_000_000),
    "size": (0, 1_000_000),
    "folds": (0, 10_000),
    "memory": (0, 10_000_000),
    **dict.fromkeys(_NOT_NEGATIVE.split(), (0, LARGEST)),
}
"""The least and the most that an option of a command may be, by its name, whosever it is."""


def out_of_limits(value: Any, name: str = "") -> str:
    """Say what is expected, if the value is a number or text that no option takes, or "".

    Args:
        value: anything; what is neither number nor text is within.
        name: of a command's option, which may have limits of its own.
    """
    if isinstance(value, str):
        return "text without a NUL character" if "\0" in value else ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    least, most = LIMITS.get(name, (-LARGEST, LARGEST))
    if least <= value <= most:  # NaN is not
        return ""
    finite = isinstance(value, int) or math.isfinite(value)
    return f"a {'' if finite else 'finite '}number from {least} to {most}"


def beyond_limits(table: Any, path: str = "") -> Iterable[tuple[str, Any, str]]:
    """Yield path, value and what was expected for all of a config that no option takes."""
    if isinstance(table, Mapping | list | tuple):
        for key, value in table.items() if isinstance(table, Mapping) else enumerate(table):
            yield from beyond_limits(value, key_path([key], path))
    elif problem := out_of_limits(table):
        yield path, table, problem


def whole_number(text: str | bytes) -> int | None:
    """Read a count that stands in a file: plain digits, at most 18; None for anything else.

    (Python itself refuses some thousands of digits in its own words, and arrays far fewer.)
    """
    return int(text) if text.isdigit() and text.isascii() and len(text) <= 18 else None
