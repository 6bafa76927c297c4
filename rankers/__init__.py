"""Rankers say which candidates fit best.

A ranker is a frozen dataclass in a file of its own, registered by name in ``RANKERS``.
"""

from lexsub.rankers.registry import BUILDERS, RANKERS
from lexsub.rooms import must_be_inside

__all__ = ["BUILDERS", "RANKERS"]

must_be_inside(__name__)
