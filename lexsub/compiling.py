"""Loops compiled by numba, an optional dependency; machine code is kept in the user's cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any

from lexsub.storage.files import sha256
from lexsub.storage.user_folders import user_cache


def can_compile() -> bool:
    """Return True if numba is installed and works."""
    try:
        import_module("numba")
    except ImportError:
        return False
    return True


def compiled(function: Callable[..., None]) -> Callable[..., None]:
    """Compile a loop, or read it back from the user's cache folder.

    Args:
        function: the loop.

    Raises:
        ImportError: numba is not installed.
    """
    import numba

    settings: Any = numba.config
    settings.CACHE_DIR = settings.CACHE_DIR or str(user_cache() / "compiled")
    jit: Any = numba.njit(cache=True, nogil=True, error_model="numpy")
    loop: Callable[..., None] = jit(function)
    return loop


def compiled_with(loop: Any, names: Mapping[str, Any]) -> Callable[..., None]:
    """Compile a loop together with plain functions that it calls by these names.

    numba keeps compiled code on disk by a function's name and source file, and has no public
    way to say that a loop compiled with other functions is another one (code that closes over
    compiled functions is compiled anew in each process).  So the loop gets a name that carries
    a digest of the functions: another formula, or a changed one, is never mistaken for it.

    Raises:
        ImportError: numba is not installed.
    """
    import numba

    jit = numba.njit(nogil=True, error_model="numpy")
    functions = {name: one for name, one in names.items() if isinstance(one, FunctionType)}
    prints = repr([_fingerprint(function) for function in functions.values()])
    name = f"{loop.__name__}_{sha256(prints.encode())[:16]}"
    known = {**names, **{name: _jitted(one, jit) for name, one in functions.items()}}
    code = loop.__code__.replace(co_name=name)
    named = FunctionType(code, {"__name__": loop.__module__, **known}, name)
    named.__qualname__ = name
    return compiled(named)


def _jitted(function: Any, jit: Any) -> Any:
    """Compile a plain function together with the plain functions it calls."""
    names = {
        name: _jitted(value, jit) if isinstance(value, FunctionType) else value
        for name, value in function.__globals__.items()
        if name in function.__code__.co_names
    }
    # The module's name lets numba read the compiled code back from disk.
    names["__name__"] = function.__module__
    return jit(FunctionType(function.__code__, names, function.__name__))


def _fingerprint(function: Any) -> list[Any]:
    code: CodeType = function.__code__
    called = [function.__globals__.get(name) for name in code.co_names]
    return [
        code.co_code.hex(),
        repr(code.co_consts),
        [_fingerprint(f) if isinstance(f, FunctionType) else repr(f) for f in called],
    ]
