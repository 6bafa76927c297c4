"""``lexsub augment``: texts of a file again, with some of their words replaced."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli import common as cli
from lexsub.cli.parts import options_of
from lexsub.errors import FormatError, LexsubError, Place, did_you_mean
from lexsub.formats.own_data import table_rows
from lexsub.progress import track
from lexsub.resources import Resources
from lexsub.storage.addresses import resolved
from lexsub.storage.files import read_text, text_lines, write_text
from lexsub.tables.writers import lines

if TYPE_CHECKING:
    from lexsub.experiments.suggestions.suggesting import Suggester

KINDS = (".txt", ".csv", ".tsv", ".jsonl")
ADDED = ("copy", "replaced")
"""Columns: which copy of its text a row is (0 for the text itself), and what was replaced."""


@click.command(
    cls=options_of(
        "lexsub.experiments.suggestions.augmenting:Augmenter",
        n={"names": ["-n"], "type": cli.COUNT},
        keep={"metavar": "WORD"},
    ),
    short_help="Write texts again with some of their words replaced.",
)
@click.argument("file", type=cli.FILE)
@cli.out_option(
    "File to write; its name's end says as what: .csv, .tsv, .jsonl, .txt.", "FILE", required=True
)
@cli.option("--column", "Column of the texts.", "text")
@cli.option(
    "--spans COLUMN",
    "Column of spans that must stay, as [[start, end, …], …]; they are moved along.",
)
@cli.option("--without-originals", "Write the copies alone.")
@cli.option("--workers", "Processes.", 1, type=cli.COUNT)
@cli.JSON
@cli.LANGUAGE
@cli.answering_options
def command(
    file: Path,
    out: Path,
    column: str,
    spans: str | None,
    without_originals: bool,
    workers: int,
    opener: Callable[[], Suggester],
    resources: Resources,
    as_json: bool,
    **options: Any,
) -> None:
    """Write the texts of FILE again, a share of their words replaced by substitutes.

    FILE is a table (.csv, .tsv, .jsonl) with a column of texts, or .txt with a text a line. All
    other columns, a label above all, stay beside each copy; copy and replaced are added to them.
    """
    from lexsub.experiments.suggestions.augmenting import Augmenter

    del resources

    augmenter = Augmenter(**options)
    _kind(file)
    kind = _kind(out)
    if resolved(out) == resolved(file):
        raise LexsubError(f"{out}: holds the texts themselves; name another file by --out")
    rows = list(_rows(file, column, spans))
    asked = ((row[column], _spans(row.get(spans))[0] if spans else []) for row in rows)
    written: list[dict[str, Any]] = []
    replaced = unchanged = 0
    made = track(opener().augmented(asked, augmenter, workers), "texts", len(rows))
    for row, copies in zip(rows, made, strict=True):
        if not without_originals:
            written.append({**row, "copy": 0, "replaced": ""})
        for number, one in enumerate(copies, start=1):
            moved = {spans: _moved(row[spans], one.spans)} if spans and spans in row else {}
            written.append({**row, **moved, column: one.text, "copy": number, "replaced": one.line})
            replaced += len(one.replaced)
        unchanged += not copies
    write_text(out, _written(written, kind, column))
    new = sum(row["copy"] > 0 for row in written)
    said = f"{cli.counted(len(rows), 'text')}, {new} new, {cli.counted(replaced, 'word')} replaced"
    if unchanged:
        said += f"; nothing to replace in {cli.counted(unchanged, 'text')}"
    figures = {"texts": len(rows), "new": new, "replaced": replaced, "unchanged": unchanged}
    cli.tell(figures, said, as_json, err=True)


def _kind(file: Path) -> str:
    kind = file.suffix.lower()
    if kind not in KINDS:
        raise LexsubError(f"{file}: ends in {file.suffix!r}; expected one of {', '.join(KINDS)}")
    return kind


def _rows(file: Path, column: str, spans: str | None) -> Iterator[Mapping[str, Any]]:
    text = read_text(file)
    if _kind(file) == ".txt":
        found = [
            (line, {column: one}) for line, one in enumerate(text_lines(text), 1) if one.strip()
        ]
    else:
        found = [(line, dict(row)) for line, row in table_rows(text, file, _check_names)]
    if not found:
        raise FormatError(file, None, "holds no row; expected one a text")
    if spans and not any(spans in row for _, row in found):
        line, row = found[0]
        raise _lacks(Place(file, line), row, spans, "spans")
    for line, row in found:
        at = Place(file, line)
        if column not in row:
            raise _lacks(at, row, column, "column")
        if taken := set(ADDED) & row.keys():
            raise at.fault(f"has a column {min(taken)!r} already; rename it")
        if not isinstance(row[column], str):
            raise at.fault(f"{column} is no text; expected one")
        if spans:
            _check_spans(row.get(spans), len(row[column]), at)
        yield row


def _check_names(names: list[str], at: Place) -> None:
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise at.fault(f"column {min(twice)!r} stands twice; rename one")


def _lacks(at: Place, row: Mapping[str, Any], name: str, option: str) -> FormatError:
    known = f"(it has {', '.join(map(repr, row))}); name one with --{option}"
    return at.fault(f"has no column {name!r}{did_you_mean(name, row)} {known}")


def _check_spans(cell: Any, length: int, at: Place) -> None:
    expected = 'a list as [[0, 5], [9, 12, "label"]]'
    try:
        found, _ = _spans(cell)
    except (ValueError, TypeError, IndexError, KeyError):
        raise at.fault(f"spans {str(cell)[:60]!r}; expected {expected}") from None
    for start, end in found:
        if not 0 <= start <= end <= length:
            raise at.fault(f"span ({start}, {end}) of a text of {length} characters")


def _spans(cell: Any) -> tuple[list[tuple[int, int]], list[list[Any]]]:
    """Return the offsets of a cell's spans, and the whole spans."""
    whole = json.loads(cell or "[]") if isinstance(cell, str) else cell or []
    found = [(one[0], one[1]) for one in whole]
    if not all(type(number) is int for span in found for number in span):
        raise ValueError
    return found, [list(one) for one in whole]


def _moved(cell: Any, spans: tuple[tuple[int, int], ...]) -> Any:
    """Return a cell with its spans where they are now, as text where it was text."""
    whole = [[*now, *one[2:]] for now, one in zip(spans, _spans(cell)[1], strict=True)]
    return json.dumps(whole, ensure_ascii=False) if isinstance(cell, str) else whole


def _written(rows: list[dict[str, Any]], suffix: str, column: str) -> str:
    if suffix == ".jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if suffix == ".txt":
        return "".join(" ".join(row[column].split("\n")) + "\n" for row in rows)
    names = dict.fromkeys(name for row in rows for name in row if name not in ADDED)
    columns = [*names, *ADDED]
    cells = ([_cell(row.get(name, "")) for name in columns] for row in rows)
    return lines([columns, *cells], "\t" if suffix == ".tsv" else ",")


def _cell(value: Any) -> Any:
    plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return value if plain else "" if value is None else json.dumps(value, ensure_ascii=False)
