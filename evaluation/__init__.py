"""Measures say how good the answers are.

:func:`lexsub.evaluate` scores systems, :func:`lexsub.compare` tests their differences; every
measure is a frozen dataclass in :mod:`lexsub.evaluation.measures`, registered by name in
``MEASURES``, that prints as the string which parses back to it.  :mod:`lexsub.evaluation.bounds`
makes ceilings and floors as systems.  The official scorer, defects included, is in
:mod:`lexsub.evaluation.official`.

Policies, the same for every measure unless its own text says otherwise:

* An item without what a measure needs (two responses, a mode, single-word gold …) is skipped,
  never counted as 0; every figure says how many items it counts and why the others are skipped
  (:mod:`lexsub.evaluation.measure`).
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

from lexsub.rooms import must_be_inside

must_be_inside(__name__)
