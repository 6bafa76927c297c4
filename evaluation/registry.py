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


MEASURES: Registry[type[Measure]] = Registry(
    "measure",
    {
        "lexsub.evaluation.measures.jabbari":
            "coverage-P coverage-R coverage-F optimal-F best-prime best-1 "
            "rank-reconstruction",
        "lexsub.evaluation.measures.ranking": "GAP AP P R F credit nDCG",
        "lexsub.evaluation.measures.semdis": "semdis-best semdis-oot",
        "lexsub.evaluation.measures.semeval2007":
            "best-P best-R best-mode-P best-mode-R oot-P oot-R oot-mode-P oot-mode-R "
            "mw-detection-P mw-detection-R mw-identification-P mw-identification-R",
        "lexsub.evaluation.measures.simplification":
            "tsar-MAP tsar-potential tsar-accuracy tsar-P tsar-R tsar-F sg-potential sg-P sg-R "
            "sg-F pipeline-P pipeline-accuracy pipeline-changed",
        "lexsub.evaluation.measures.swords": "swords-P swords-R swords-F",
    },
    check=fault,
)  # fmt: skip
