"""System outputs that are text: lines of shared tasks, tables, JSON Lines, JSON.

``lexelt id SEPARATOR answer;answer`` with the separators ``::`` (best), ``:::`` (oot) and
``::::`` (the ranked lines of GermEval's GAP scorer); SemDis has ``::`` and blanks around its
semicolons.  The ``.oot`` and ``.best`` files of Melamud et al. are SemEval's.  A lexelt may hold
blanks here (CoInCo).

The ``.ranked`` files of Melamud et al. (2015, 2016) hold candidates with their scores:
``RANKED<TAB>lexelt id<TAB>substitute score<TAB>substitute score …``; older files begin with
``RESULT``.

Submissions to TSAR-2022 are sentence, word, answers from the best, tab-separated.  The format has
no ids: they are made of sentence and word (:mod:`lexsub.formats.simplification`), and to write it,
the data set's sentences are needed.

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
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NoReturn

from pydantic import BaseModel, ConfigDict, Field

from lexsub.datasets import Dataset
from lexsub.errors import LexsubError, Place, suggest
from lexsub.formats.jsonl import format_rankings
from lexsub.formats.outputs.common import Collector, number, short_enough, written
from lexsub.formats.semeval_lines import lines_of, placed_lines
from lexsub.formats.simplification import parse_instances
from lexsub.rankings import Ranking
from lexsub.storage.headers import parse_json_as

_SEPARATOR = re.compile(r" (:{2,4})(?: |$)")


def separator_of(text: str) -> str | None:
    """Return the separator of the first answer line, or None where there is no such line."""
    first = next((line for line in lines_of(text) if line.strip()), "")
    fields = _fields(first)
    return fields[2] if fields else None


def _fields(line: str) -> tuple[str, str, str, str] | None:
    """Return lexelt, id, separator and answers of a line; None if it is not of this format."""
    line = line.rstrip("\r")
    match = _SEPARATOR.search(line)
    if match is None:
        return None
    lexelt, _, item_id = line[: match.start()].strip(" ").rpartition(" ")
    if not lexelt.strip() or not item_id.strip():
        return None
    return lexelt.strip(), item_id, match[1], line[match.end() :]


def read_lines(text: str, path: Path, separator: str) -> list[Ranking]:
    """Read answer lines with one separator; a blank answer is an item without answers.

    Unlike the official scorer's reading, answers are trimmed and a repeated id is an error.

    Raises:
        FormatError: a line of another shape or with another separator, a repeated id, or
            no line at all.
    """
    collector = Collector(path)
    expected = f"'lexelt id {separator} answer;answer'"
    for at, line in placed_lines(text, path):
        fields = _fields(line)
        if fields is None or fields[2] != separator:
            raise at.fault(f"{line[:60]!r}; expected {expected}")
        lexelt, item_id, _, answers = fields
        collector.add(at, item_id, lexelt, answers.split(";"))
    return collector.rankings(expected)


def format_lines(
    rankings: Iterable[Ranking], separator: str, top: int | None, glue: str = ";"
) -> str:
    """Return answer lines, the first ``top`` answers of each item (all where None).

    Raises:
        LexsubError: what the lines cannot say; see :func:`written`.
    """
    text = ""
    for ranking, entries in written(rankings, top, ";\n\r", lines=True, scored=False):
        answers = glue.join(entry.substitute for entry in entries)
        text += short_enough(f"{ranking.lexelt} {ranking.id} {separator} {answers}") + "\n"
    return text


HEADS = ("RANKED", "RESULT")
_EXPECTED_RANKED = "'RANKED<TAB>lexelt id<TAB>substitute score<TAB>…'"


def read_ranked(text: str, path: Path) -> list[Ranking]:
    """Read a ``.ranked`` file.

    Raises:
        FormatError: a line of another shape, a score that is no number, a repeated id, or
            no line at all.
    """
    collector = Collector(path)
    for at, line in placed_lines(text, path):
        head, *fields = line.rstrip("\r").split("\t")
        lexelt, _, item_id = (fields[0].strip() if fields else "").rpartition(" ")
        pairs = [field.strip().rpartition(" ") for field in fields[1:] if field.strip()]
        if head not in HEADS or not lexelt or not all(name for name, _, _ in pairs):
            raise at.fault(f"{line[:60]!r}; expected {_EXPECTED_RANKED}")
        scores = [number(score, at) for _, _, score in pairs]
        collector.add(at, item_id, lexelt, [name for name, _, _ in pairs], scores)
    return collector.rankings(_EXPECTED_RANKED)


def format_ranked(rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return a ``.ranked`` file; scores in full, so that they read back as they were.

    Raises:
        LexsubError: what the lines cannot say; see :func:`written`.
    """
    lines = []
    for ranking, entries in written(rankings, top, "\t\n\r", lines=True):
        pairs = [f"{entry.substitute} {float(entry.score)!r}" for entry in entries]
        line = "\t".join([HEADS[0], f"{ranking.lexelt} {ranking.id}", *pairs])
        lines.append(short_enough(line) + "\n")
    return "".join(lines)


