"""Rankers say which candidates fit best.

A ranker is a frozen dataclass in a file of its own,
named in :mod:`lexsub.parts.catalogue`.
"""

from lexsub.rooms import must_be_inside

must_be_inside(__name__)
