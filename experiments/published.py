"""Published figures, read from one data file that names its sources."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lexsub.errors import LexsubError, UnknownNameError


@dataclass(frozen=True, slots=True)
class PublishedSystem:
    """A row of a published table.

    Attributes:
        name: the system's name in the paper.
        source: paper and tables.
        data: the data set it was scored on.
        figures: task to percentages, in the columns' order of that task's table.
    """

    name: str
    source: str
    data: str
    figures: Mapping[str, tuple[float, ...]]


def published_system(name: str) -> PublishedSystem:
    """Return a published row by ``paper/system``.

    Raises:
        UnknownNameError: no such paper, or no such system in it.
        LexsubError: the name has no slash.
    """
    papers = _papers()
    paper, slash, system = name.partition("/")
    if not slash:
        raise LexsubError(f"{name!r}; expected 'paper/system', as mccarthy-navigli-2007/WordNet")
    if paper not in papers:
        raise UnknownNameError("paper", paper, papers)
    systems: dict[str, dict[str, list[float]]] = papers[paper]["systems"]
    if system not in systems:
        raise UnknownNameError(f"system of {paper}", system, systems)
    figures = {task: tuple(values) for task, values in systems[system].items()}
    return PublishedSystem(system, papers[paper]["source"], papers[paper]["data"], figures)


@cache
def _papers() -> dict[str, Any]:
    with (Path(__file__).parent / "published.toml").open("rb") as file:
        return tomllib.load(file)
