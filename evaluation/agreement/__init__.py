"""How far annotators, judges and golds agree: each kind of input gives a report of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from lexsub.tables import Table, Tabular


class Report(Tabular):
    """Any of the reports: all its figures, one a row, by the path that leads to each."""

    __slots__ = ()

    def records(self) -> list[dict[str, Any]]:
        """Return a row a figure: its path, as ``everyone.pairwise.value``, and the number."""
        return [{"figure": path, "value": value} for path, value in _numbers(self)]

    def view(self) -> Table:
        """Return the figures."""
        cells = [[row["figure"], f"{row['value']:.4g}"] for row in self.records()]
        return Table(f"{len(cells)} figures of agreement", ["figure", "value"], cells)


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number inside a report with its path."""
    entries: Iterable[tuple[object, Any]] = ()
    if isinstance(value, int | float):
        yield path, value
    elif is_dataclass(value):
        entries = ((one.name, getattr(value, one.name)) for one in fields(value))
    elif isinstance(value, Mapping):
        entries = value.items()
    elif isinstance(value, list | tuple):
        entries = enumerate(value)
    for key, entry in entries:
        name = " | ".join(map(str, key)) if isinstance(key, tuple) else str(key)
        yield from _numbers(entry, f"{path}.{name}".removeprefix("."))
