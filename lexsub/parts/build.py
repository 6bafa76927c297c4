"""Parts from configuration tables: look the name up, validate the options, print them back.

A table such as ``{ name = "wordnet", criteria = [1, 2] }`` (or just ``"wordnet"``) becomes
an instance of the class registered under that name; the other keys are its fields.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any, ClassVar, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError
from pydantic_core.core_schema import no_info_plain_validator_function

from lexsub.errors import ConfigError, LexsubError, cut, expected_of, key_path, suggest
from lexsub.parts.limits import Bounded, beyond_limits, declared
from lexsub.parts.registry import Registry, note_modules

PartTable = str | Mapping[str, Any]
"""A part: its name alone, or a table with ``name`` and options."""

P = TypeVar("P")

KEPT = 512
"""Parts that are kept for whoever names the same once more."""


class Named(Bounded):
    """What has a registry, and so can be an option of a part.

    A field of this type (or a tuple, a dict or :class:`Labelled` of it) takes a name or a table,
    and holds what is built from it.
    """

    registry: ClassVar[Registry[Any]]
    """Where its kind is looked up by name."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> CoreSchema:
        """Build the part where an option is validated."""
        return no_info_plain_validator_function(partial(_option, build_part, cls))


class Labelled(dict[str, P]):
    """Parts by label, in a list: the ``label`` in the table of each, or its name."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> CoreSchema:
        """Build the parts where an option is validated."""
        return no_info_plain_validator_function(partial(_option, labelled_parts, *get_args(source)))


def _option(build: Callable[..., Any], kind: type[Named], given: Any) -> Any:
    try:
        return build(kind.registry, given, "")
    except ConfigError as error:
        raise PydanticCustomError("part", "", {"problems": error.problems}) from error


def parts_in(part: Any) -> Iterator[Any]:
    """Yield a part, those that its options hold, and theirs in turn."""
    yield part
    for one in inner_parts(part):
        yield from parts_in(one)


def inner_parts(part: Any) -> list[Any]:
    """Return the parts that the options of a part hold, without those that these hold."""
    return [one for value in options_of(part).values() for one in _held(value)]


def _held(value: Any) -> Iterator[Any]:
    if isinstance(value, Named):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _held(one)


def options_of(part: Any) -> dict[str, Any]:
    """Return the options of a part by name."""
    return {one.name: getattr(part, one.name) for one in dataclasses.fields(part) if one.init}


def build_part(registry: Registry[type[P]], table: PartTable, where: str) -> P:
    """Make the part that a table names, and those that its options name.

    Args:
        registry: where its name is looked up.
        table: the name alone, or a mapping with ``name`` and options.
        where: key path of the table, for messages, as ``systems[0].ranker``.

    Raises:
        ConfigError: unknown name, unknown option, or a value of the wrong type or range;
            every fault of the table is reported.
    """
    if not isinstance(table, str | Mapping):
        raise ConfigError(f"{where}: found {_shown(table)}; expected a name or a table")
    options = {"name": table} if isinstance(table, str) else dict(table)
    name = options.pop("name", None)
    if not isinstance(name, str):
        raise ConfigError(
            f"{where}: names no {registry.kind}; add name = … {suggest('', registry)[1:]}"
        )
    try:
        part_class: Any = registry[name]
    except LexsubError as error:
        raise ConfigError(f"{where}.name: {error}") from error
    try:
        part: P = _built(part_class, json.dumps(options, default=str))
    except ConfigError as error:
        raise ConfigError(*(_below(where, problem) for problem in error.problems)) from error
    note_modules(type(one).__module__ for one in parts_in(part))
    return part


@lru_cache(KEPT)
def _built(part_class: Any, text: str) -> Any:
    """Make a part of options in JSON; faults begin with the key below the part's own."""
    options = json.loads(text)
    given = {}
    # Where nothing is given nothing can be wrong, and a model takes a while to make.
    if options or not _all_have_defaults(part_class):
        values = validate(_option_model(part_class), options, "")
        given = {key: getattr(values, key) for key in type(values).model_fields}
    try:
        return part_class(**given)
    except ConfigError as error:
        raise error.at("") from error
    except (ValueError, LexsubError) as error:
        raise ConfigError(f": {error}") from error


