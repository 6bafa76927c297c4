"""Which code and libraries decide what a part computes: worked out from the imports.

The code of a part is its module and all modules that one imports, at the top or inside a
function, and theirs in turn.  Names looked up in a registry are no imports: the modules of the
parts so named are asked for by themselves (:mod:`lexsub.experiments.pipeline.keys`).  A module
counts by what Python makes of it: comments, docstrings and layout do not.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lexsub import __version__
from lexsub.errors import FileProblemError, LexsubError
from lexsub.files import sha256, write_text
from lexsub.rooms import HERE, ROOMS, folder_of

NOTED = 4000
"""Texts whose notes are kept: ours, ten times over."""

BOUNDARY: Mapping[str, str] = {
    "lexsub": "names of the API; the version is an ingredient of every key by itself",
    "lexsub.errors": "texts of errors",
    "lexsub.addresses": "where files lie; the content of what is read there counts",
    "lexsub.fetching": "the same",
    "lexsub.progress": "progress bars",
    "lexsub.garbage": "when memory is collected",
    "lexsub.tables": "results as data frames and printed tables, made of what stages have written",
    "lexsub.contracts": "what is wrong with a part, said when it is registered",
    "lexsub.registry": "finds a part by name; the module of the part counts",
    "lexsub.candidates.registry": "says where parts stand; the module of the part counts",
    "lexsub.rankers.registry": "the same",
    "lexsub.boundary.registry": "the same",
    "lexsub.plugins": "loads the files of plugins; the modules of their parts count",
    "lexsub.rooms": "where our packages lie; their modules count",
    "lexsub.parallel": "which process does what; results come in the order of the work",
    "lexsub.protocols": "declares what parts offer and are given; computes nothing",
    "platformdirs": "where the user's folders are; the content of what is read there counts",
    "pydantic": "reads options, which stand in every key as they were read",
}
"""What decides no byte of any stage, and why: nothing of these, or behind them, is in a key.

``tests/test_keys.py`` holds the list to what it says.
"""

DISTRIBUTIONS: Mapping[str, tuple[str, ...]] = {
    "backports": ("backports.zstd",),
    "kenlm": ("kenlm", "kenlm-ex"),
    "sklearn": ("scikit-learn",),
}
"""Names under which modules are installed, where the two differ; the first found counts."""


@dataclass(frozen=True, slots=True)
class Code:
    """What decides the output of some modules.

    Attributes:
        modules: modules to digests of what Python makes of their text.
        libraries: names of other people's modules to the versions installed.
    """

    modules: Mapping[str, str]
    libraries: Mapping[str, str]

    def ingredients(self) -> dict[str, Any]:
        """Return plain JSON values for a key."""
        return {
            "lexsub": __version__,
            "python": ".".join(map(str, sys.version_info[:2])),
            "libraries": dict(sorted(self.libraries.items())),
            "modules": dict(sorted(self.modules.items())),
        }


@dataclass(frozen=True, slots=True)
class _Module:
    """What a module's text says.

    Attributes:
        digest: of its syntax tree, docstrings left out.
        imports: (module, name or "") of every import.
    """

    digest: str
    imports: tuple[tuple[str, str], ...]


@dataclass
class Sources:
    """The modules of our packages and of plugins, as they were when first asked for.

    Attributes:
        notes: file that keeps what was understood of texts; None for no such file.
        home: folder of our package.
    """

    notes: Path | None = None
    home: Path = HERE
    _texts: dict[str, tuple[bytes, bool]] = field(default_factory=dict)
    _understood: dict[str, _Module] = field(default_factory=dict)
    _noted: dict[str, _Module] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # All at once: what is edited while a run is under way has been imported already.
        self._take("lexsub", self.home)
        for room in ROOMS:
            self._take(f"lexsub.{room}", folder_of(room, self.home))
        self._noted = _read_notes(self.notes) if self.notes else {}

    def code(self, modules: Iterable[str]) -> Code:
        """Return the code of some modules and of all that they import.

        Raises:
            LexsubError: one of them is neither a module of ours nor one that was imported, or its
                text is not to be found.
        """
        waiting = sorted(set(modules))
        for name in waiting:
            self._take_imported(name)
        found: dict[str, str] = {}
        libraries: dict[str, str] = {}
        noted = len(self._noted)
        while waiting:
            name = waiting.pop()
            top = name.partition(".")[0]
            if name in found or top in libraries or _is_outside(name):
                continue
            if name in self._texts:
                module = self._module(name)
                found[name] = module.digest
                waiting += (self._target(*one) for one in module.imports)
                waiting += _above(name)
            elif top not in sys.stdlib_module_names and top != "lexsub":
                version = _installed(top)
                if version is None and self._take_beside(top):
                    waiting.append(name)
                else:
                    libraries[top] = version or "not installed"
        if self.notes and len(self._noted) > noted:
            _write_notes(self.notes, self._noted)
        return Code(found, libraries)

    def _take(self, name: str, place: Path) -> None:
        """Read the modules of a package's folder, or a module's file."""
        if place.is_file():
            self._texts[name] = place.read_bytes(), False
            return
        for path in sorted(place.rglob("*.py")):
            inner = path.relative_to(place).with_suffix("").parts
            is_package = path.name == "__init__.py"
            parts = [name, *(inner[:-1] if is_package else inner)]
            self._texts[".".join(parts)] = path.read_bytes(), is_package

    def _take_imported(self, name: str) -> None:
        """Read the package of a part's module that is no module of ours (a plugin's)."""
        top = name.partition(".")[0]
        if name in self._texts or _is_outside(name):
            return
        file = getattr(sys.modules.get(top), "__file__", None) or getattr(
            sys.modules.get(name), "__file__", None
        )
        if file is None:
            raise LexsubError(f"module {name}: its file is not to be found; expected a Python file")
        self._take(top, _place(Path(file)))
        if name not in self._texts:
            raise LexsubError(f"module {name}: is not below {_place(Path(file))}")

    def _take_beside(self, top: str) -> bool:
        """Read a module that no distribution has installed (one that lies beside a plugin)."""
        spec = find_spec(top)
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            return False
        self._take(top, _place(Path(spec.origin)))
        return True

    def _target(self, module: str, name: str) -> str:
        inner = f"{module}.{name}"
        return inner if inner in self._texts else module

    def _module(self, name: str) -> _Module:
        if name not in self._understood:
            text, is_package = self._texts[name]
            digest = sha256(f"{name} {is_package}\n".encode() + text)
            if digest not in self._noted:
                self._noted[digest] = _understand(name, text, is_package)
            self._understood[name] = self._noted[digest]
        return self._understood[name]


@cache
def sources(folder: Path) -> Sources:
    """Return the modules of this process, with notes in a cache folder."""
    return Sources(folder / "code.json")


def modules_below(room: str) -> list[str]:
    """Return all modules of a room (``"evaluation"``)."""
    place = folder_of(room)
    files = sorted(place.rglob("*.py"))
    parts = (("lexsub", room, *file.relative_to(place).with_suffix("").parts) for file in files)
    return [".".join(one[:-1] if one[-1] == "__init__" else one) for one in parts]


def _is_outside(name: str) -> bool:
    """Say whether a module is behind the boundary, or below a package that is."""
    return name in BOUNDARY or any(above in BOUNDARY for above in _above(name) if above != "lexsub")


def _place(file: Path) -> Path:
    return file.parent if file.name == "__init__.py" else file


def _above(name: str) -> list[str]:
    """Return the packages of a module, which Python imports before it."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]


