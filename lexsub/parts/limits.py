"""How large the numbers may be that a user gives, in an option or a config, by their name.

A slip of the keyboard should be an error, not an hour's wait or a full memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

LARGEST = 10**9
"""Of any other number; of those that are named nowhere, either side of 0."""

_MOST = {
    "seed": 2**32 - 1,  # scikit-learn takes 32 bits
    "workers": 512,
    "resamples": 1_000_000,
    "iterations": 10_000,
    "dimensions": 100_000,
    "size": 1_000_000,
    "number": 1_000_000,
    "folds": 10_000,
    "trees": 100_000,
    "leaves": 100_000,
    "models": 1_000,
    "memory": 10_000_000,
    "batch": 100_000,
}
"""None of these may be below 0."""

_EITHER_SIDE = "value votes weights"
_FROM_NOUGHT = """
    after alpha attempts before behind bits columns context_tokens context_words contexts
    criteria delta dropout epochs excluded first form_tokens frequency_weight frequent grades
    items judges k keep kept l2 largest layers leaf least length limit longest max_rating minimum mu
    n negatives order pair_tokens penalty place_weight pool port power prior_weight prune queue
    rate reach reaches regularisation rows sample seconds share shift shortest sizes skip
    smallest smoothing steps stop targets temperature timeout top truncation vocabulary vote
    window word_tokens words
"""
LIMITS: dict[str, tuple[float, float]] = {
    **{name: (0, most) for name, most in _MOST.items()},
    **dict.fromkeys(_FROM_NOUGHT.split(), (0, LARGEST)),
    **dict.fromkeys(_EITHER_SIDE.split(), (-LARGEST, LARGEST)),
}
"""The least and the most that an option may be, by its name, whosever it is."""


def out_of_limits(name: str, value: Any) -> str:
    """Say what an option takes, if the value is a number or text that none takes, or "".

    Args:
        name: the option's.
        value: anything; what is neither number nor text is within.
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


def beyond_limits(table: Any, path: str = "", name: str = "") -> Iterable[tuple[str, Any, str]]:
    """Yield path, value and what was expected for all of a config that no option takes."""
    if isinstance(table, Mapping):
        for key, value in table.items():
            # In a table of numbers by other names (weights by data set) that of the table counts.
            known = str(key) if name not in LIMITS or str(key) in LIMITS else name
            yield from beyond_limits(value, f"{path}.{key}" if path else str(key), known)
    elif isinstance(table, list | tuple):
        for index, value in enumerate(table):
            yield from beyond_limits(value, f"{path}[{index}]", name)
    elif problem := out_of_limits(name, table):
        yield path, table, problem


def whole_number(text: str | bytes) -> int | None:
    """Read a count that stands in a file: plain digits, at most 18; None for anything else.

    (Python itself refuses some thousands of digits in its own words, and arrays far fewer.)
    """
    return int(text) if text.isdigit() and text.isascii() and len(text) <= 18 else None


def at_least(part: object, **least: float) -> None:
    """Refuse a part of which an option, named with the least that it takes, is smaller.

    Raises:
        ValueError: names the first, what was found, and what was expected.
    """
    for name, smallest in least.items():
        if getattr(part, name) < smallest:
            raise ValueError(f"{name} is {getattr(part, name)}; expected at least {smallest}")
