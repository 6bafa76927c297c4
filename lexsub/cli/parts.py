"""``lexsub parts``: what a config, a measure list or a model can name; options made from parts.

A command that makes a part has the part's fields as its options, described by its docstring.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from pkgutil import resolve_name
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click

from lexsub.cli.common import JSON, print_json, tell
from lexsub.errors import UnknownNameError
from lexsub.parts.build import default_of, documented_fields
from lexsub.parts.limits import bounds_text, declared

KINDS: dict[str, tuple[str, str]] = {
    "data": ("lexsub.data.catalogue:DATASETS", "data sets (data, tuning)"),
    "source": ("lexsub.parts.base:SOURCES", "candidate sources (candidates)"),
    "ranker": ("lexsub.parts.base:RANKERS", "rankers (ranker)"),
    "boundary": ("lexsub.parts.base:BOUNDARIES", "boundaries (best, oot)"),
    "detector": ("lexsub.parts.base:DETECTORS", "multiword detectors (mw)"),
    "model": ("lexsub.parts.base:BUILDERS", "models that are trained (models, kind)"),
    "feature": ("lexsub.parts.base:FEATURES", "feature families (features of a learned model)"),
    "learner": (
        "lexsub.rankers.learned.learners:LEARNERS",
        "learners (learner of a learned model)",
    ),
    "similarity": (
        "lexsub.candidates.distributional.measures:MEASURES",
        "similarities of a thesaurus",
    ),
    "frequency": ("lexsub.frequency:FREQUENCIES", "frequency lists (frequency)"),
    "language": ("lexsub.languages:LANGUAGES", "languages (language)"),
    "measure": ("lexsub.evaluation.measure:MEASURES", "measures (measures)"),
}
"""Kind of part: its registry, and where a config names such parts."""


@click.command(short_help="List everything a config can name, or the options of one part.")
@click.argument("kind", required=False)
@click.argument("name", required=False)
@JSON
def command(kind: str | None, name: str | None, as_json: bool) -> None:
    """List all parts, those of one KIND, or one by NAME, with its options; a NAME alone will do.

    Kinds: data, source, ranker, boundary, detector, model, feature, learner,
    similarity, frequency, language, measure. Parts of plugins are listed, too (--plugin).
    """
    if kind is not None and kind not in KINDS:
        homes = [one for one in KINDS if name is None and kind in registry_of(one)]
        if not homes:
            raise UnknownNameError("kind of part", kind, KINDS)
        _print_named(kind, homes, as_json)
        return
    if kind is not None and name is not None:
        part = registry_of(kind)[name]
        tell(_record(part, name), f"{name}\n\n{description(part)}", as_json)
        return
    found = {
        one: {part: _first_line(registry[part]) for part in registry}
        for one, registry in ((one, registry_of(one)) for one in ([kind] if kind else KINDS))
    }
    if as_json:
        print_json(found)
        return
    for one, parts in found.items():
        print(f"{one}: {KINDS[one][1]}")
        width = max(map(len, parts), default=0)
        for part, text in parts.items():
            print(f"  {part.ljust(width)}  {text}")


def registry_of(kind: str) -> Any:
    """Return the registry of a kind of parts."""
    return resolve_name(KINDS[kind][0])


def _first_line(part: Any) -> str:
    if hasattr(part, "splits"):  # a data set is known by its splits
        return ", ".join(part.splits)
    described = getattr(part, "description", None)
    text = described if isinstance(described, str) else inspect.getdoc(_class_of(part)) or ""
    return plain(text.partition("\n\n")[0])


def _print_named(name: str, homes: list[str], as_json: bool) -> None:
    """Print all parts of a name: a source and a feature, say, may be called the same."""
    parts = {home: registry_of(home)[name] for home in homes}
    text = "\n\n".join(
        f"{name}: {KINDS[home][1]}\n\n{description(part)}" for home, part in parts.items()
    )
    tell([{"kind": home, **_record(part, name)} for home, part in parts.items()], text, as_json)


def _record(part: Any, name: str) -> dict[str, Any]:
    kind = _class_of(part)
    text = (inspect.getdoc(kind) or "").partition("\nAttributes:\n")[0].strip()
    options = list(_options(kind)) if isinstance(part, type) else []
    return {"name": name, "about": text, "options": options}


def description(part: Any) -> str:
    """Return what a part says of itself and its options."""
    record = _record(part, "")
    lines = [
        f"\n  {option['name']} ({', '.join(filter(None, (option['default'], option['bounds'])))})"
        f"\n      {option['about']}"
        for option in record["options"]
    ]
    return "\n".join([plain(record["about"], lines=True), *lines])


def _options(kind: Any) -> Iterator[dict[str, str]]:
    hints, about = get_type_hints(kind), documented_fields(kind)
    for field in dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ():
        if not field.init:
            continue
        kind_name = getattr(hints[field.name], "__name__", str(hints[field.name]))
        yield {
            "name": field.name,
            "type": kind_name,
            "default": default_of(field),
            "bounds": bounds_text(declared(kind)[field.name]),
            "about": plain(about.get(field.name, "")),
        }


def _class_of(part: Any) -> type[Any]:
    found: type[Any] = part if isinstance(part, type) else type(part)
    return found


def plain(text: str, *, lines: bool = False) -> str:
    """Return a docstring's text without the marks of its markup."""
    text = re.sub(r":\w+:`~?([^`]*)`", r"\1", text.replace("``", ""))
    return text if lines else " ".join(text.split())


