"""Boundaries say where in a ranking the good substitutes end.

A boundary is a frozen dataclass in a file of its own,
named in :mod:`lexsub.parts.catalogue`.
"""

from lexsub.rooms import must_be_inside

must_be_inside(__name__)
