"""Data of the user's own: sentences, targets and what people gave, as JSON Lines, CSV or TSV.

A row is an item.  Its columns (keys of a JSON object) are

* ``sentence``: the text; its target stands in stars, or is given by ``start`` and ``end``
  (offsets of its first character and of the one behind its last), or by ``target``, a word
  that stands once in the sentence;
* ``pos``: n, v, a or r;
* ``lemma``: of the target; where the column is missing, WordNet's base form of the target;
* ``id``: without blanks; where the column is missing, the number of the row;
* ``substitutes``: answers with how many people gave each, ``clever 3; intelligent 2``, or in
  JSON an object of counts or a list of answers, each counted as often as it stands.  Empty:
  the item has no gold.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lexsub.datasets import PARTS_OF_SPEECH
from lexsub.errors import FormatError, LexsubError, Place, one_line, suggest
from lexsub.marked_sentences import Marked, mark, parse_marked

SUFFIXES = (".jsonl", ".csv", ".tsv")
"""Names that end so are files of the user's own, wherever a data set's name may stand."""

COLUMNS = ("id", "sentence", "target", "start", "end", "lemma", "pos", "substitutes")

MEANT = {
    other: column
    for column, others in {
        "sentence": "text context",
        "target": "word token complex_word",
        "start": "begin offset",
        "lemma": "lexelt",
        "substitutes": "substitute substitutions synonyms answers gold",
        "pos": "part_of_speech upos",
    }.items()
    for other in others.split()
}
"""What others call the columns."""

_STARRED = re.compile(r"(?<![\\\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])")

_NOT = re.compile(r"n['’]t(?!\w)|not(?!\w)", re.IGNORECASE)

_COUNTED = re.compile(r"(.*\S)\s+([0-9]{1,9}(?:\.[0-9]{1,9})?)")


@dataclass(frozen=True, slots=True)
class OwnRow:
    """One row, checked.

    Attributes:
        line: where it stands, from 1.
        id: the item's.
        marked: the sentence with its target and part of speech.
        lemma: as given; "" where it was not.
        weights: substitute to count; empty where the row has none.
    """

    line: int
    id: str
    marked: Marked
    lemma: str
    weights: Mapping[str, float]


Refuse = Callable[[FormatError], None]


def at_once(error: FormatError) -> None:
    """Refuse a file for its first row that is not as expected.

    Raises:
        FormatError: always.
    """
    raise error


def parse_own_data(text: str, path: Path, refuse: Refuse = at_once) -> list[OwnRow]:
    """Read the rows of a file by its suffix.

    Args:
        text: the file's.
        path: its name.
        refuse: is given what is wrong with a row; where it returns, the row is left out.

    Raises:
        FormatError: an unknown column, no sentence, target, part of speech or answer where one
            is expected, an id that stands twice, or no row at all; names the line.
    """
    rows: list[OwnRow] = []
    seen: dict[str, int] = {}
    number = 0

    def refuse_row(error: FormatError) -> None:
        nonlocal number
        number += 1
        refuse(error)

    for line, cells in table_rows(text, path, _check_columns, refuse_row):
        number += 1
        try:
            row = _row(line, cells, number)
        except LexsubError as error:
            refuse(FormatError(path, line, str(error)))
            continue
        if row.id in seen:
            twice = f"id {row.id} stands twice (first on line {seen[row.id]})"
            refuse(FormatError(path, line, twice))
            continue
        seen[row.id] = line
        rows.append(row)
    if not number:
        refuse(FormatError(path, None, "holds no row; expected one an item"))
    return rows


Check = Callable[[list[str], Place], None]


def table_rows(
    text: str, path: Path, check: Check | None = None, refuse: Refuse = at_once
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the rows of JSON Lines, CSV or TSV by a file's suffix, each with its line.

    Args:
        text: the file's.
        path: its name.
        check: is shown the names of the columns, and where they stand.
        refuse: as for :func:`parse_own_data`, of rows that cannot be read; a heading or a file that
            is not as expected is always an error.

    Raises:
        FormatError: it is not what its name says; names the line.
    """
    if path.suffix.lower() == ".jsonl":
        yield from _json_rows(text, path, check, refuse)
        return
    sign = "\t" if path.suffix.lower() == ".tsv" else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    top = Place(path, 1)
    try:
        header = [name.strip() for name in next(reader, [])]
        if len(header) == 1 and (found := re.search("[;,|\t]", header[0])):
            raise top.fault(
                f"one column {header[0]!r}; expected columns with a {sign!r} "
                f"between them, not {found[0]!r}"
            )
        if not {*header} & {*COLUMNS} and any(len(cell.split()) > 3 for cell in header):
            raise top.fault(
                f"is no header: {one_line(header[0], 40)!r} is no column; expected a first line "
                f"that names the columns, some of {', '.join(COLUMNS)}"
            )
        if check:
            check(header, top)
        start = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if len(cells) == len(header):
                    yield start, dict(zip(header, cells, strict=True))
                else:
                    problem = f"{len(cells)} cells; expected {len(header)}, as the heading has "
                    problem += "(a cell that holds the separator is written in quotes)"
                    refuse(FormatError(path, start, problem))
            start = reader.line_num + 1
    except csv.Error as error:
        problem = str(error)
        if "expected after" in problem or "unexpected end" in problem:
            problem = f"a cell begins with a quotation mark that does not enclose it ({problem})"
            problem += '; such a cell is written """So," he said.": in marks, those inside doubled'
        tab = problem.replace("\t", "\\t")
        raise FormatError(path, reader.line_num, f"{tab}; expected {path.suffix[1:]}") from error