class PartCommand(click.Command):
    """A command with an option for each field of a dataclass.

    The dataclass is imported when its options are asked for, so that the commands beside this
    one start without it.
    """

    part = ""
    only: tuple[str, ...] = ()
    changes: dict[str, Any]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters, the part's behind the first option of them."""
        own = super().get_params(ctx)
        first = next(n for n, parameter in enumerate(own, 1) if isinstance(parameter, click.Option))
        return [*own[:first], *self._of_part(), *own[first:]]

    def _of_part(self) -> list[click.Parameter]:
        kind = resolve_name(self.part)
        hints, texts = get_type_hints(kind), documented_fields(kind)
        wanted = self.only or tuple(field.name for field in dataclasses.fields(kind))
        return [
            _option(field, hints[field.name], texts[field.name], self.changes.get(field.name, {}))
            for field in dataclasses.fields(kind)
            if field.name in wanted and self.changes.get(field.name, {}) is not None
        ]


def options_of(
    part: str, *, only: tuple[str, ...] = (), **changes: dict[str, Any] | None
) -> type[PartCommand]:
    """Return the class of a command that has the fields of ``part`` as options.

    Args:
        part: ``module:class``, a dataclass whose docstring has a line on each field.
        only: the fields to take; all where none is named.
        changes: field to what is different from its declaration: keywords of ``click.Option``,
            ``names`` in place of ``--field``; None leaves the field out.
    """
    return type("PartCommand", (PartCommand,), {"part": part, "only": only, "changes": changes})


def _option(
    field: dataclasses.Field[Any], hint: Any, text: str, changes: dict[str, Any]
) -> click.Option:
    long = "--" + field.name.replace("_", "-")
    settings: dict[str, Any] = {"default": field.default, "help": _plain(text), "type": hint}
    # "" and () stand for what is not set: there is no default to show.
    settings["show_default"] = field.default not in ("", ())
    names = [long]
    if hint is bool:
        names = [f"{long}/--no-{long[2:]}"]
    elif get_origin(hint) is Literal:
        settings["type"] = click.Choice(get_args(hint))
    elif hint == tuple[str, ...]:
        settings |= {"type": str, "multiple": True}
    elif hint == tuple[int, ...]:
        settings |= {"type": _numbers, "metavar": "N[,N…]"}
    settings |= changes
    return click.Option([field.name, *settings.pop("names", names)], **settings)


def _numbers(text: str | tuple[int, ...]) -> tuple[int, ...]:
    if isinstance(text, tuple):  # a default
        return text
    try:
        return tuple(int(piece) for piece in text.split(","))
    except ValueError:
        raise click.BadParameter(f"{text!r}; expected counts such as 0,0,1") from None


def _plain(text: str) -> str:
    """Return a docstring's sentence as a terminal shows it."""
    shown = re.sub(r"\*([^*\s]+)\*", r"\1", plain(text, lines=True))
    if re.match(r"[a-z-]+[ ,]", text):  # no name, nor a value of the option
        return shown[:1].upper() + shown[1:]
    return shown
