"""Parts that live outside this tree: modules and files that register parts of their own.

A plugin is a Python module, or a single ``.py`` file, that registers parts as ours do::

    from lexsub.parts.base import RANKERS

    @RANKERS.register("shortest")
    @dataclass(frozen=True)
    class Shortest: ...

It is found in four ways: an installed package's entry point in the group ``lexsub.parts``;
the variable ``LEXSUB_PLUGINS`` (names and files, separated as in ``PATH``); the key
``plugins`` of an experiment's config; and ``--plugin`` of every command.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from lexsub.errors import FileProblemError, LexsubError, os_problem, suggest
from lexsub.storage.addresses import resolved
from lexsub.storage.files import sha256

GROUP = "lexsub.parts"
VARIABLE = "LEXSUB_PLUGINS"

_loaded: dict[str, ModuleType] = {}
_loading: list[tuple[str, str]] = []
"""What is being imported: as it was named, and as :data:`_loaded` has it."""

_elsewhere: set[str] = set()
"""What the process that this one works for has loaded."""

_parts: dict[tuple[str, str], str] = {}
"""The plugin of every part that one registers, by the part's kind and name."""

_installed = False


@dataclass(frozen=True, slots=True)
class Known:
    """What another process has to know of this one's plugins to find their parts by name.

    Attributes:
        loaded: all of them, as :func:`load` takes them.
        parts: by kind and name of a part, the plugin that has it.
        installed: whether the plugins are among them that no call names.
    """

    loaded: frozenset[str]
    parts: Mapping[tuple[str, str], str]
    installed: bool


def load(reference: str, folder: Path | None = None) -> None:
    """Import a plugin, once.

    Args:
        reference: a file ``my_parts.py``, or the name of a module that can be imported.
        folder: where a relative file starts; the current folder if None.

    Raises:
        FileProblemError: there is no such file.
        LexsubError: no such module, or importing it fails; says why.
    """
    path = _file(reference, folder)
    key = str(path or reference)
    if key in _loaded:
        return
    if path is not None and not path.is_file():
        raise FileProblemError(path, f"{_why(path)}; expected a plugin: a Python file or a module")
    _loading.append((reference, key))
    try:
        module = _import_file(path) if path is not None else import_module(reference)
    except LexsubError:
        raise
    except ModuleNotFoundError as error:
        if error.name != reference:
            raise LexsubError(f"plugin {reference} cannot be imported: {error}") from error
        raise LexsubError(
            f"plugin {reference}: no such module; expected a module that Python finds "
            "(installed, or on PYTHONPATH), or a file ending in .py"
        ) from error
    except (Exception, SystemExit) as error:  # whatever the user's module does
        kind = type(error).__name__
        raise LexsubError(f"plugin {reference} cannot be imported: {kind}: {error}") from error
    finally:
        _loading.pop()
    _loaded[key] = module


def is_loaded(reference: str) -> bool:
    """Return True if a plugin is loaded, here or where this process's work comes from.

    Args:
        reference: a file or module as :func:`load` takes it.
    """
    key = str(_file(reference) or reference)
    return key in _loaded or key in _elsewhere


def _file(reference: str, folder: Path | None = None) -> Path | None:
    """Return the file that a plugin is, None for a module."""
    is_file = reference.endswith(".py") or os.sep in reference
    return resolved((folder or Path()) / reference) if is_file else None


def _why(path: Path) -> str:
    try:
        path.stat()
    except OSError as error:
        return os_problem(error)
    return "is no file"


def find_function(reference: str) -> tuple[Callable[..., Any], Path | None]:
    """Import a function of the user's own.

    Args:
        reference: ``my_file.py:my_function``, or ``my_module:my_function``.

    Returns:
        The function, and the file it stands in (None for a module without one).

    Raises:
        LexsubError: there is no such file, module or function.
    """
    place, _, name = reference.rpartition(":")
    if not (place and name):
        raise LexsubError(f"{reference!r}; expected a function as my_file.py:my_function")
    load(place)
    module = _loaded[str(_file(place) or place)]
    function = getattr(module, name, None)
    if not callable(function):
        known = [one for one, value in vars(module).items() if callable(value) and one[0] != "_"]
        raise LexsubError(f"{place} has no function {name!r}{suggest(name, known)}")
    file = getattr(module, "__file__", None)
    return function, Path(file) if file else None


def load_installed() -> None:
    """Import the plugins of installed packages and those that ``LEXSUB_PLUGINS`` names, once.

    Raises:
        LexsubError: one of them cannot be imported.
    """
    global _installed
    if _installed or _loading:
        return
    _installed = True
    from importlib.metadata import entry_points

    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        load(entry.module)
    for reference in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        load(reference)


def known() -> Known:
    """Return what a worker has to be told (:func:`know`)."""
    return Known(frozenset({*_loaded, *_elsewhere}), dict(_parts), _installed)


def know(told: Known) -> None:
    """Let parts of another process's plugins be found here; loads none before it is asked for.

    So a worker reads no file but those of its own work: what an earlier call of that process had
    loaded may be gone.
    """
    global _installed
    _elsewhere.update(told.loaded)
    _parts.update(told.parts)
    _installed = _installed or told.installed


def load_for(kind: str, name: str) -> None:
    """Import the plugin that has a part, where one is known.

    Raises:
        LexsubError: it cannot be imported.
    """
    if (kind, name) not in _parts:
        load_installed()
    if (kind, name) in _parts:
        load(_parts[kind, name])


def note(kind: str, name: str) -> None:
    """Remember that a part is of the plugin whose import is under way."""
    _parts[kind, name] = _loading[-1][1]


def being_loaded() -> str | None:
    """Return the plugin whose import is under way, None outside of one."""
    return _loading[-1][0] if _loading else None


def _import_file(path: Path) -> ModuleType:
    name = f"lexsub_plugin_{path.stem}_{sha256(str(path).encode())[:8]}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise LexsubError(f"plugin {path} cannot be imported; expected a Python file")
    module = module_from_spec(spec)
    # Dataclasses and pickle look their module up there.
    sys.modules[name] = module
    _send_whole(module)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _send_whole(module: ModuleType) -> None:
    """Let parallel stages send the module's parts to processes that cannot import it."""
    from importlib.util import find_spec

    for pickler in ("joblib.externals.cloudpickle", "cloudpickle"):
        if find_spec(pickler) is not None:
            import_module(pickler).register_pickle_by_value(module)
