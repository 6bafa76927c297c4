"""Which code and libraries decide what a part computes: digests of folders.

Modules count by the unit: a folder of modules, or a module that lies directly in a room
(``rankers/texts.py``) or makes a kind of stage.  The code of a part is its own unit and the units
that this one imports, at the top of a file or inside a function, and theirs in turn.  Parts that it
names in its options are asked for by themselves (:mod:`lexsub.experiments.pipeline.keys`).  Text
counts as it stands: a comment makes the stages of its unit anew, an edit of a unit that is not
imported does not.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lexsub import __version__
from lexsub.errors import LexsubError
from lexsub.rooms import ROOMS
from lexsub.storage.files import sha256

OURS = "lexsub"
_ROOMS = tuple(f"{OURS}.{room}" for room in ROOMS)
MAKERS = f"{OURS}.experiments.pipeline.makers"
"""Its modules count one by one, too: a module there is a kind of stage."""

ASIDE: Mapping[str, str] = {
    "lexsub.errors": "texts of errors",
    "lexsub.parallel": "which process does what; results come in the order of the work",
    "lexsub.progress": "progress bars",
    "lexsub.rooms": "where our packages lie; their modules count",
    "lexsub.tables": "results as data frames and printed tables, made of what stages have written",
}
"""Modules and packages of ours that decide no byte of any stage, and why: in no key."""

LIBRARIES_ASIDE: Mapping[str, str] = {
    "filelock": "who makes a stage of two that want it",
    "kenlm": "asks n-gram models as lexsub itself does, only faster",
    "numba": "runs the same loops, only faster",
    "platformdirs": "where the user's folders are; the content of what is read there counts",
    "pydantic": "reads options, which stand in every key as they were read",
}
"""Other people's packages that decide no byte of any stage, and why."""

DISTRIBUTIONS: Mapping[str, str] = {"backports": "backports.zstd", "sklearn": "scikit-learn"}
"""Names under which packages are installed, where the two differ."""

_IMPORT = re.compile(
    r'^\s*(?:from (\w[\w.]*) import (.*)|import ([\w.]+)(?: as \w+)?$)|import_module\("([\w.]+)"\)'
)

Texts = Mapping[str, bytes]
"""Modules by name."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Modules that count together.

    Attributes:
        digest: of their names and texts.
        imports: the modules that they import by their whole names.
    """

    digest: str
    imports: frozenset[str]


def code_of(modules: Iterable[str]) -> dict[str, Any]:
    """Return what code and libraries decide the output of modules, as plain JSON values.

    Args:
        modules: names, as ``lexsub.rankers.blend``; those of plugins must be imported already.

    Raises:
        LexsubError: a module is neither ours nor one that was imported from a file.
    """
    asked = frozenset(modules)
    units: dict[str, str] = {}
    libraries: dict[str, str] = {}
    seen: set[str] = set()
    waiting = list(asked)
    while waiting:
        name = waiting.pop()
        top = name.partition(".")[0]
        if name in seen or _is_aside(name) or top in libraries:
            continue
        seen.add(name)
        if top != OURS and name not in asked and not _is_loose(top):
            libraries[top] = _installed(top) or "not installed"
            continue
        unit = _unit_of(name) if top == OURS else top
        if unit not in units:
            read = _unit(unit) if top == OURS else _understood(_others(name))
            units[unit] = read.digest
            waiting += read.imports
    return {
        "lexsub": __version__,
        "python": ".".join(map(str, sys.version_info[:2])),
        "libraries": dict(sorted(libraries.items())),
        "units": dict(sorted(units.items())),
    }


def modules_below(package: str) -> list[str]:
    """Return all modules of a package of ours."""
    return list(_modules(package))


@cache
def _ours() -> Mapping[str, Texts]:
    """Read our modules, by unit."""
    # All at once: what is edited while a run is under way has been imported already.
    found: dict[str, dict[str, bytes]] = {}
    for room in (OURS, *_ROOMS):
        for name, path in _modules(room).items():
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            unit = name if package in (OURS, MAKERS, *_ROOMS) else package
            found.setdefault(unit, {})[name] = path.read_bytes()
    return found


@cache
def _unit(name: str) -> Unit:
    return _understood(_ours()[name])


def _unit_of(module: str) -> str:
    """Return the unit of a module of ours, or of something in one."""
    while module not in _ours():
        module = module.rpartition(".")[0]
    return module


@cache
def _modules(package: str) -> Mapping[str, Path]:
    """Return the files of a package's modules by name; of ours, the rooms' are left out."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise LexsubError(f"module {package}: its file is not to be found; expected a Python file")
    home = Path(spec.origin).parent
    found = {}
    for folder, _, files in os.walk(home):
        inner = Path(folder).relative_to(home).parts
        if package == OURS and inner and f"{OURS}.{inner[0]}" in _ROOMS:
            continue
        for file in files:
            if file.endswith(".py"):
                name = ".".join([package, *inner, file.removesuffix(".py")])
                found[name.removesuffix(".__init__")] = Path(folder, file)
    return dict(sorted(found.items()))


def _others(module: str) -> Texts:
    """Read a plugin, or a module that lies beside one, with its whole package."""
    top = module.partition(".")[0]
    spec = find_spec(top) if top in sys.modules or module not in sys.modules else None
    if spec is not None and spec.submodule_search_locations:
        return {name: path.read_bytes() for name, path in _modules.__wrapped__(top).items()}
    file = spec.origin if spec else getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        raise LexsubError(f"module {module}: its file is not to be found; expected a Python file")
    return {module: Path(file).read_bytes()}


def _understood(texts: Texts) -> Unit:
    digests = (f"{name} {sha256(text)}\n" for name, text in texts.items())
    lines = (line for text in texts.values() for line in text.splitlines() if b"import" in line)
    found = filter(None, (_IMPORT.search(line.decode("utf-8", "replace")) for line in lines))
    named = set()
    for module, names, *others in (match.groups("") for match in found):
        named |= {
            module or "".join(others),
            *(f"{module}.{name}" for name in re.findall(r"\w+", names)),
        }
    outside = {name for name in named if name.partition(".")[0] not in sys.stdlib_module_names}
    return Unit(sha256("".join(digests).encode()), frozenset(outside))


@cache
def _is_aside(module: str) -> bool:
    # A plugin's module may be called lexsub_plugin_….
    if module.partition(".")[0] == OURS and _unit_of(module) == OURS:
        return True  # Of the package itself only names are taken; its version is in every key.
    parts = module.split(".")
    above = {".".join(parts[:end]) for end in range(1, len(parts) + 1)}
    return not above.isdisjoint({*ASIDE, *LIBRARIES_ASIDE})


def _is_loose(top: str) -> bool:
    """Return True for a module that no distribution has installed (one beside a plugin)."""
    if _installed(top):
        return False
    spec = find_spec(top)
    return spec is not None and str(spec.origin).endswith(".py")


@cache
def _installed(top: str) -> str:
    """Return name and version of the distribution that a module belongs to, "" for none."""
    try:
        name = DISTRIBUTIONS.get(top, top)
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        if find_spec(top) is None:
            return ""
    names = sorted(set(packages_distributions().get(top, ())))
    return ", ".join(f"{one} {version(one)}" for one in names)
