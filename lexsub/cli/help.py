"""``lexsub help``: the reference of a name, be it a command, a config key, a part or a function."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import pairwise
from typing import Any

import click

from lexsub.cli.common import JSON, print_json
from lexsub.cli.parts import KINDS, description, plain, registry_of
from lexsub.errors import LexsubError


@click.command(short_help="Explain a command, config key, part, measure or Python name.")
@click.argument("names", nargs=-1, metavar="[NAME]")
@JSON
def command(names: tuple[str, ...], as_json: bool) -> None:
    """Explain NAME, whatever has that name.

    A command (thesaurus neighbours), a key of a config (answers; config for all keys), a part or
    measure (expected-f, GAP), a name of import lexsub (evaluate); all of them, where several are
    called so.
    """
    name = " ".join(names) or "help"
    found = list(_found(name))
    if not found:
        near = " or ".join(get_close_matches(name, sorted(_known())))
        raise LexsubError(f"nothing is called {name!r}{near and f'; did you mean {near}?'} "
                          "(lexsub --help and lexsub parts list names; "
                          "docs/explanation/glossary.md explains terms)")  # fmt: skip
    if as_json:
        print_json([{"name": title, "about": text} for title, text in found])
        return
    for place, (title, text) in enumerate(found):
        print(f"{chr(10) if place else ''}{title}\n\n{text}")


def _found(name: str) -> Iterator[tuple[str, str]]:
    """Yield what there is of a name: a heading, and the text."""
    if (found := _command(name)) is not None:
        yield f"lexsub {name}: command", found
    keys = dict(config_keys())
    for key in keys if name == "config" else (name, f"systems.{name}", f"tables.{name}",
                                              f"comparisons.{name}"):  # fmt: skip
        if key in keys:
            yield f"{key}: key of a config", keys[key]
    for kind in KINDS:
        registry = registry_of(kind)
        if name in registry:
            yield f"{name}: {KINDS[kind][1]}", description(registry[name])
    from lexsub import api

    if name in api.__all__ and callable(thing := getattr(api, name)):
        signature = str(inspect.signature(thing)) if not inspect.isclass(thing) else ""
        yield f"lexsub.{name}{signature}", plain(inspect.getdoc(thing) or "", lines=True)


def _known() -> set[str]:
    from lexsub import api
    from lexsub.cli import COMMANDS

    parts = {part for kind in KINDS for part in registry_of(kind)}
    keys = {key.rpartition(".")[2] for key, _ in config_keys()}
    return {*COMMANDS, *parts, *keys, *api.__all__, "config"}


def _command(name: str) -> str | None:
    """Return the help of a command by its full name; None where there is none."""
    from lexsub.cli import root

    command: click.Command | None = root
    context = click.Context(root, info_name="lexsub")
    for word in name.split():
        if not isinstance(command, click.Group):
            return None
        command = command.get_command(context, word)
        if command is None:
            return None
        context = click.Context(command, parent=context, info_name=word)
    return None if command is None else command.get_help(context)


def config_keys() -> Iterator[tuple[str, str]]:
    """Yield every key of an experiment's file, with what it is."""
    from lexsub.experiments.config.schema import (
        BaseTable,
        ComparisonTable,
        ExperimentTable,
        FigureTable,
        SystemTable,
    )

    models = [("", ExperimentTable), ("", BaseTable), ("systems.", SystemTable),
              ("tables.", FigureTable), ("comparisons.", ComparisonTable)]  # fmt: skip
    for place, model in models:
        for name, text in field_docs(model).items():
            yield f"{place}{name}", textwrap.fill(plain(text), 100)


def field_docs(model: type[Any]) -> dict[str, str]:
    """Return the strings that stand below a model's fields, by field.

    Pydantic would read them, too, but whenever the class is imported, which takes longer than
    making it.
    """
    (made,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(made, ast.ClassDef)
    return {
        field.target.id: inspect.cleandoc(str(below.value.value))
        for field, below in pairwise(made.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
    }  # fmt: skip