def _below(where: str, problem: str) -> str:
    return f"{where}{problem}" if not where or problem[0] in ":[." else f"{where}.{problem}"


def labelled_parts(
    registry: Registry[type[P]], tables: Sequence[PartTable], where: str
) -> Labelled[P]:
    """Make several parts by label: the ``label`` in the table of each, or its name.

    Args:
        registry: where their names are looked up.
        tables: names, or mappings with ``name``, options and perhaps ``label``.
        where: key path of the list, for messages.

    Raises:
        ConfigError: one is not as declared, or two have the same label.
    """
    if not isinstance(tables, list | tuple):
        found = f"found {_shown(tables)}; expected a list, as {_shown([tables])}"
        raise ConfigError(f"{where}: {found}")
    options = [dict(one) if isinstance(one, Mapping) else {"name": one} for one in tables]
    labels = [str(one.pop("label", one.get("name", ""))) for one in options]
    twice = sorted({label for label in labels if labels.count(label) > 1})
    if twice:
        raise ConfigError(f"{where}: {', '.join(twice)} stands twice; give each a label of its own")
    parts = (build_part(registry, one, f"{where}[{n}]") for n, one in enumerate(options))
    return Labelled(zip(labels, parts, strict=True))


def describe_part(part: Named) -> dict[str, Any]:
    """Return the table that makes this part, every option with its value.

    It is what the resolved config shows and what cache keys are made from.

    Raises:
        ValueError: it is not registered.
    """
    name = part.registry.name_of(type(part))
    if name is None:
        raise ValueError(f"{type(part).__name__} is no registered {part.registry.kind}")
    return {"name": name, **_plain(options_of(part))}


def documented_fields(kind: type[Any]) -> dict[str, str]:
    """Return what the ``Attributes:`` of a class and of its bases say of each field."""
    about: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        about |= _documented(inspect.cleandoc(base.__doc__ or ""))
    return about


def default_of(field: dataclasses.Field[Any], quote: str = "") -> str:
    """Say what a field of a part is where it is not given: required, not set, or a default.

    Args:
        field: of a dataclass.
        quote: set around a default.
    """
    if field.default is not dataclasses.MISSING:
        shown = field.default
        return "not set" if shown is None else f"default {quote}{shown!r}{quote}"
    if field.default_factory is not dataclasses.MISSING:
        made = field.default_factory()
        shown = made.registry.name_of(type(made)) if isinstance(made, Named) else made
        return f"default {quote}{shown!r}{quote}"
    return "required"


def _documented(text: str) -> dict[str, str]:
    about: dict[str, str] = {}
    name = ""
    for line in text.partition("\nAttributes:\n")[2].splitlines():
        if match := re.match(r"    (\w+): (.*)", line):
            name = match[1]
            about[name] = match[2]
        elif line.startswith("     ") and name:
            about[name] += " " + line.strip()
        elif line.strip():
            break
    return about


M = TypeVar("M", bound=BaseModel)


def validate(model: type[M], table: Mapping[str, Any], where: str) -> M:
    """Validate a table against a model and report every fault with its key path.

    Raises:
        ConfigError: one line a fault: key path, what was found, what was expected.
    """
    beyond = {
        path: f"{path}: found {_shown(value)}; expected {expected}"
        for path, value, expected in beyond_limits(table, where)
    }
    try:
        text = json.dumps(table, default=str)
    except ValueError:  # a number of thousands of digits
        raise ConfigError(*beyond.values()) from None
    try:
        # JSON mode is strict about scalars ("3" is no number) yet takes lists for tuples.
        valid = model.model_validate_json(text, strict=True)
    except ValidationError as error:
        # A list is also called too short for entries that are wrong by themselves.
        faults = [
            fault
            for fault in error.errors()
            if fault["type"] != "too_short" or not _is_above_others(fault["loc"], error)
        ]
        problems = _problems(model, faults, json.loads(text), where)
        for path, problem in beyond.items():
            if not any(other.startswith(f"{path}: ") for other in problems):
                problems.append(problem)
        raise ConfigError(*problems) from error
    if beyond:
        raise ConfigError(*beyond.values())
    return valid


