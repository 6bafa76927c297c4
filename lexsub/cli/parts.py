"""``lexsub parts``: everything that a config, a measure list or a model can name."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, get_type_hints

import click

from lexsub.cli.common import JSON, print_json, tell
from lexsub.errors import UnknownNameError
from lexsub.parts.build import default_of, documented_fields

KINDS: dict[str, tuple[str, str]] = {
    "data": ("lexsub.data.catalogue:DATASETS", "data sets (data, tuning)"),
    "source": ("lexsub.candidates:SOURCES", "candidate sources (candidates)"),
    "ranker": ("lexsub.rankers:RANKERS", "rankers (ranker)"),
    "boundary": ("lexsub.boundary:BOUNDARIES", "boundaries (best, oot)"),
    "detector": ("lexsub.candidates:DETECTORS", "multiword detectors (mw)"),
    "source-model": ("lexsub.candidates:BUILDERS", "models of candidate sources (models, kind)"),
    "ranker-model": ("lexsub.rankers:BUILDERS", "models of rankers (models, kind)"),
    "feature": ("lexsub.parts.features:FEATURES", "feature families (features of a learned model)"),
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
    "measure": ("lexsub.evaluation.registry:MEASURES", "measures (measures)"),
}
"""Kind of part: its registry, and where a config names such parts."""


@click.command(short_help="List everything a config can name, or the options of one part.")
@click.argument("kind", required=False)
@click.argument("name", required=False)
@JSON
def command(kind: str | None, name: str | None, as_json: bool) -> None:
    """List all parts, those of one KIND, or one by NAME, with its options; a NAME alone will do.

    Kinds: data, source, ranker, boundary, detector, source-model, ranker-model, feature, learner,
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
    module, _, name = KINDS[kind][0].partition(":")
    return getattr(import_module(module), name)


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
        f"\n  {option['name']} ({option['default']})\n      {option['about']}"
        for option in record["options"]
    ]
    return "\n".join([plain(record["about"], lines=True), *lines])


def _options(kind: type[Any]) -> Iterator[dict[str, str]]:
    hints, about = get_type_hints(kind), documented_fields(kind)
    for field in dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ():
        if not field.init:
            continue
        kind_name = getattr(hints[field.name], "__name__", str(hints[field.name]))
        yield {
            "name": field.name,
            "type": kind_name,
            "default": default_of(field),
            "about": plain(about.get(field.name, "")),
        }


def _class_of(part: Any) -> type[Any]:
    found: type[Any] = part if isinstance(part, type) else type(part)
    return found


def plain(text: str, *, lines: bool = False) -> str:
    """Return a docstring's text without the marks of its markup."""
    text = re.sub(r":\w+:`~?([^`]*)`", r"\1", text.replace("``", ""))
    return text if lines else " ".join(text.split())
