"""Boundaries say where in a ranking the good substitutes end.

A boundary is a frozen dataclass in a file of its own, registered by name in ``BOUNDARIES``.
"""

from lexsub.boundary.registry import BOUNDARIES
from lexsub.rooms import must_be_inside

__all__ = ["BOUNDARIES"]

must_be_inside(__name__)
