"""A registry: names, the modules that hold their parts, and a helpful look-up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from lexsub.errors import LexsubError, UnknownNameError
from lexsub.parts import plugins
from lexsub.parts.plugins import being_loaded

if TYPE_CHECKING:
    from lexsub.parts.contracts import Check

T = TypeVar("T")

_watched: list[set[str]] = []


@contextmanager
def looked_up() -> Iterator[set[str]]:
    """Collect the modules of all parts that are looked up while the block runs.

    So a part's own parts are known (the sources of a union, the frequency list of a ranker): they
    are looked up when it is made and when it is asked for its inputs.
    """
    modules: set[str] = set()
    _watched.append(modules)
    try:
        yield modules
    finally:
        _watched.pop()


class Registry(Mapping[str, T]):
    """Parts of one kind by name.

    A part of this tree is a file with a decorator::

        @SOURCES.register("wordnet")
        @dataclass(frozen=True)
        class WordNet: ...

    and a line in the registry's table, ``"lexsub.candidates.wordnet": "wordnet"``: the module and
    the names it registers, blanks between them.  The module is imported when a name of its line is
    looked up; listing names imports nothing.  Parts of other packages and files need no line
    (:mod:`lexsub.parts.plugins`).  ``check`` says what is wrong with a part before it is taken:
    :mod:`lexsub.parts.contracts`.
    """

    def __init__(self, kind: str, table: Mapping[str, str], check: Check | None = None) -> None:
        self.kind = kind
        self.modules = {name: module for module in table for name in table[module].split()}
        self._check = check
        self._parts: dict[str, T] = {}
        self._plugins: dict[str, str] = {}

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
            if being_loaded() and name in self.modules:
                import_module(self.modules[name])  # a name of ours is taken
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
                plugins.note(self.kind, name)
            return part

        return add

    def __getitem__(self, name: str) -> T:
        if name not in self:
            raise UnknownNameError(self.kind, name, self)
        if name not in self._parts:
            import_module(self.modules[name])
        part = self._parts[name]
        for modules in _watched:
            # An instance may be of a class from elsewhere.
            modules |= {part.__module__, self.modules.get(name, part.__module__)}
        return part

    def __contains__(self, name: object) -> bool:
        if name in self.modules or name in self._parts:
            return True
        if isinstance(name, str):
            plugins.load_for(self.kind, name)
        return name in self._parts

    def name_of(self, part: object) -> str | None:
        """Return the name under which a part is registered, None where it is not."""
        # Whoever has the part has imported the module that registers it.
        return next((name for name, one in sorted(self._parts.items()) if one is part), None)

    def __iter__(self) -> Iterator[str]:
        plugins.load_installed()
        return iter(sorted({*self.modules, *self._parts}))

    def __len__(self) -> int:
        return len(list(iter(self)))
