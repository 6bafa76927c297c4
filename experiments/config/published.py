"""Published figures, read from one data file that names its sources."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lexsub.errors import LexsubError, look_up


def published_figures(name: str) -> dict[str, tuple[float, ...]]:
    """Return a published row by ``paper/system``: percentages by task, as its columns stand.

    Raises:
        UnknownNameError: no such paper, or no such system in it.
        LexsubError: the name has no slash.
    """
    paper, slash, system = name.partition("/")
    if not slash:
        raise LexsubError(f"{name!r}; expected 'paper/system', as mccarthy-navigli-2007/WordNet")
    systems = look_up("paper", paper, _papers()).get("systems", {})
    figures: dict[str, list[float]] = look_up(f"system of {paper}", system, systems)
    return {task: tuple(values) for task, values in figures.items()}


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A published table.

    Attributes:
        name: ``paper/table``.
        title: what it shows.
        source: the paper.
        data: the data it was computed on.
        columns: headers of the figures.
        digits: decimals of each column, as printed.
        rows: row name to figures.
        needs: what a reproduction takes that is not to be had; "" for nothing.
    """

    name: str
    title: str
    source: str
    data: str
    columns: tuple[str, ...]
    digits: tuple[int, ...]
    rows: Mapping[str, tuple[float, ...]]
    needs: str = ""


def published_tables() -> dict[str, PublishedTable]:
    """Return all published tables by ``paper/table``, in the data file's order."""
    return {
        f"{paper}/{name}": _table(f"{paper}/{name}", entry, table)
        for paper, entry in _papers().items()
        for name, table in entry.get("tables", {}).items()
    }


def _table(name: str, paper: Mapping[str, Any], table: Mapping[str, Any]) -> PublishedTable:
    digits = table["digits"]
    columns = tuple(table["columns"])
    return PublishedTable(
        name,
        table["title"],
        paper["source"],
        paper["data"],
        columns,
        tuple(digits) if isinstance(digits, list) else (digits,) * len(columns),
        {label: tuple(map(float, figures)) for label, *figures in table["rows"]},
        table.get("needs", ""),
    )


@cache
def _papers() -> dict[str, Any]:
    with (Path(__file__).parent / "published.toml").open("rb") as file:
        return tomllib.load(file)
