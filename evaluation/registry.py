"""The names under which command line and API find measures."""

from __future__ import annotations

from typing import Any

from lexsub.errors import suggest
from lexsub.evaluation.measure import CRITERIA, READS, Measure
from lexsub.parts.contracts import no_dataclass
from lexsub.parts.registry import Registry

PAGE = "docs/how-to/measure.md"


def fault(name: str, part: Any) -> str:
    """Say what a measure lacks; "" where it lacks nothing."""
    if found := no_dataclass(part):
        return f"{found} (see {PAGE})"
    if not issubclass(part, Measure):
        return f"{part.__name__} is no subclass of evaluation.measure.Measure (see {PAGE})"
    missing = [one for one in ("name", "reads", "reference") if not hasattr(part, one)]
    if part.statistics is Measure.statistics and part.figures is Measure.figures:
        missing.append("figures and no statistics")
    if missing:
        return f"{part.__name__} has no {' and no '.join(missing)} (see {PAGE})"
    if part.name != name:
        return f"{part.__name__} calls itself {part.name!r}; expected the name it is registered by"
    if part.reads not in READS:
        return f"{part.__name__} reads {part.reads!r}; expected one of {', '.join(READS)}"
    # Ours may have them depend on their options; then the class has a property.
    given = part.criteria if isinstance(part.criteria, tuple) else ()
    unknown = [one for one in given if one not in CRITERIA]
    if unknown:
        return f"{part.__name__} has the criterion {unknown[0]!r}{suggest(unknown[0], CRITERIA)}"
    if part.unit not in ("%", "1"):
        return f"{part.__name__} has the unit {part.unit!r}; expected '%' or '1'"
    return ""


MEASURES: Registry[type[Measure]] = Registry("measure", fault)
