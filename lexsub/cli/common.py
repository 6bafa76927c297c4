"""What all commands share: their common options, and how they print JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from textwrap import fill
from typing import Any, TypeVar, cast

import click

from lexsub.parts.limits import out_of_limits
from lexsub.printable import is_address, printable
from lexsub.progress import is_quiet, set_quiet
from lexsub.rankings import TASKS
from lexsub.resources import Resources
from lexsub.storage.user_folders import data_folders

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]


class Here(click.Path):
    """A file or folder to be read, here or at an address; of that a copy in the cache is given."""

    def convert(
        self, value: Any, parameter: click.Parameter | None, context: click.Context | None
    ) -> Any:
        """Return the path."""
        if not is_address(value):
            return super().convert(value, parameter, context)
        from lexsub.storage.user_folders import fetched, user_cache

        return fetched(Path(value), user_cache())


FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path)
NO_FILE = click.Path(path_type=Path, file_okay=False)
HERE = Here(path_type=Path)
RUN = Here(path_type=Path, file_okay=False)


def _named_places(
    context: click.Context, parameter: click.Parameter, value: tuple[str, ...]
) -> dict[str, Path]:
    places = {}
    for text in value:
        name, sign, path = text.partition("=")
        if not (name and sign and path):
            raise click.BadParameter(f"{text!r}; expected NAME=PATH", context, parameter)
        places[name] = Path(path)
    return places


def _chosen_format(context: click.Context, _: click.Parameter, value: str) -> str:
    return "json" if context.params.pop("as_json", False) else value


def option(
    spec: str, text: str, default: Any = None, *, into: str = "", **settings: Any
) -> Decorator[Any]:
    """Return an option of a command.

    Args:
        spec: its names and, behind them, what it takes: ``-o --out DIR``; one of several,
            ``--by [families|sources]``; any number of times, ``--train TEXT...``.  Where that is
            not said, the type or the default says it; else the option is a flag.
        text: what it is, for its help.
        default: what holds where it is not given; "" is not shown.
        into: the parameter that gets it, where it is called otherwise.
        settings: of :func:`click.option`.
    """
    *names, takes = spec.split(" ")
    if takes.startswith("-"):
        names, takes = [*names, takes], ""
    if takes.endswith("..."):
        takes, settings["multiple"] = takes.removesuffix("..."), True
    if takes.startswith("["):
        settings["type"] = click.Choice(takes[1:-1].split("|"))
    elif takes:
        settings["metavar"] = takes
    elif default is None and "type" not in settings:
        settings["is_flag"] = True
    if default is not None:
        settings["default"] = default
    if default == "":
        settings["show_default"] = False
    return click.option(*names, *([into] if into else []), help=text, **settings)


COUNT = click.IntRange(min=1)
THERE = click.Path(exists=True, path_type=Path, file_okay=False)
DATA = option(
    "--data DIR",
    "Folder of data sets, searched first (then LEXSUB_DATA, then the user's own).",
    type=THERE,
)
LANGUAGE = option(
    "--language CODE",
    "Language of a file of yours, as fr (ISO 639-1)  [data sets say theirs; else en].",
)
JSON = option("--json", "Print JSON.", into="as_json")
JSON_LINES = option("--json", "One JSON object a line.", into="as_json")
RESOURCES = option(
    "--resource NAME=PATH...",
    "Place of a resource, in place of the config's (a corpus, a word list, wordnet …).",
    into="places",
    callback=_named_places,
)
WORKERS = option("--workers N", "Processes, in place of the config's number.", type=COUNT)
SYSTEMS = option(
    "--system NAME...",
    "A system of the run, several times if need be.  [default: all]",
    into="systems",
)
VERBOSE = option("--verbose", "Print a line for each finished stage.")


def out_option(text: str, metavar: str = "DIR", *, required: bool = False) -> Decorator[Any]:
    """Return ``--out`` with what it says: a folder, or a file where it is called so."""
    kind = FILE if metavar == "FILE" else FOLDER
    return option(f"-o --out {metavar}", text, type=kind, required=required)


def resource_options(function: F) -> F:
    """Add ``--data`` and ``--resource``; the function is given what they make, ``resources``."""

    @wraps(function)
    def call(*, data: Path | None, places: dict[str, Path], **others: Any) -> Any:
        return function(resources=Resources(data=data_folders(data), paths=places), **others)

    return cast(F, DATA(RESOURCES(call)))


_ANSWERING = (
    (
        "--model NAME|DIR",
        "Model that answers (lexsub model list).  [default: the one chosen by lexsub model use, "
        "or english]",
    ),
    (
        "--config CONFIG",
        "Config file or ready config whose system answers, in place of a model; its models must "
        "be trained (lexsub run CONFIG).",
    ),
    ("--system NAME", "A system of the config."),
)


def answering_options(function: F) -> F:
    """Add the options that say what answers; the function is given its ``opener`` and resources."""

    @wraps(function)
    def call(
        *,
        model: str,
        config: str,
        system: str,
        resources: Resources,
        language: str | None = None,
        **others: Any,
    ) -> Any:
        from lexsub.experiments.suggestions.suggesting import open_suggester

        resources = replace(resources, language=language or "en")
        opener = partial(open_suggester, config, system, resources, model)
        return function(opener=opener, resources=resources, **others)

    wrapped: Any = resource_options(call)
    for spec, text in reversed(_ANSWERING):
        wrapped = option(spec, text, "")(wrapped)
    return cast(F, wrapped)


def format_option(*formats: str) -> Decorator[Any]:
    """Return ``--format`` with these choices, the first by default, and ``--json`` for short."""

    def add(function: Any) -> Any:
        spec, text = f"--format [{'|'.join(formats)}]", "How figures are printed."
        long = option(spec, text, formats[0], into="output", callback=_chosen_format)
        # Eager, so that the flag is known when the format is looked at.
        short = option("--json", "The same as --format json.", into="as_json", is_eager=True)
        return short(long(function))

    return add


def folded(text: str, head: str, indent: int) -> str:
    """Return a text in lines of 80 behind its head, words and names whole."""
    return fill(
        text,
        80,
        initial_indent=head,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def print_json(value: Any) -> None:
    """Print a value as JSON: undefined numbers are null, paths text, names together ``a | b``."""
    click.echo(json.dumps(_plain(value), indent=2, ensure_ascii=False))


def counted(number: int, name: str) -> str:
    """Return a number of things: ``1 text``, ``2 texts``."""
    return f"{number} {name}{'s' * (number != 1)}"


def warn(text: str) -> None:
    """Print a remark of the program's own on standard error, as one line."""
    click.echo(printable(f"lexsub: {text}"), err=True)


