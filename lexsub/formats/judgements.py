"""Files of a judgement afterwards: the sheets judges fill in, and the key that stays behind.

A sheet is a tab-separated table with the columns ``item``, ``sentence`` (the target between
``>>`` and ``<<``), ``substitute`` and ``verdict``, the last one empty.  It does not say who
proposed a substitute; the key (JSON) does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from lexsub.datasets import Item
from lexsub.errors import FormatError, Place, suggest
from lexsub.formats.annotations import Rating
from lexsub.formats.semeval_lines import placed_lines
from lexsub.storage.headers import Closed, parse_json_as

ANNOTATORS = "annotators"
COLUMNS = ("item", "sentence", "substitute", "verdict")

Scale = Literal["words", "0-3"]
SCALES: Mapping[Scale, Mapping[str, float]] = {
    "words": {"good": 2, "reasonable": 1, "bad": 0},
    "0-3": {"0": 0, "1": 1, "2": 2, "3": 3},
}
"""Verdicts of each scale, with the number that means are taken of."""


class PooledRow(Closed):
    """A substitute of an item, and who proposed it: ``annotators`` or a system's name."""

    item: str
    lexelt: str
    substitute: str
    origins: Annotated[tuple[str, ...], Field(min_length=1)]


class SheetKey(Closed):
    """What was judged, kept from the judges.

    Attributes:
        scale: the verdicts asked for.
        seed: the seed of draw and order.
        gold: name of the gold and digest of its file.
        systems: system name to digest of its file.
        top: how many answers of each system were pooled, None for all.
        rows: the pool.
    """

    format: Literal["lexsub posthoc key 1"] = "lexsub posthoc key 1"
    scale: Scale
    seed: int
    gold: tuple[str, str]
    systems: dict[str, str]
    top: int | None
    rows: Annotated[list[PooledRow], Field(min_length=1)]


def format_key(key: SheetKey) -> str:
    """Return a key's file text."""
    return key.model_dump_json(indent=1) + "\n"


def parse_key(data: bytes, path: Path) -> SheetKey:
    """Read a key.

    Raises:
        FormatError: not JSON, or another shape.
    """
    return parse_json_as(SheetKey, data, path)


def format_sheet(rows: Iterable[PooledRow], items: Mapping[str, Item]) -> str:
    """Return a sheet's file text, rows in the order given, verdicts empty."""
    lines = ["\t".join(COLUMNS) + "\n"]
    for row in rows:
        item = items[row.item]
        marked = f"{item.text[: item.start]}>>{item.target}<<{item.text[item.end :]}"
        lines.append(f"{row.item}\t{' '.join(marked.split())}\t{row.substitute}\t\n")
    return "".join(lines)


def parse_sheet(text: str, path: Path, key: SheetKey) -> list[Rating]:
    """Read a filled-in sheet; the judge is named by the file.

    Columns may have been reordered, and others added; rows may stand in any order.

    Raises:
        FormatError: a missing column, a row that is not in the key or stands twice, an empty
            or unknown verdict, or rows of the key that are missing.
    """
    wanted = {(row.item, row.substitute) for row in key.rows}
    scale = SCALES[key.scale]
    found: dict[tuple[str, str], int] = {}
    ratings: list[Rating] = []
    columns: list[str] | None = None
    empty: list[Place] = []
    for at, line in placed_lines(text.removeprefix("\ufeff"), path):
        fields = [_unquoted(field) for field in line.rstrip("\r").split("\t")]
        if not any(fields):
            continue
        if columns is None:
            columns = _columns(fields, at)
            continue
        # Spreadsheets drop empty cells at the end of a row.
        fields += [""] * (len(columns) - len(fields))
        row = dict(zip(columns, fields, strict=False))
        pair = (row["item"], row["substitute"])
        shown = f"item {pair[0]}, substitute {pair[1]!r}"
        if pair not in wanted:
            raise at.fault(f"{shown}: not in the key's pool")
        if found.setdefault(pair, at.line) != at.line:
            raise at.fault(f"{shown} stands twice (first on line {found[pair]})")
        verdict = row["verdict"].lower()
        if not verdict:
            empty.append(at)
        elif verdict not in scale:
            raise at.fault(f"verdict {row['verdict']!r}{suggest(verdict, scale)}")
        else:
            ratings.append(Rating(*pair, annotator=path.stem, rating=scale[verdict]))
    if empty:
        share = f"{len(empty)} of {len(found)} rows have none"
        raise empty[0].fault(f"has no verdict ({share}); expected one of {', '.join(scale)}")
    if len(found) < len(wanted):
        item, substitute = min(wanted - set(found))
        raise FormatError(
            path,
            None,
            f"lacks {len(wanted) - len(found)} of {len(wanted)} rows, among them item {item}, "
            f"substitute {substitute!r}; expected the whole sheet",
        )
    return ratings


def _columns(fields: list[str], at: Place) -> list[str]:
    for needed in ("item", "substitute", "verdict"):
        if fields.count(needed) != 1:
            expected = f"{', '.join(COLUMNS)}, each once, separated by tabs"
            raise at.fault(f"columns {', '.join(fields)[:80]}; expected {expected}")
    return fields


def _unquoted(field: str) -> str:
    field = field.strip()
    if len(field) > 1 and field[0] == field[-1] == '"':
        field = field[1:-1].replace('""', '"')
    return field.strip()


def format_ratings(ratings: Iterable[Rating]) -> str:
    """Return single ratings as the table that ``lexsub agreement`` reads."""
    lines = ["item\tsubstitute\tannotator\trating\n"]
    lines += [f"{r.item}\t{r.substitute}\t{r.annotator}\t{r.rating:g}\n" for r in ratings]
    return "".join(lines)
