"""The names under which config and command line find candidate sources."""

from __future__ import annotations

from lexsub.protocols import CandidateSource, ModelBuilder, MultiwordSource
from lexsub.registry import Registry

SOURCES: Registry[type[CandidateSource]] = Registry("candidate source", "candidates")
DETECTORS: Registry[type[MultiwordSource]] = Registry("multiword detector", "candidates")
BUILDERS: Registry[type[ModelBuilder]] = Registry("model kind", "candidates")
