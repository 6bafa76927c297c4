"""lexsub: generate, rank, cut, score and reproduce lexical substitution.

``import lexsub`` is cheap: the public names live in :mod:`lexsub.api` and are loaded the
first time one of them is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from lexsub.rooms import find_rooms

if TYPE_CHECKING:
    from lexsub.api import *  # noqa: F403

__version__ = "0.1.0"

find_rooms()


def __getattr__(name: str) -> Any:
    """Look a public name up in :mod:`lexsub.api` (PEP 562)."""
    if name.startswith("__"):
        raise AttributeError(name)
    api = import_module("lexsub.api")
    if name not in api.__all__:
        raise AttributeError(f"module 'lexsub' has no attribute {name!r}")
    return getattr(api, name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted([*import_module("lexsub.api").__all__, "__version__"])
