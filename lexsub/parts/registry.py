"""A registry: parts of one kind by name, and a helpful look-up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from lexsub.errors import LexsubError, UnknownNameError
from lexsub.parts import plugins
from lexsub.parts.catalogue import CATALOGUE
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


def note_modules(modules: Iterable[str]) -> None:
    """Let whoever collects modules (:func:`looked_up`) know of some that are asked for."""
    if _watched:
        found = set(modules)
        for watched in _watched:
            watched |= found


class Registry(Mapping[str, T]):
    """Parts of one kind by name.

    Those of this tree stand in :data:`lexsub.parts.catalogue.CATALOGUE`; the module is imported
    when a name is looked up, and listing names imports nothing.  Parts of other packages and files
    (:mod:`lexsub.parts.plugins`) are registered by a decorator::

        @SOURCES.register("groups")
        @dataclass(frozen=True)
        class Groups: ...

    ``check`` says what is wrong with such a part before it is taken:
    :mod:`lexsub.parts.contracts`.
    """

    def __init__(self, kind: str, check: Check | None = None) -> None:
        self.kind = kind
        self.catalogue = CATALOGUE.get(kind, {})
        self.check = check
        self._parts: dict[str, T] = {}
        self._plugins: dict[str, str] = {}

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that files a part under ``name``.

        Raises:
            ValueError: the name is taken (a fault of the program, not of its user).
            LexsubError: the same, where a plugin takes a part in it; or the part lacks something.
        """

        def add(part: T) -> T:
            if self.check is not None and (fault := self.check(name, part)):
                source = f"plugin {being_loaded()}: " if being_loaded() else ""
                raise LexsubError(f"{source}{self.kind} {name!r}: {fault}")
            if name in self.catalogue or self._parts.get(name, part) is not part:
                plugin = being_loaded() or self._plugins.get(name)
                if plugin is not None:
                    raise LexsubError(
                        f"plugin {plugin}: there is another {self.kind} {name!r}; choose another "
                        "name"
                    )
                raise ValueError(f"{self.kind} {name!r} is registered twice")
            self._parts[name] = part
            if being_loaded():
                self._plugins[name] = str(being_loaded())
                plugins.note(self.kind, name)
            return part

        return add

    def __getitem__(self, name: str) -> T:
        if name not in self:
            raise UnknownNameError(self.kind, name, self)
        if name not in self._parts:
            module, _, place = self.catalogue[name].partition(":")
            self._parts[name] = getattr(import_module(f"lexsub.{module}"), place)
        part = self._parts[name]
        # An instance may be of a class from elsewhere.
        home = self.catalogue.get(name, "").partition(":")[0]
        note_modules([part.__module__, f"lexsub.{home}" if home else part.__module__])
        return part

    def __contains__(self, name: object) -> bool:
        if name in self.catalogue or name in self._parts:
            return True
        if isinstance(name, str):
            plugins.load_for(self.kind, name)
        return name in self._parts

    def name_of(self, part: type[Any]) -> str | None:
        """Return the name under which a class is registered, None where it is not."""
        place = f"{part.__module__}:{part.__qualname__}".removeprefix("lexsub.")
        known = {**self.catalogue, **self._parts}
        return next((name for name in sorted(known) if known[name] in (place, part)), None)

    def __iter__(self) -> Iterator[str]:
        plugins.load_installed()
        return iter(sorted({*self.catalogue, *self._parts}))

    def __len__(self) -> int:
        return len(list(iter(self)))
