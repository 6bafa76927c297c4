"""Candidate sources propose what could stand in the target's place.

A source is a frozen dataclass in a file of its own, registered by name in ``SOURCES``;
multiword detectors (task mw) are registered in ``DETECTORS``.
"""

from lexsub.candidates.registry import BUILDERS, DETECTORS, SOURCES
from lexsub.rooms import must_be_inside

__all__ = ["BUILDERS", "DETECTORS", "SOURCES"]

must_be_inside(__name__)
