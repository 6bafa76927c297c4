"""Where each candidate of a ranking comes from and what its score is made of, as JSON Lines.

One item a line, in columns beside those of its ranking: ``{"id": "7", "origins": [["wordnet:
synonym"], …], "parts": {"lm": [-2.1, …]}}``.  A part that is no number is null; parts are given
of the first 30 candidates, which is as many as a report shows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexsub.formats.jsonl import json_line, json_rows
from lexsub.rankings import Candidate, Ranking, ScoreParts
from lexsub.storage.files import write_text

EXPLAINED = 30
"""Candidates of a ranking whose score parts are kept."""


@dataclass(frozen=True, slots=True)
class Details:
    """The details of one item's ranking.

    Attributes:
        id: the item.
        origins: for each candidate, best first, the sources that proposed it, each with the
            relation or measure by which it did.
        parts: named values that the score is made of, each in the order of the ranking, for
            the first ``EXPLAINED`` candidates.
    """

    id: str
    origins: tuple[tuple[str, ...], ...]
    parts: Mapping[str, tuple[float | None, ...]]


def details_of(ranking: Ranking, pool: Sequence[Candidate], values: ScoreParts) -> Details:
    """Return the details of an item's ranking.

    Args:
        ranking: the ranking.
        pool: the candidates that were ranked.
        values: what their scores are made of, in their own order.
    """
    places = {candidate.substitute: place for place, candidate in enumerate(pool)}
    order = [places[entry.substitute] for entry in ranking.ranked]
    shown = order[:EXPLAINED]
    return Details(
        ranking.id,
        tuple(_origins(pool[place]) for place in order),
        {name: tuple(_number(column[i]) for i in shown) for name, column in values.items()},
    )


def _origins(candidate: Candidate) -> tuple[str, ...]:
    names = (f"{o.source}: {o.group}" if o.group else o.source for o in candidate.origins)
    return tuple(dict.fromkeys(names))


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def write_details(path: Path, details: Iterable[Details]) -> None:
    """Write details, whole or not at all.

    Raises:
        FileProblemError: the disk refuses.
    """
    rows = ({"id": one.id, "origins": one.origins, "parts": one.parts} for one in details)
    write_text(path, "".join(map(json_line, rows)))


def read_details(path: Path) -> dict[str, Details]:
    """Read details by item id.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: a line that is no such object.
    """
    found = json_rows(path, _read, '{"id": …, "origins": […], "parts": …}')
    return {one.id: one for _, one in found}


def _read(row: dict[str, Any]) -> Details:
    return Details(
        str(row["id"]),
        tuple(tuple(map(str, origins)) for origins in row["origins"]),
        {
            str(name): tuple(None if value is None else float(value) for value in column)
            for name, column in row["parts"].items()
        },
    )
