"""Plain rankings, and those of SWORDS: tab-separated tables, JSON Lines, JSON.

TSV: one substitute a line, with a header naming at least ``id`` and ``substitute``, and
perhaps ``lexelt``, ``score`` or ``rank``; without a header the columns are id, substitute
and, where there are three, score.  Scores order an item's substitutes (falling), else
ranks (rising), else the file's order.

JSON Lines: one item a line, ``{"id": "7", "lexelt": "bright.a", "substitutes": ["clever"],
"scores": [2.5]}`` (lexelt and scores may be missing), which is the shape of lexsub's own
rankings.

SWORDS: ``{"substitutes_lemmatized": …, "substitutes": {target: …}}``; each target has a list of
``[substitute, score]`` pairs, or of substitutes alone, whose places then score 0, -1, -2 … .
Targets have no lexelt in this format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from lexsub.errors import FormatError, suggest
from lexsub.formats.jsonl import format_rankings
from lexsub.formats.outputs.common import Collector, number, short_enough, written
from lexsub.formats.semeval_lines import numbered_lines
from lexsub.rankings import Ranking
from lexsub.storage.headers import parse_json_as

COLUMNS = ("id", "lexelt", "substitute", "score", "rank")
_EXPECTED_TSV = "lines 'id<TAB>substitute<TAB>score'"


class _Row(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True)

    id: str
    lexelt: str = ""
    substitutes: list[str]
    scores: list[float] | None = None


def read_tsv(text: str, path: Path) -> list[Ranking]:
    """Read a table of rankings.

    Raises:
        FormatError: an unknown or missing column, a line with another number of columns, a
            score or rank that is no number, or no line at all.
    """
    columns: list[str] | None = None
    lexelts: dict[str, str] = {}
    answers: dict[str, list[tuple[str, float]]] = {}
    for line_number, line in numbered_lines(text, path):
        fields = line.rstrip("\r").split("\t")
        if columns is None:
            columns = _columns(fields, path, line_number)
            if fields == columns:
                continue
        if len(fields) != len(columns):
            raise FormatError(
                path,
                line_number,
                f"{len(fields)} columns; expected {len(columns)}: {', '.join(columns)}",
            )
        row = dict(zip(columns, fields, strict=True))
        pairs = answers.setdefault(row["id"], [])
        score = 0.0 - len(pairs)
        if "score" in row:
            score = number(row["score"], path, line_number)
        elif "rank" in row:
            score = 0.0 - number(row["rank"], path, line_number)
        pairs.append((row["substitute"], score))
        lexelt = row.get("lexelt", "")
        if lexelts.setdefault(row["id"], lexelt) != lexelt:
            raise FormatError(
                path,
                line_number,
                f"id {row['id']} has lexelt {lexelt!r} here and {lexelts[row['id']]!r} before",
            )
    collector = Collector(path)
    for item_id, pairs in answers.items():
        names, scores = zip(*pairs, strict=True)
        collector.add(0, item_id, lexelts[item_id], names, scores)
    return collector.rankings(_EXPECTED_TSV)


def _columns(fields: list[str], path: Path, line: int) -> list[str]:
    if "id" in fields or "substitute" in fields:
        for name in fields:
            if name not in COLUMNS:
                raise FormatError(path, line, f"unknown column {name!r}{suggest(name, COLUMNS)}")
        if not {"id", "substitute"} <= set(fields) or len(set(fields)) < len(fields):
            raise FormatError(
                path, line, f"columns {', '.join(fields)}; expected id and substitute, each once"
            )
        return fields
    if len(fields) not in (2, 3):
        raise FormatError(
            path,
            line,
            f"{len(fields)} columns and no header; expected {_EXPECTED_TSV}, or a header naming "
            f"some of {', '.join(COLUMNS)}",
        )
    return ["id", "substitute", "score"][: len(fields)]


def format_tsv(rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return a table with the columns id, lexelt, substitute and score.

    Raises:
        LexsubError: what the table cannot say; see :func:`written`.
    """
    rows = ["\t".join(COLUMNS[:4]) + "\n"]
    for ranking, entries in written(rankings, top, "\t\n\r"):
        rows += [
            short_enough(
                f"{ranking.id}\t{ranking.lexelt}\t{entry.substitute}\t{float(entry.score)!r}"
            )
            + "\n"
            for entry in entries
        ]
    return "".join(rows)


def read_jsonl(text: str, path: Path) -> list[Ranking]:
    """Read JSON Lines.

    Raises:
        FormatError: a line that is no such object, scores of another number than the
            substitutes, a repeated id, or no line at all.
    """
    collector = Collector(path)
    for line_number, line in numbered_lines(text, path):
        row = parse_json_as(_Row, line, path, line_number)
        if row.scores is not None and len(row.scores) != len(row.substitutes):
            raise FormatError(
                path,
                line_number,
                f"{len(row.substitutes)} substitutes and {len(row.scores)} scores; expected as "
                "many of either",
            )
        collector.add(line_number, row.id, row.lexelt, row.substitutes, row.scores)
    return collector.rankings('{"id": "7", "substitutes": ["clever"], "scores": [2.5]}')


def format_jsonl(rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return JSON Lines as lexsub's own runs write them.

    Raises:
        LexsubError: what the format cannot say; see :func:`written`.
    """
    rows = [replace(ranking, ranked=entries) for ranking, entries in written(rankings, top)]
    return "".join(short_enough(format_rankings([row]).removesuffix("\n")) + "\n" for row in rows)


class _Result(BaseModel):
    substitutes_lemmatized: bool
    substitutes: Annotated[dict[str, list[str | tuple[str, float]]], Field(min_length=1)]


def read_swords_result(text: str, path: Path) -> list[Ranking]:
    """Read a result file; the order is that of falling scores, ties as in the file.

    Raises:
        FormatError: not JSON, or another shape.
    """
    result = parse_json_as(_Result, text, path)
    collector = Collector(path)
    for target, entries in result.substitutes.items():
        pairs = [
            (entry, 0.0 - place) if isinstance(entry, str) else entry
            for place, entry in enumerate(entries)
        ]
        collector.add(0, target, "", [name for name, _ in pairs], [score for _, score in pairs])
    return collector.rankings('{"substitutes": {"target": [["substitute", 1.5]]}}')


def format_swords_result(rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return a result file, said to be lemmatised, as our candidates are.

    (SWORDS's own scorer lemmatises what it reads in either case.)

    Raises:
        LexsubError: what the format cannot say; see :func:`written`.
    """
    substitutes = {
        ranking.id: [[entry.substitute, entry.score] for entry in entries]
        for ranking, entries in written(rankings, top)
    }
    result = {"substitutes_lemmatized": True, "substitutes": substitutes}
    return json.dumps(result, ensure_ascii=False) + "\n"