def tell(value: Any, text: object, as_json: bool, *, err: bool = False) -> None:
    """Print a value as JSON, or else a text for people (on standard error if ``err``)."""
    if as_json:
        print_json(value)
    else:
        click.echo(text, err=err)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {
            " | ".join(key) if isinstance(key, tuple) else str(key): _plain(entry)
            for key, entry in value.items()
        }
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return str(value) if isinstance(value, Path) else value


def _load_plugins(context: click.Context, _: click.Parameter, value: Any) -> None:
    if value and not context.resilient_parsing:
        from lexsub.parts.plugins import load

        for reference in value:
            load(reference)


def _hush(context: click.Context, _: click.Parameter, value: bool) -> bool:
    # LEXSUB_QUIET holds for all calls of this process, the option for this one alone.
    if value and not context.resilient_parsing and not is_quiet():
        set_quiet(True)
        context.call_on_close(lambda: set_quiet(False))
    return value


def _within_limits(
    further: Callable[..., Any] | None,
    context: click.Context,
    parameter: click.Parameter,
    value: Any,
) -> Any:
    if expected := out_of_limits(value, parameter.name or ""):
        raise click.BadParameter(f"{value}; expected {expected}", context, parameter)
    return value if further is None else further(context, parameter, value)


def scoring_options(function: F) -> F:
    """Add what ``score`` and ``compare`` have in common: gold files, policy, resampling."""
    for add in (
        DATA,
        LANGUAGE,
        option("--mrsamples", "List of manual words (RAND, MAN) [beside GOLD].", type=FILE),
        option("--mwids", "List of multiword items (NMWT) [beside GOLD].", type=FILE),
        option("--mwgold", "Gold file of the mw task.", type=FILE),
        option("--seed", "Seed of all draws.", 0),
        option("--unit [target|item]", "What is drawn as a whole.", "target"),
        option("--resamples", "Draws behind each interval and test.", 10_000),
        option(
            "--normalisation [clean|official|lemma|tsar|exact]",
            "When two substitutes are the same [as the data set has it: official for "
            "semeval2007/test and trial, else clean].",
        ),
        option("--measures TEXT", 'As "best oot GAP P@1 F@1..10" [those of the files\' tasks].'),
        option(f"--task [{'|'.join(TASKS)}]", "Task of the files [told by their lines]."),
    ):
        function = add(function)
    return function


def quiet_option(text: str) -> Decorator[Any]:
    """Return ``--quiet`` for a command that has more than bars to leave out."""
    return option("--quiet", text, callback=_hush)


_PLUGIN = option(
    "--plugin FILE|MODULE...",
    "Python file or module with parts of your own (or LEXSUB_PLUGINS).",
    is_eager=True,
    expose_value=False,
    callback=_load_plugins,
)
_QUIET = option(
    "--quiet", "No progress bars (or LEXSUB_QUIET=1).", expose_value=False, callback=_hush
)


def adopt(command: click.Command) -> click.Command:
    """Add to a command, or to all of a group, the options that every command has."""
    if isinstance(command, click.Group):
        for sub in command.commands.values():
            adopt(sub)
        return command
    for parameter in command.params:
        if parameter.type.name in ("integer", "float", "integer range", "float range"):
            parameter.callback = partial(_within_limits, parameter.callback)
    names = {parameter.name for parameter in command.params}
    for name, add in (("plugin", _PLUGIN), ("quiet", _QUIET)):
        if name not in names:
            add(command)
    return command
