"""Measures say how good the answers are.

:func:`evaluate` scores systems, :func:`compare` tests their differences; every measure is a
frozen dataclass in :mod:`lexsub.evaluation.measures`, registered by name in ``MEASURES``, that
prints as the string which parses back to it.  :mod:`lexsub.evaluation.bounds` makes ceilings and
floors as systems.  The official scorer, defects included, is in :mod:`lexsub.evaluation.official`.

Policies, the same for every measure unless its own text says otherwise:

* An item without what a measure needs (two responses, a mode, single-word gold …) is skipped,
  never counted as 0; every figure says how many items it counts and why the others are skipped
  (:mod:`lexsub.evaluation.criteria`).
* An item without an answer stays in the mean of its measure with 0; precision alone, whose
  denominator is the items attempted, leaves it out.
* A figure whose denominator is 0 is NaN, printed as a dash and given as null; the pooled SWORDS
  figures are 0 there, as defined.
* An id answered twice counts once, with its first line; ids the gold lacks are passed over and
  reported.
* Answers of one list stand in the order given.  Equal scores keep that order, unless a measure
  is asked for another rule (``ties=name``, ``ties=expected``).
* Answers given twice count once.  Under the official normalisation alone best and oot count
  each copy, as the official scorer does (``oot-R(duplicates=drop)`` does not).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexsub.evaluation.bounds import ceiling as ceiling
    from lexsub.evaluation.bounds import oracle as oracle
    from lexsub.evaluation.comparison import Comparison as Comparison
    from lexsub.evaluation.comparison import compare as compare
    from lexsub.evaluation.measure import Measure as Measure
    from lexsub.evaluation.parsing import parse_measure as parse_measure
    from lexsub.evaluation.parsing import parse_measures as parse_measures
    from lexsub.evaluation.registry import MEASURES as MEASURES
    from lexsub.evaluation.scores import Figure as Figure
    from lexsub.evaluation.scores import Scores as Scores
    from lexsub.evaluation.scoring import Interval as Interval
    from lexsub.evaluation.scoring import evaluate as evaluate

# Looked up on first use, so that the official scorer need not wait for numpy.
_HOMES = {
    "MEASURES": "registry",
    "Comparison": "comparison",
    "Figure": "scores",
    "Interval": "scoring",
    "Measure": "measure",
    "Scores": "scores",
    "ceiling": "bounds",
    "compare": "comparison",
    "evaluate": "scoring",
    "oracle": "bounds",
    "parse_measure": "parsing",
    "parse_measures": "parsing",
}


def __getattr__(name: str) -> Any:
    """Look a public name up in its module (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'lexsub.evaluation' has no attribute {name!r}")
    return getattr(import_module(f"lexsub.evaluation.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(_HOMES)
