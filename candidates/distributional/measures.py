"""What a measure is: three short pure functions over the contexts that two words share.

Every measure here can be written as ::

    value(sum over shared contexts of shared(x, y), size of word 1, size of word 2)

where x and y are the two words' weights for a context and a word's size is a sum over its
own contexts.  A context that only one of the words has enters through the sizes alone, so
words that share nothing are never compared.  The functions are written once and serve
numpy arrays and, compiled, single numbers alike: they use only operations that IEEE 754
fixes to the last bit (and :func:`lexsub.candidates.distributional.weights.ln`).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from lexsub.errors import ConfigError
from lexsub.parts.build import Named, build_part, describe_part
from lexsub.parts.registry import Registry, follows

Weights = Literal["probability", "presence", "ppmi", "ppmi-presence", "ppmi-relation"]
"""What x and y are; see :mod:`lexsub.candidates.distributional.weights`."""

Number = Any  # a float, or an array of them


@dataclass(frozen=True)
class Formula:
    """A measure taken apart.

    Attributes:
        weights: what the numbers x and y are.
        size: x → what the context adds to the size of its word.
        shared: (x, y, constant) → what a shared context adds; x is the target's weight, y
            the candidate's; never 0.
        value: (total, size of target, size of candidate, constant) → the measure.
        constant: a number the functions need, such as alpha.
    """

    weights: Weights
    size: Callable[[Number], Number]
    shared: Callable[[Number, Number, float], Number]
    value: Callable[[Number, Number, Number, float], Number]
    constant: float = 0.0


class Similarity(Named, ABC):
    """A registered measure: a frozen dataclass whose fields are its options."""

    higher_is_closer: ClassVar[bool]
    """The direction: True for a similarity, False for a distance."""

    @abstractmethod
    def formula(self) -> Formula:
        """Return the functions to use."""


MEASURES: Registry[type[Similarity]] = Registry(
    "similarity measure", follows(Similarity, "docs/how-to/similarity.md")
)
Similarity.registry = MEASURES

_TEXT = re.compile(r"(?P<name>[\w-]+)(\((?P<options>.*)\))?$")


def parse_measure(text: str, where: str = "measure") -> Similarity:
    """Make a measure from its name, as ``lin`` or ``alpha-skew(alpha=0.95)``.

    Raises:
        ConfigError: no such measure or option, or a value out of range.
    """
    match = _TEXT.match(text.strip())
    if match is None:
        raise ConfigError(
            f"{where}: found {text!r}; expected a measure such as lin or alpha-skew(alpha=0.95)"
        )
    table: dict[str, Any] = {"name": match["name"]}
    for option in filter(None, (match["options"] or "").split(",")):
        key, equals, value = option.partition("=")
        if not equals:
            raise ConfigError(f"{where}: option {option.strip()!r} has no value; write name=value")
        table[key.strip()] = _number_or_text(value.strip())
    return build_part(MEASURES, table, where)


def measure_name(measure: Similarity) -> str:
    """Return the text that :func:`parse_measure` reads back, options that differ only."""
    table = describe_part(measure)
    name = table.pop("name")
    plain = describe_part(MEASURES[name]())
    options = ", ".join(f"{key}={value}" for key, value in table.items() if value != plain[key])
    return f"{name}({options})" if options else name


def itself(x: Number) -> Number:
    """A word's size is the sum of its weights."""
    return x


def square(x: Number) -> Number:
    """A word's size is its squared length."""
    return x * x


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
