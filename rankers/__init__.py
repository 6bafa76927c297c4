"""Rankers say which candidates fit best.

A ranker is a frozen dataclass in a file of its own, registered by name in ``RANKERS``.
"""

from lexsub.rankers.registry import BUILDERS, RANKERS

__all__ = ["BUILDERS", "RANKERS"]
