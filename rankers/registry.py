"""The names under which config and command line find rankers and the models they train."""

from __future__ import annotations

from lexsub.contracts import follows
from lexsub.protocols import ModelBuilder, Ranker
from lexsub.registry import Registry

RANKERS: Registry[type[Ranker]] = Registry(
    "ranker", "rankers", check=follows(Ranker, "docs/how-to/ranker.md")
)
BUILDERS: Registry[type[ModelBuilder]] = Registry(
    "model kind", "rankers", check=follows(ModelBuilder, "docs/how-to/ranker.md")
)
