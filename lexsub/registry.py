"""A registry: a plain dict from names to parts, with a helpful look-up."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from lexsub.errors import LexsubError, UnknownNameError
from lexsub.plugins import being_loaded, load_installed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lexsub.contracts import Check

T = TypeVar("T")


class Registry(Generic[T]):
    """Parts of one kind by name.

    Adding a part is one decorator::

        @SOURCES.register("wordnet")
        @dataclass(frozen=True)
        class WordNet: ...

    The modules of ``packages`` are imported when a name is looked up, so a new file with that
    one line is found without being listed anywhere: those alone in which the line stands, or
    all where it stands in none, or all names are wanted.  They import what is heavy only where
    they use it.  Parts of other packages and files: :mod:`lexsub.plugins`.
    ``check`` says what is wrong with a part before it is taken: :mod:`lexsub.contracts`.
    """

    def __init__(self, kind: str, *packages: str, check: Check | None = None) -> None:
        self.kind = kind
        self._check = check
        self._packages: tuple[str, ...] = packages
        self._parts: dict[str, T] = {}
        self._plugins: dict[str, str] = {}
        self._sought: set[object] = set()

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that files a part under ``name``.

        Raises:
            ValueError: the name is taken (a fault of the program, not of its user).
            LexsubError: the same, where a plugin takes a part in it; or the part lacks something.
        """

        def add(part: T) -> T:
            if self._check is not None and (fault := self._check(name, part)):
                source = f"plugin {being_loaded()}: " if being_loaded() else ""
                raise LexsubError(f"{source}{self.kind} {name!r}: {fault}")
            if being_loaded():
                self._seek(name)  # is it one of ours?
            if self._parts.setdefault(name, part) is not part:
                plugin = being_loaded() or self._plugins.get(name)
                if plugin is not None:
                    raise LexsubError(
                        f"plugin {plugin}: there is another {self.kind} {name!r}; choose another "
                        "name"
                    )
                raise ValueError(f"{self.kind} {name!r} is registered twice")
            if being_loaded():
                self._plugins[name] = str(being_loaded())
            return part

        return add

    def __getitem__(self, name: str) -> T:
        if not self.announces(name):
            self._discover()
        try:
            return self._parts[name]
        except KeyError:
            raise UnknownNameError(self.kind, name, self._parts) from None

    def __contains__(self, name: object) -> bool:
        if self.announces(name):
            return True
        self._discover()
        return name in self._parts

    def announces(self, name: object) -> bool:
        """Return whether a module says that it registers a part of this name.

        A quick look, which imports that module alone; a name may be registered in another way.
        """
        self._seek(name)
        # Behind our own parts, so that a plugin hears if it takes a name of theirs.
        load_installed()
        return name in self._parts

    def _seek(self, name: object) -> None:
        if name in self._sought:
            return
        self._sought.add(name)
        line = f'register("{name}")'
        for package in self._packages:
            for module, text in _sources(package):
                if line in text:
                    import_module(module)

    def name_of(self, part: object) -> str | None:
        """Return the name under which a part is registered, None where it is not."""
        # Whoever has the part has imported the module that registers it.
        return next((name for name, one in sorted(self._parts.items()) if one is part), None)

    def __iter__(self) -> Iterator[str]:
        self._discover()
        return iter(sorted(self._parts))

    def __len__(self) -> int:
        self._discover()
        return len(self._parts)

    def _discover(self) -> None:
        packages, self._packages = self._packages, ()
        for package in packages:
            self._import_all(package)
        load_installed()

    @staticmethod
    def _import_all(package: str) -> None:
        root = import_module(package)
        for module in pkgutil.walk_packages(root.__path__, f"{package}."):
            import_module(module.name)


@cache
def _sources(package: str) -> tuple[tuple[str, str], ...]:
    """Return the modules of a package with their texts; none where it is not a folder."""
    return tuple(
        (
            ".".join([package, *path.relative_to(root).with_suffix("").parts]),
            path.read_text("utf-8"),
        )
        for root in map(Path, import_module(package).__path__)
        for path in sorted(root.rglob("*.py"))
        if path.name != "__init__.py"
    )
