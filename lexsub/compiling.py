"""Loops compiled by numba, an optional dependency; machine code is kept in the user's cache."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from lexsub.resources import user_cache


def can_compile() -> bool:
    """Say whether numba is installed and works."""
    try:
        import_module("numba")
    except ImportError:
        return False
    return True


def compiled(function: Callable[..., None]) -> Callable[..., None]:
    """Compile a loop, or read it back from the user's cache folder.

    Raises:
        ImportError: numba is not installed.
    """
    import numba

    settings: Any = numba.config
    settings.CACHE_DIR = settings.CACHE_DIR or str(user_cache() / "compiled")
    loop: Callable[..., None] = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return loop
