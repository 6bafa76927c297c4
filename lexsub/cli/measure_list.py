"""The list of measures that ``lexsub score --list`` prints."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import get_args, get_type_hints

from lexsub.cli.parts import plain
from lexsub.evaluation.measure import CUT, Measure, show
from lexsub.evaluation.parsing import GROUPS
from lexsub.evaluation.registry import MEASURES


def measure_list() -> str:
    """Return every measure with what it is, its parameters and its reference, then the groups."""
    lines: list[str] = []
    for name in MEASURES:
        part = MEASURES[name]
        lines.append(name)
        lines.append(f"    {plain((part.__doc__ or '').strip().splitlines()[0])}")
        lines += [f"    {line}" for line in _parameters(part)]
        lines.append(f"    [{plain(part.reference)}]")
    lines += ["", "sets of measures"]
    lines += [f"    {group}: {members}" for group, members in GROUPS.items()]
    return "\n".join(lines) + "\n"


def _parameters(part: type[Measure]) -> Iterator[str]:
    hints = get_type_hints(part)
    for field in dataclasses.fields(part):
        if field.name == CUT:
            yield f"@k (default {field.default})"
            continue
        choices = get_args(hints[field.name]) or (
            ("yes", "no") if hints[field.name] is bool else ()
        )
        others = [str(choice) for choice in choices if choice != show(field.default)]
        yield f"{field.name}={show(field.default)}" + (
            f" (or {', '.join(others)})" if others else ""
        )