def _understand(name: str, text: bytes, is_package: bool) -> _Module:
    tree = ast.parse(text, name)
    package = name if is_package else name.rpartition(".")[0]
    imports = dict.fromkeys(_imports(tree, package))
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            node.body = [one for one in body if not _is_text(one)]  # type: ignore[attr-defined]
    return _Module(sha256(ast.dump(tree).encode())[:32], tuple(imports))


def _is_text(node: ast.AST) -> bool:
    """Say whether a statement is a docstring, of a module, class, function or variable."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _imports(node: ast.AST, package: str) -> Iterator[tuple[str, str]]:
    """Yield (module, name or "") of all imports below a node but those for type checkers."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                for other in child.orelse:
                    yield from _imports(other, package)
            case ast.Import(names=names):
                yield from ((one.name, "") for one in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                above = package.split(".")[: package.count(".") + 2 - level] if level else []
                place = ".".join(filter(None, [*above, module]))
                yield from ((place, one.name) for one in names)
            case _:
                if isinstance(child, ast.Call):
                    yield from _by_name(child)
                yield from _imports(child, package)


def _by_name(call: ast.Call) -> Iterator[tuple[str, str]]:
    """Yield the module of ``import_module("…")``."""
    called = call.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    if name == "import_module" and call.args:
        match call.args[0]:
            case ast.Constant(value=str(module)):
                yield module, ""


@cache
def _installed(top: str) -> str | None:
    """Return the version of the distribution that a module belongs to, None for none."""
    for distribution in DISTRIBUTIONS.get(top, (top,)):
        try:
            return f"{distribution} {version(distribution)}"
        except PackageNotFoundError:
            continue
    if find_spec(top) is None:
        return None
    names = packages_distributions().get(top, ())
    return ", ".join(f"{one} {version(one)}" for one in sorted(set(names))) or None


def _read_notes(path: Path) -> dict[str, _Module]:
    """Read what was understood of texts; nothing where it is not as it was written, by us."""
    try:
        stamp, _, body = path.read_text("utf-8").partition("\n")
        if stamp != _stamp(body):
            return {}
        return {
            digest: _Module(tree, tuple((module, name) for module, name in imports))
            for digest, (tree, imports) in json.loads(body).items()
        }
    except (OSError, ValueError):
        return {}


def _write_notes(path: Path, noted: Mapping[str, _Module]) -> None:
    # Only the newest notes are kept: texts of earlier versions are not asked for again.
    recent = list(noted.items())[-NOTED:]
    body = json.dumps({digest: [one.digest, one.imports] for digest, one in recent})
    # A cache that cannot be written keeps no notes.
    with suppress(FileProblemError):
        write_text(path, f"{_stamp(body)}\n{body}")


@cache
def _rules() -> str:
    """Return what notes depend on beside the texts: Python, and how we read."""
    return f"{sys.version} {sha256(Path(__file__).read_bytes())}"


def _stamp(body: str) -> str:
    return sha256(f"{_rules()}\n{body}".encode())
