"""Candidates and rankings as JSON Lines, one item a line, in columns.

A ranking: ``{"id": "7", "lexelt": "bright.a", "substitutes": ["clever", "shiny"], "scores":
[2.5, 0.1], "sources": [["wordnet"], ["wordnet"]]}``, best first.  Candidates have
``origins`` in place of scores: per substitute a list of ``[source, rank, group, score]``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from lexsub.errors import FormatError
from lexsub.formats.semeval_lines import lines_of
from lexsub.rankings import Candidate, Origin, Ranking, make_ranked
from lexsub.storage.files import read_text, write_text

T = TypeVar("T")


def format_rankings(rankings: Iterable[Ranking]) -> str:
    """Return rankings as JSON Lines."""
    return "".join(
        json_line(
            {
                "id": ranking.id,
                "lexelt": ranking.lexelt,
                "substitutes": [entry.substitute for entry in ranking.ranked],
                "scores": [entry.score for entry in ranking.ranked],
                "sources": [entry.sources for entry in ranking.ranked],
            }
        )
        for ranking in rankings
    )


def write_rankings(path: Path, rankings: Iterable[Ranking]) -> None:
    """Write rankings, whole or not at all.

    Raises:
        FileProblemError: the disk refuses.
    """
    write_text(path, format_rankings(rankings))


def read_rankings(path: Path) -> list[Ranking]:
    """Read rankings.

    ``scores`` and ``sources`` may be missing; places then score 0, -1, -2 ….

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: a line that is not such an object, columns of different lengths, or an
            id that stands twice.
    """

    def ranking(row: dict[str, Any]) -> Ranking:
        # One string for all that are alike: to find one that is the very same takes half the time.
        substitutes = list(map(sys.intern, _strings(row["substitutes"])))
        scores = list(map(float, row.get("scores", range(0, -len(substitutes), -1))))
        sources = row.get("sources", [()] * len(substitutes))
        _strings(chain.from_iterable(sources))
        triples = zip(substitutes, scores, map(tuple, sources), strict=True)
        return Ranking(_string(row["id"]), _string(row["lexelt"]), tuple(map(make_ranked, triples)))

    expected = '{"id": …, "lexelt": …, "substitutes": […], "scores": […]}'
    rankings: dict[str, Ranking] = {}
    for number, entry in json_rows(path, ranking, expected):
        if entry.id in rankings:
            raise FormatError(path, number, f"id {entry.id} stands twice; expected one line an id")
        rankings[entry.id] = entry
    return list(rankings.values())


def write_candidates(path: Path, pools: Iterable[tuple[str, Iterable[Candidate]]]) -> None:
    """Write (item id, candidates) pairs, whole or not at all.

    Raises:
        FileProblemError: the disk refuses.
    """
    lines = []
    for item_id, pool in pools:
        candidates = tuple(pool)
        origins = [
            [[o.source, o.rank, o.group, o.score] for o in one.origins] for one in candidates
        ]
        names = [one.substitute for one in candidates]
        lines.append(json_line({"id": item_id, "substitutes": names, "origins": origins}))
    write_text(path, "".join(lines))


def read_candidates(path: Path) -> dict[str, tuple[Candidate, ...]]:
    """Read candidates by item id; items that follow each other with the same ones share them.

    The sentences of a target mostly do: shared, they take a tenth of the memory, and travel to
    other processes in a tenth of the time.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: a line that is not such an object.
    """
    latest: tuple[Any, tuple[Candidate, ...]] = (None, ())

    def pool(row: dict[str, Any]) -> tuple[str, tuple[Candidate, ...]]:
        nonlocal latest
        columns = [row["substitutes"], row["origins"]]
        if columns != latest[0]:
            pairs = zip(_strings(columns[0]), columns[1], strict=True)
            found = tuple(
                Candidate(name, tuple(Origin(*origin) for origin in origins))
                for name, origins in pairs
            )
            latest = (columns, found)
        return _string(row["id"]), latest[1]

    expected = '{"id": …, "substitutes": […], "origins": […]}'
    return dict(entry for _, entry in json_rows(path, pool, expected))


def json_line(row: dict[str, Any]) -> str:
    """Return an object as a line, as short as can be."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def json_rows(
    path: Path, make: Callable[[dict[str, Any]], T], expected: str
) -> Iterator[tuple[int, T]]:
    """Yield the number of each line that is not blank, and what is made of the object on it.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: a line that is no object, or not the expected one.
    """
    for number, line in enumerate(lines_of(read_text(path)), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise TypeError("not an object")
            entry = make(row)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            problem = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise FormatError(path, number, f"{problem}; expected {expected}") from error
        yield number, entry


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"found {value!r} in place of a string")
    return value


def _strings(values: Iterable[object]) -> list[str]:
    strings = list(values)
    if set(map(type, strings)) - {str}:  # together: rankings hold very many
        strings = list(map(_string, strings))
    return strings  # type: ignore[return-value]  # every one was checked
