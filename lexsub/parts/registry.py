"""A registry: parts of one kind by name, and a helpful look-up.

What is wrong with a part is found when it is registered, so that its author learns it at once: one
that lacks a method would otherwise fail late, behind hours of work, and with a stack trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar

from lexsub.errors import LexsubError, UnknownNameError
from lexsub.parts import plugins
from lexsub.parts.catalogue import CATALOGUE
from lexsub.parts.plugins import being_loaded

T = TypeVar("T")

_watched: list[set[str]] = []


@contextmanager
def collected_modules() -> Iterator[set[str]]:
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
    """Let whoever collects modules (:func:`collected_modules`) know of some that are asked for."""
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

    ``check`` says what is wrong with such a part before it is taken (:func:`follows`).
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


Check = Callable[[str, Any], str]
"""(registered name, part) → what is wrong with it, "" for nothing."""


def follows(kind: type[Any], page: str) -> Check:
    """Return the check that a part is a dataclass of a kind, with all that the kind asks for.

    Args:
        kind: the base class, as :class:`lexsub.parts.base.Ranker`; its ``needs_…`` without value
            are said by every part.
        page: where it is described, for the message.
    """

    def check(_: str, part: Any) -> str:
        if fault := no_dataclass(part):
            return f"{fault} (see {page})"
        if not issubclass(part, kind):
            return (
                f"{part.__name__} is no {kind.__name__}; write class "
                f"{part.__name__}({kind.__name__}) (see {page})"
            )
        said = [one for one in vars(kind).get("__annotations__", ()) if one.startswith("needs_")]
        missing = [one for one in said if not hasattr(part, one)]
        missing += sorted(getattr(part, "__abstractmethods__", ()))
        if missing:
            return f"{part.__name__} has no {' and no '.join(missing)} (see {page})"
        return ""

    return check


def no_dataclass(part: Any) -> str:
    """Say that a part is no dataclass of its own; return "" where it is one."""
    if not isinstance(part, type):
        return f"{part!r} is no class; expected a frozen dataclass"
    # One that is only inherited does not know the fields of the class itself.
    if "__dataclass_fields__" not in vars(part):
        return (
            f"{part.__name__} is no dataclass; write @dataclass(frozen=True) between the line that "
            "registers it and the class"
        )
    return ""