def _json_rows(
    text: str, path: Path, check: Check | None, refuse: Refuse
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for line, raw in enumerate(text.split("\n"), start=1):
        if not raw.strip():
            continue
        try:
            row = json.loads(raw)
            if not isinstance(row, dict):
                raise FormatError(path, line, f"a {type(row).__name__}; expected an object a line")
            if check:
                check(list(row), Place(path, line))
        except FormatError as error:
            refuse(error)
        except (ValueError, RecursionError) as error:
            refuse(FormatError(path, line, f"no JSON ({error}); expected an object a line"))
        else:
            yield line, row


def _check_columns(names: list[str], at: Place) -> None:
    for name in names:
        if name not in COLUMNS:
            raise at.fault(f"unknown column {name!r}{suggest(name, COLUMNS, MEANT)}")
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise at.fault(f"column {min(twice)!r} stands twice")
    for name in ("sentence", "pos"):
        if name not in names:
            raise at.fault(f"no column {name!r}; expected sentence and pos")


def _row(line: int, cells: Mapping[str, Any], number: int) -> OwnRow:
    given = {name: _text(name, cells.get(name)) for name in COLUMNS if name != "substitutes"}
    item_id = given["id"] or str(number)
    if re.search(r"\s|;", item_id):
        raise LexsubError(f"id {item_id!r}; expected one without blanks and semicolons")
    pos = given["pos"]
    if pos not in PARTS_OF_SPEECH:
        raise LexsubError(f"pos {pos!r}; expected one of {', '.join(PARTS_OF_SPEECH)}")
    lemma = given["lemma"]
    if re.search(r"[\t\r\n]", lemma):
        raise LexsubError(f"lemma {lemma!r}; expected one without tabs and line ends")
    return OwnRow(line, item_id, _target(given, pos), lemma, _weights(cells.get("substitutes")))


def _text(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise LexsubError(f"{name} is a {type(value).__name__}; expected text")
    text = str(value)
    return text if name == "sentence" else text.strip()


def _target(given: Mapping[str, str], pos: str) -> Marked:
    sentence, target = given["sentence"], given["target"]
    if given["start"] or given["end"]:
        start, end = given["start"], given["end"]
        try:
            span = int(start), int(end)
        except ValueError:
            raise LexsubError(f"start {start!r} and end {end!r}; expected two numbers") from None
        marked = _agreed(mark(sentence, span=span, pos=pos))
    elif target:
        whole = rf"(?<!\w){re.escape(target)}(?!\w)"
        places = [one.start() for one in re.finditer(whole, sentence)]
        if len(places) != 1:
            raise LexsubError(
                f"the target {target!r} stands {len(places)} times in the sentence; expected once "
                "(give start and end, or put it in stars)"
            )
        marked = mark(sentence, span=(places[0], places[0] + len(target)), pos=pos)
    else:
        found = parse_marked(sentence)
        marked = Marked(found.text, found.start, found.end, pos)
    _refuse_part(marked)
    if target and marked.target != target:
        raise LexsubError(
            f"start and end enclose {marked.target!r}, but target is {target!r}; expected the same"
        )
    return marked


def _agreed(marked: Marked) -> Marked:
    """Return the target of start and end, which stars in the sentence must enclose as well.

    Raises:
        LexsubError: they enclose something else.
    """
    stars = [one.span(1) for one in _STARRED.finditer(marked.text)]
    if len(stars) != 1 or marked.text.count("*") != 2:
        return marked
    found = parse_marked(marked.text)
    if (marked.start, marked.end) not in (stars[0], (found.start, found.end)):
        raise LexsubError(
            f"start and end enclose {marked.target!r}, but the stars {found.target!r}; expected "
            "the same, or no stars"
        )
    return replace(found, pos=marked.pos)


def _refuse_part(marked: Marked) -> None:
    """Make sure that a target is no part of a word, as *ight* of *bright*.

    Only letters that have capitals tell (other scripts write no blanks between words); *do* of
    *don't* and *can* of *cannot* are words.

    Raises:
        LexsubError: it is one.
    """
    text, start, end = marked.text, marked.start, marked.end
    while start and _is_cased(text[start]) and _is_cased(text[start - 1]):
        start -= 1
    if not _NOT.match(text, end):
        while end < len(text) and _is_cased(text[end - 1]) and _is_cased(text[end]):
            end += 1
    if (start, end) != (marked.start, marked.end):
        raise LexsubError(
            f"the target {marked.target!r} is a part of {text[start:end]!r}; expected a whole word"
        )


def _is_cased(letter: str) -> bool:
    return letter.lower() != letter.upper()


def _weights(given: Any) -> dict[str, float]:
    if given is None:
        return {}
    if isinstance(given, str):
        return _sum(map(_counted, filter(str.strip, given.split(";"))))
    if isinstance(given, list) and all(isinstance(answer, str) for answer in given):
        return _sum((answer, 1.0) for answer in given)
    if isinstance(given, dict) and all(
        isinstance(count, int | float) and not isinstance(count, bool) for count in given.values()
    ):
        return _sum((answer, float(count)) for answer, count in given.items())
    raise LexsubError(
        "substitutes are no text as 'clever 3; intelligent 2', no list of answers, and no object "
        "of counts"
    )


def _counted(entry: str) -> tuple[str, float]:
    match = _COUNTED.fullmatch(entry.strip())
    if match is None:
        raise LexsubError(
            f"answer {entry.strip()[:60]!r} has no count; expected 'substitute count', several "
            "with semicolons between them"
        )
    return match[1], float(match[2])


def _sum(answers: Any) -> dict[str, float]:
    weights: dict[str, float] = {}
    for answer, count in answers:
        name = " ".join(answer.split())
        if not name or ";" in name:
            raise LexsubError(f"answer {answer!r}; expected a word without semicolons")
        if not (math.isfinite(count) and count >= 0):
            raise LexsubError(f"answer {name!r} has the count {count:g}; expected 0 or more")
        weights[name] = weights.get(name, 0.0) + count
    return weights
