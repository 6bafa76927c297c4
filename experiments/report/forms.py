"""The forms under which hits are told, each worked out once."""

from __future__ import annotations

from functools import lru_cache

from lexsub.formats.validation.answers import normalise


@lru_cache(maxsize=1 << 17)
def form(substitute: str) -> str:
    """Return a substitute as the official scorer compares it."""
    return normalise(substitute)
