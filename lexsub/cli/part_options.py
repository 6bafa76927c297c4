"""Options of a command that are the fields of a part: name, type, default and help are its own."""

from __future__ import annotations

import dataclasses
import re
from importlib import import_module
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click

from lexsub.parts.build import documented_fields


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
        module, _, name = self.part.partition(":")
        kind = getattr(import_module(module), name)
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
    text = re.sub(r":\w+:`~?([^`]+)`", r"\1", text)
    text = re.sub(r"\*([^*\s]+)\*", r"\1", text)
    if re.match(r"[a-z-]+[ ,]", text):  # no name, nor a value of the option
        text = text[:1].upper() + text[1:]
    return text.replace("``", "")
