"""Measures from strings: ``best``, ``GAP(multiwords=keep)``, ``P@1``, ``F@1..10``."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Literal, get_args, get_origin, get_type_hints

from lexsub.errors import LexsubError, UnknownNameError
from lexsub.evaluation.measure import CUT, MEASURES, Measure
from lexsub.parts.limits import out_of_limits

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
    """Read a list of measures; repeated ones are given once.

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


def parse_measure(text: str) -> Measure:
    """Read one measure; what a measure prints parses back to it.

    Raises:
        LexsubError: as :func:`parse_measures`, or a name that stands for several.
    """
    measures = parse_measures(text)
    if len(measures) != 1:
        raise LexsubError(f"{text!r} names {len(measures)} measures; expected one")
    return measures[0]


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
    if expected := out_of_limits(CUT, cut):
        raise LexsubError(f"measure {word!r}: the cut-off is {digits}; expected {expected}")
    return cut


def _make(word: str, part: type[Measure], values: dict[str, object]) -> Measure:
    try:
        return part(**values)
    except ValueError as error:
        raise LexsubError(f"measure {word!r}: {error}") from error


def _parameters(word: str, part: type[Measure], text: str) -> dict[str, object]:
    hints = _hints(part.name)
    names = [field.name for field in dataclasses.fields(part)]
    values: dict[str, object] = {}
    for piece in filter(None, text.split(",")):
        name, sign, value = piece.partition("=")
        if name not in names or not sign:
            raise UnknownNameError(f"parameter of measure {part.name}", name, names)
        values[name] = _convert(word, name, value, hints[name])
    return values


@cache
def _hints(name: str) -> dict[str, object]:
    return get_type_hints(MEASURES[name])


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
            expected = out_of_limits(name, number)
            if not expected:
                return number
            choices = (expected,)
    raise LexsubError(
        f"measure {word!r}: {name} is {value!r}; expected {' or '.join(map(str, choices))}"
    )


def _known() -> list[str]:
    return sorted({*MEASURES, *GROUPS})