def _is_above_others(location: tuple[int | str, ...], error: ValidationError) -> bool:
    others = (fault["loc"] for fault in error.errors() if fault["loc"] != location)
    return any(other[: len(location)] == location for other in others)


def _problems(
    model: type[BaseModel], faults: Iterable[ErrorDetails], table: Any, where: str
) -> list[str]:
    """Return a line for each fault; one for what may be of several kinds and is of none."""
    lines: list[str] = []
    expected: dict[str, list[str]] = {}
    for fault in faults:
        steps = _steps(fault, table)
        path = key_path(steps, where)
        if fault["type"] == "part":
            lines += [_below(path, problem) for problem in fault["ctx"]["problems"]]
        elif fault["type"] == "extra_forbidden":
            known = _known_keys(model, steps[:-1])
            lines.append(f"{path}: unknown key{suggest(str(steps[-1]), known)}")
        elif fault["type"] == "missing":
            lines.append(f"{path}: missing; this key is required")
        else:
            value = fault["input"]
            words = expected_of(fault)
            if words == "a list" and isinstance(value, str):
                words += f", as {_shown([value])}"
            sign = "" if fault["type"] == "value_error" else "expected "
            head = f"{path}: found {_shown(value)}; {sign}"
            if head not in expected:
                lines.append(head)
            expected.setdefault(head, []).append(words)
    return [line + " or ".join(expected.get(line, ())) for line in lines]


def _steps(fault: ErrorDetails, table: Any) -> list[int | str]:
    """Return where a fault is, without the names that pydantic gives to kinds of values."""
    steps: list[int | str] = []
    for place, step in enumerate(fault["loc"], start=1):
        if isinstance(step, int) or (isinstance(table, dict) and step in table):
            table = table[step]
        elif fault["type"] != "missing" or place < len(fault["loc"]):
            continue
        steps.append(step)
    return steps


def _shown(value: Any) -> str:
    """Return a value as a message shows it; a long one, or one of too many digits, is cut."""
    try:
        return cut(json.dumps(value, default=str))
    except ValueError:
        return "a number of thousands of digits"


def _known_keys(model: type[BaseModel], location: list[Any]) -> list[str]:
    """Return the keys allowed at a place inside a model, following nested models."""
    current: Any = model
    for part in location:
        if isinstance(part, str) and isinstance(current, type) and issubclass(current, BaseModel):
            field = current.model_fields.get(part)
            current = _inner_model(field.annotation) if field else None
    if isinstance(current, type) and issubclass(current, BaseModel):
        return list(current.model_fields)
    return []


def _inner_model(annotation: Any) -> Any:
    for candidate in (annotation, *getattr(annotation, "__args__", ())):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


@cache
def _all_have_defaults(part_class: type[Any]) -> bool:
    return not any(
        field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        for field in dataclasses.fields(part_class)
        if field.init
    )


@cache
def _option_model(part_class: Any) -> type[BaseModel]:
    hints = declared(part_class)
    fields: dict[str, Any] = {}
    for field in dataclasses.fields(part_class):
        if not field.init:
            continue
        default: Any = ...
        if field.default is not dataclasses.MISSING:
            default = field.default
        elif field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        fields[field.name] = (hints[field.name], default)
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    return create_model(part_class.__name__, __config__=config, **fields)


def _plain(value: Any) -> Any:
    if isinstance(value, Named):
        return describe_part(value)
    if isinstance(value, Labelled):
        tables = {label: _plain(one) for label, one in value.items()}
        return [
            # A part may have an option of that name, too, which no table reaches.
            one if label == one["name"] and "label" not in one else {**one, "label": label}
            for label, one in tables.items()
        ]
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)
