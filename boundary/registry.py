"""The names under which config and command line find boundary strategies."""

from __future__ import annotations

from lexsub.contracts import follows
from lexsub.protocols import Boundary
from lexsub.registry import Registry

BOUNDARIES: Registry[type[Boundary]] = Registry(
    "boundary", "boundary", check=follows(Boundary, "docs/how-to/boundary.md")
)
