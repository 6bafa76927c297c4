"""Candidate sources propose what could stand in the target's place.

A source is a frozen dataclass in a file of its own,
named in :mod:`lexsub.parts.catalogue`;
multiword detectors (task mw) are found likewise.
"""

from lexsub.rooms import must_be_inside

must_be_inside(__name__)
