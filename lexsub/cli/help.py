"""``lexsub help`` and ``lexsub completion``: the reference of a name, and shells that complete it.

A name is a command, a config key, a part, a measure or a Python function.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import click

from lexsub.cli.common import JSON, print_json
from lexsub.cli.parts import KINDS, description, plain, registry_of
from lexsub.errors import LexsubError, did_you_mean


@click.command(short_help="Explain a command, config key, part, measure or Python name.")
@click.argument("names", nargs=-1, metavar="[NAME]")
@JSON
def command(names: tuple[str, ...], as_json: bool) -> None:
    """Explain NAME, whatever has that name.

    A command (thesaurus neighbours), a key of a config (answers; config for all keys), a part or
    measure (expected-f, GAP), a name of import lexsub or a method of one (evaluate, Suggester,
    pipe); all of them, where several are called so.
    """
    name = " ".join(names) or "help"
    found = list(_found(name))
    if not found:
        raise LexsubError(
            f"nothing is called {name!r}{did_you_mean(name, _known())} "
            "(lexsub --help and lexsub parts list names; "
            "docs/explanation/glossary.md explains terms)"
        )
    if as_json:
        print_json([{"name": title, "about": text} for title, text in found])
        return
    for place, (title, text) in enumerate(found):
        print(f"{chr(10) if place else ''}{title}\n\n{text}")


def _found(name: str) -> Iterator[tuple[str, str]]:
    """Yield what there is of a name: a heading, and the text."""
    from lexsub.evaluation.figures import FIELDS
    from lexsub.evaluation.measure import GROUPS

    if (found := _command(name)) is not None:
        yield f"lexsub {name}: command", found
    keys = dict(config_keys())
    for key in (
        keys
        if name == "config"
        else (name, f"systems.{name}", f"tables.{name}", f"comparisons.{name}")
    ):
        if key in keys:
            yield f"{key}: key of a config", keys[key]
    for kind in KINDS:
        registry = registry_of(kind)
        if name in registry:
            yield f"{name}: {KINDS[kind][1]}", description(registry[name])
    if name in GROUPS:
        yield f"{name}: several measures, by one name", GROUPS[name]
    if name in FIELDS:
        yield f"{name}: field of a figure's signature, as {name}:…", FIELDS[name]
    yield from _of_python(name)


def _of_python(name: str) -> Iterator[tuple[str, str]]:
    """Yield what ``import lexsub`` offers of a name: itself, and the methods called so."""
    from lexsub import api

    if name in api.__all__ and callable(thing := getattr(api, name)):
        if not inspect.isclass(thing):
            yield f"lexsub.{name}{_signature(thing)}", _doc(thing)
            return
        methods = {method: _doc(found).splitlines() for method, found in _methods(thing).items()}
        lines = [f"    {method}: {text[0]}" for method, text in methods.items() if text]
        head = ["", f"Methods (lexsub help {name}.METHOD):"] if lines else []
        yield f"lexsub.{name}", "\n".join([_doc(thing), *head, *lines])
    owner, _, method = name.rpartition(".")
    for title in _classes():
        thing = getattr(api, title)
        # Looking through a class takes longer than asking it for a name.
        found = _methods(thing).get(method) if hasattr(thing, method) else None
        if found is not None and owner in ("", title):
            yield f"lexsub.{title}.{method}{_signature(found)}", _doc(found)


def _classes() -> list[str]:
    from lexsub import api

    return [name for name in api.__all__ if inspect.isclass(getattr(api, name))]


def _methods(owner: type[Any]) -> dict[str, Any]:
    """Return the public methods of a class, those that it has from another included."""
    found = inspect.getmembers_static(owner, lambda member: not isinstance(member, property))
    return {
        name: member
        for name, _ in found
        if (name == "__call__" or not name.startswith("_"))
        and inspect.isroutine(member := getattr(owner, name))
        and (inspect.getmodule(member) or inspect).__name__.startswith("lexsub")
    }


def _signature(thing: Any) -> str:
    """Return what it takes and gives, annotations as they are written."""
    signature = inspect.signature(thing)
    taken = [one for one in signature.parameters.values() if one.name not in ("self", "cls")]
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(signature.replace(parameters=taken)))


def _doc(thing: Any) -> str:
    return plain(inspect.getdoc(thing) or "", lines=True)


def _known() -> set[str]:
    from lexsub import api
    from lexsub.cli import COMMANDS
    from lexsub.evaluation.figures import FIELDS
    from lexsub.evaluation.measure import GROUPS

    parts = {part for kind in KINDS for part in registry_of(kind)}
    keys = {key.rpartition(".")[2] for key, _ in config_keys()}
    methods = {
        called
        for name in _classes()
        for method in _methods(getattr(api, name))
        for called in (method, f"{name}.{method}")
    }
    return {*COMMANDS, *parts, *keys, *FIELDS, *GROUPS, *api.__all__, *methods, "config"}


def _command(name: str) -> str | None:
    """Return the help of a command by its full name; None where there is none."""
    from lexsub.cli import root

    command: click.Command | None = root
    context = click.Context(root, info_name="lexsub", show_default=True)
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
    from lexsub.experiments.config import schema

    models = [
        ("", schema.ExperimentTable),
        ("", schema.BaseTable),
        ("systems.", schema.SystemTable),
        ("tables.", schema.FigureTable),
        ("comparisons.", schema.ComparisonTable),
    ]
    for place, model in models:
        for name, text in field_docs(model).items():
            yield f"{place}{name}", textwrap.fill(plain(text), 100)


@cache
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
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
    }


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that completes commands and options in SHELL.

    \b
    bash: eval "$(lexsub completion bash)"   in ~/.bashrc
    zsh:  eval "$(lexsub completion zsh)"    in ~/.zshrc
    fish: lexsub completion fish > ~/.config/fish/completions/lexsub.fish
    """  # noqa: D301
    from click.shell_completion import get_completion_class

    from lexsub.cli import root

    kind = get_completion_class(shell)
    assert kind is not None, shell
    script = kind(root, {}, "lexsub", "_LEXSUB_COMPLETE")
    # Not by source(), which first runs the shell to learn its version.
    click.echo(script.source_template % script.source_vars())
