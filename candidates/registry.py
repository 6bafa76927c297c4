"""The names under which config and command line find candidate sources."""

from __future__ import annotations

from lexsub.contracts import follows
from lexsub.protocols import CandidateSource, ModelBuilder, MultiwordSource
from lexsub.registry import Registry

PROTOCOLS = "lexsub/protocols.py"

SOURCES: Registry[type[CandidateSource]] = Registry(
    "candidate source", "candidates", check=follows(CandidateSource, PROTOCOLS)
)
DETECTORS: Registry[type[MultiwordSource]] = Registry(
    "multiword detector", "candidates", check=follows(MultiwordSource, PROTOCOLS)
)
BUILDERS: Registry[type[ModelBuilder]] = Registry(
    "model kind", "candidates", check=follows(ModelBuilder, PROTOCOLS)
)
