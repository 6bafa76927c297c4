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
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from importlib.util import find_spec
from io import FileIO
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
"""Units of ours that decide no byte of any stage, and why: in no key."""

LIBRARIES_ASIDE: Mapping[str, str] = {
    "annotated_types": "bounds of options; what is beyond them is not read",
    "filelock": "who makes a stage of two that want it",
    "kenlm": "asks n-gram models as lexsub itself does, only faster",
    "numba": "runs the same loops, only faster",
    "platformdirs": "where the user's folders are; the content of what is read there counts",
    "pydantic": "reads options, which stand in every key as they were read",
}
"""Other people's packages that decide no byte of any stage, and why."""

DISTRIBUTIONS: Mapping[str, str] = {"backports": "backports.zstd", "sklearn": "scikit-learn"}
"""Names under which packages are installed, where the two differ."""

# Beginning with what is looked for: so most of a text is passed over quickly.
_IMPORT = re.compile(
    r"\n[ \t]*(?:from (\w[\w.]*) import (.*)|import ([\w.]+)(?: as \w+)?[ \t\r]*$)", re.MULTILINE
)
_IMPORT_MODULE = re.compile(r'import_module\("([\w.]+)"\)')
_NAME = re.compile(r"\w+")
_IMPORTED = time.time_ns()

Texts = Mapping[str, bytes]
"""Modules by name."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Modules that count together.

    Attributes:
        digest: of their names and texts.
        imports: what they import: units of ours, and modules of others.
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
    waiting = [name for name in asked if not _is_aside(name)]
    while waiting:
        name = waiting.pop()
        top = name.partition(".")[0]
        unit = _unit_of(name) if top == OURS else top
        if unit in units or top in libraries:
            continue
        if top != OURS and name not in asked and not _is_loose(top):
            libraries[top] = _installed(top) or "not installed"
            continue
        read = _unit(unit) if top == OURS else _understood(_others(name))
        units[unit] = read.digest
        waiting += read.imports
    return {
        "lexsub": __version__,
        "python": ".".join(map(str, sys.version_info[:2])),
        "libraries": dict(sorted(libraries.items())),
        "units": dict(sorted(units.items())),
    }


@cache
def _ours() -> Mapping[str, Mapping[str, str]]:
    """Find the files of our modules, by unit and name."""
    found: dict[str, dict[str, str]] = {}
    for room in (OURS, *_ROOMS):
        for name, path in modules_below(room).items():
            package = name if path.endswith("__init__.py") else name.rpartition(".")[0]
            unit = name if package in (OURS, MAKERS, *_ROOMS) else package
            found.setdefault(unit, {})[name] = path
    return found


@cache
def _unit(name: str) -> Unit:
    return _understood({module: _read(path) for module, path in _ours()[name].items()})


def _read(path: str) -> bytes:
    """Read a module of ours.

    Raises:
        LexsubError: it was edited after it was imported, so it is not what works here.
    """
    with FileIO(path) as file:
        # A clock that was put back makes files of the future; they are no edits.
        if _IMPORTED < os.fstat(file.fileno()).st_mtime_ns <= time.time_ns():
            raise LexsubError(f"{path}: was changed while lexsub was running; start again")
        return file.readall()


@cache
def _unit_of(module: str) -> str:
    """Return the unit of a module of ours, or of something in one."""
    while module not in _ours():
        module = module.rpartition(".")[0]
    return module


def modules_below(package: str) -> Mapping[str, str]:
    """Return the files of a package's modules by name; of ours, the rooms' are left out."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise LexsubError(f"module {package}: its file is not to be found; expected a Python file")
    home = str(Path(spec.origin).parent)
    found = {}
    for folder, inside, files in os.walk(home):
        above = package + folder.removeprefix(home).replace(os.sep, ".")
        rooms = {one for one in inside if f"{above}.{one}" in _ROOMS}
        inside[:] = {*inside} - rooms - {"__pycache__"}
        for file in files:
            if file.endswith(".py"):
                name = f"{above}.{file.removesuffix('.py')}".removesuffix(".__init__")
                found[name] = f"{folder}{os.sep}{file}"
    return dict(sorted(found.items()))


def _others(module: str) -> Texts:
    """Read a plugin, or a module that lies beside one, with its whole package."""
    top = module.partition(".")[0]
    spec = find_spec(top) if top in sys.modules or module not in sys.modules else None
    if spec is not None and spec.submodule_search_locations:
        return {name: Path(path).read_bytes() for name, path in modules_below(top).items()}
    file = spec.origin if spec else getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        raise LexsubError(f"module {module}: its file is not to be found; expected a Python file")
    return {module: Path(file).read_bytes()}


def _understood(texts: Texts) -> Unit:
    digests = (f"{name} {sha256(text)}\n" for name, text in texts.items())
    named = set[str]()
    for text in texts.values():
        code = "\n" + text.decode("utf-8", "replace")
        named.update(_IMPORT_MODULE.findall(code))
        for module, names, other in _IMPORT.findall(code):
            named |= {module or other, *(f"{module}.{name}" for name in _NAME.findall(names))}
    imports = {_unit_of(name) if name.startswith(f"{OURS}.") else name.partition(".")[0]
               for name in named if not _is_aside(name)}  # fmt: skip
    return Unit(sha256("".join(digests).encode()), frozenset(imports - sys.stdlib_module_names))


@cache
def _is_aside(module: str) -> bool:
    top = module.partition(".")[0]
    # Of the package itself only names are taken; its version is in every key.
    return _unit_of(module) in {OURS, *ASIDE} if top == OURS else top in LIBRARIES_ASIDE


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
        return _named(DISTRIBUTIONS.get(top, top))
    except PackageNotFoundError:
        if find_spec(top) is None:
            return ""
    return ", ".join(map(_named, sorted(set(packages_distributions().get(top, ())))))


def _named(name: str) -> str:
    found = distribution(name)
    # Python would read the whole text of a page or two as a mail: 5 ms a library.
    line = re.search(r"^Version: *(.*)", found.read_text("METADATA") or "", re.MULTILINE)
    return f"{name} {line[1] if line else found.version}"