def read_tsar(text: str, path: Path) -> list[Ranking]:
    """Read a submission; a line without answers is an item without, which counts as one.

    Raises:
        FormatError: a line without a word, or a blank answer between two others.
    """
    collector = Collector(path)
    for one in parse_instances(text, path):
        collector.add(Place(path, one.line), one.id, "", one.answers)
    return collector.rankings("sentence<TAB>word<TAB>answers")


def refuse(*_: object) -> NoReturn:
    """Say that sentences are wanted.

    Raises:
        LexsubError: always.
    """
    raise LexsubError(
        "the format has sentences in it: name the data set that was answered with --gold"
    )


def format_tsar(data: Dataset, rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return a line for each item of a data set, answered or not: the task's script counts lines.

    Raises:
        LexsubError: an answer, sentence or word that a line cannot hold.
    """
    entries = {ranking.id: kept for ranking, kept in written(rankings, top, "\t\n\r", scored=False)}
    lines = []
    for item in data.items:
        known = data.gold.items.get(item.id)
        word = (known and known.target) or item.target
        cells = [item.text, word, *(entry.substitute for entry in entries.get(item.id, ()))]
        if any(sign in item.text for sign in "\t\n\r"):
            raise LexsubError(f"the sentence of item {item.id} holds a tab or line end")
        lines.append(short_enough("\t".join(cells)) + "\n")
    return "".join(lines)


COLUMNS = ("id", "lexelt", "substitute", "score", "rank")
_EXPECTED_TSV = "lines 'id<TAB>substitute<TAB>score'"


class _TsvRow(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True, defer_build=True)

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
    for at, line in placed_lines(text, path):
        fields = line.rstrip("\r").split("\t")
        if columns is None:
            columns = _columns(fields, at)
            if fields == columns:
                continue
        if len(fields) != len(columns):
            expected = f"{len(columns)}: {', '.join(columns)}"
            raise at.fault(f"{len(fields)} columns; expected {expected}")
        row = dict(zip(columns, fields, strict=True))
        pairs = answers.setdefault(row["id"], [])
        score = 0.0 - len(pairs)
        if "score" in row:
            score = number(row["score"], at)
        elif "rank" in row:
            score = 0.0 - number(row["rank"], at)
        pairs.append((row["substitute"], score))
        lexelt = row.get("lexelt", "")
        if lexelts.setdefault(row["id"], lexelt) != lexelt:
            before = f"{lexelt!r} here and {lexelts[row['id']]!r} before"
            raise at.fault(f"id {row['id']} has lexelt {before}")
    collector = Collector(path)
    for item_id, pairs in answers.items():
        names, scores = zip(*pairs, strict=True)
        collector.add(Place(path), item_id, lexelts[item_id], names, scores)
    return collector.rankings(_EXPECTED_TSV)


def _columns(fields: list[str], at: Place) -> list[str]:
    if "id" in fields or "substitute" in fields:
        for name in fields:
            if name not in COLUMNS:
                raise at.fault(f"unknown column {name!r}{suggest(name, COLUMNS)}")
        if not {"id", "substitute"} <= set(fields) or len(set(fields)) < len(fields):
            raise at.fault(f"columns {', '.join(fields)}; expected id and substitute, each once")
        return fields
    if len(fields) not in (2, 3):
        raise at.fault(
            f"{len(fields)} columns and no header; expected {_EXPECTED_TSV}, or a header naming "
            f"some of {', '.join(COLUMNS)}"
        )
    return ["id", "substitute", "score"][: len(fields)]


def format_tsv(rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return a table with the columns id, lexelt, substitute and score.

    Raises:
        LexsubError: what the table cannot say; see :func:`written`.
    """
    rows = ["\t".join(COLUMNS[:4]) + "\n"]
    for ranking, entries in written(rankings, top, "\t\n\r"):
        for entry in entries:
            row = ranking.id, ranking.lexelt, entry.substitute, repr(float(entry.score))
            rows.append(short_enough("\t".join(row)) + "\n")
    return "".join(rows)


def read_jsonl(text: str, path: Path) -> list[Ranking]:
    """Read JSON Lines.

    Raises:
        FormatError: a line that is no such object, scores of another number than the
            substitutes, a repeated id, or no line at all.
    """
    collector = Collector(path)
    for at, line in placed_lines(text, path):
        row = parse_json_as(_TsvRow, line, *at)
        if row.scores is not None and len(row.scores) != len(row.substitutes):
            found = f"{len(row.substitutes)} substitutes and {len(row.scores)} scores"
            raise at.fault(f"{found}; expected as many of either")
        collector.add(at, row.id, row.lexelt, row.substitutes, row.scores)
    return collector.rankings('{"id": "7", "substitutes": ["clever"], "scores": [2.5]}')


def format_jsonl(rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return JSON Lines as lexsub's own runs write them.

    Raises:
        LexsubError: what the format cannot say; see :func:`written`.
    """
    rows = [replace(ranking, ranked=entries) for ranking, entries in written(rankings, top)]
    return "".join(short_enough(format_rankings([row]).removesuffix("\n")) + "\n" for row in rows)


class _Result(BaseModel):
    model_config = ConfigDict(defer_build=True)

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
        names, scores = [name for name, _ in pairs], [score for _, score in pairs]
        collector.add(Place(path), target, "", names, scores)
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
