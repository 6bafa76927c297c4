"""What single annotators said: substitutes, labels or ratings.

Released golds hold counts; agreement needs the answers of each annotator.  They come as a
tab-separated table with a header, or as JSON Lines with the same names as keys; the columns
tell which of three kinds the file is.

* Substitutes: ``item``, ``annotator``, ``substitutes``, and perhaps ``multiword``.  One row
  for each item an annotator saw; substitutes separated by semicolons (in JSON Lines a
  list); none, ``NIL`` or ``NAME`` (a proper name) where there is none; ``multiword`` is
  the multiword the target is part of, empty where it is in none.
* Labels: ``item``, ``annotator``, ``label``, as in a double annotation.
* Ratings: ``item``, ``substitute``, ``annotator``, ``rating`` (a number), as for a second
  gold.

An item may be written with its target as in a gold (``bright.a 12``); intervals are then over
whole targets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from lexsub.errors import FormatError, LexsubError, Place, suggest
from lexsub.formats.semeval_lines import placed_lines
from lexsub.storage.headers import parse_json_as

NO_ANSWER = ("NIL", "NAME")


@dataclass(frozen=True, slots=True)
class Response:
    """The substitutes one annotator gave for one item.

    Attributes:
        item: the item's id.
        annotator: the annotator's name.
        substitutes: the answers, each once, in the order given; empty for NIL and NAME.
        multiword: the multiword the target is part of, or None.
    """

    item: str
    annotator: str
    substitutes: tuple[str, ...]
    multiword: str | None = None


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """The label one annotator gave to one item."""

    item: str
    annotator: str
    label: str


@dataclass(frozen=True, slots=True)
class Rating:
    """The number one annotator gave to a substitute of an item."""

    item: str
    substitute: str
    annotator: str
    rating: float


@dataclass(frozen=True, slots=True)
class Annotations:
    """One file: one of the three is filled, the others are empty."""

    responses: tuple[Response, ...] = ()
    labels: tuple[LabelChoice, ...] = ()
    ratings: tuple[Rating, ...] = ()

    @property
    def kind(self) -> str:
        """``substitutes``, ``labels`` or ``ratings``."""
        return "substitutes" if self.responses else "labels" if self.labels else "ratings"


class _AnnotationRow(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True, extra="forbid")

    item: str
    annotator: str
    substitutes: list[str] | str | None = None
    multiword: str | None = None
    label: str | None = None
    substitute: str | None = None
    rating: float | None = None


KINDS = {
    "substitutes": {"item", "annotator", "substitutes"},
    "labels": {"item", "annotator", "label"},
    "ratings": {"item", "annotator", "substitute", "rating"},
}
COLUMNS = ("item", "annotator", "substitutes", "multiword", "label", "substitute", "rating")
_EXPECTED = (
    "a table with the columns item, annotator and substitutes (perhaps multiword), or label, or "
    "substitute and rating"
)


def parse_annotations(text: str, path: Path) -> Annotations:
    """Read annotations of any of the three kinds.

    Raises:
        FormatError: a missing, unknown or empty column, a rating that is no number, the
            same annotator twice on the same thing, or no row at all.
    """
    rows = list(_json_rows(text, path) if text.lstrip().startswith("{") else _table(text, path))
    if not rows:
        raise FormatError(path, None, f"holds no annotation; expected {_EXPECTED}")
    top, first = rows[0]
    given = set(first.model_fields_set)
    kind = next((name for name, needed in KINDS.items() if needed <= given), None)
    extra = given - KINDS.get(kind or "", set()) - {"multiword"}
    if kind is None or extra or ("multiword" in given and kind != "substitutes"):
        raise top.fault(f"columns {', '.join(sorted(given))}; expected {_EXPECTED}")
    for at, row in rows:
        if not KINDS[kind] <= row.model_fields_set or not row.item or not row.annotator:
            raise at.fault(f"expected every row to have {', '.join(sorted(KINDS[kind]))}")
    if kind == "substitutes":
        return Annotations(responses=_unique(rows, _response, lambda r: (r.item, r.annotator)))
    if kind == "labels":
        return Annotations(labels=_unique(rows, _label, lambda r: (r.item, r.annotator)))
    return Annotations(
        ratings=_unique(rows, _rating, lambda r: (r.item, r.substitute, r.annotator))
    )


T = TypeVar("T")


def _unique(
    rows: list[tuple[Place, _AnnotationRow]],
    make: Callable[[_AnnotationRow], T],
    key: Callable[[T], tuple[Hashable, ...]],
) -> tuple[T, ...]:
    found: dict[tuple[Hashable, ...], int] = {}
    entries = []
    for at, row in rows:
        try:
            entry = make(row)
        except LexsubError as error:
            raise at.fault(str(error)) from error
        first = found.setdefault(key(entry), at.line)
        if first != at.line:
            twice = ", ".join(map(str, key(entry)))
            raise at.fault(f"{twice} stand twice (first on line {first})")
        entries.append(entry)
    return tuple(entries)


def _response(row: _AnnotationRow) -> Response:
    given = row.substitutes or ()
    words = given.split(";") if isinstance(given, str) else given
    kept = dict.fromkeys(word.strip() for word in words)
    return Response(
        row.item,
        row.annotator,
        tuple(word for word in kept if word and word not in NO_ANSWER),
        (row.multiword or "").strip() or None,
    )


def _label(row: _AnnotationRow) -> LabelChoice:
    label = (row.label or "").strip()
    if not label:
        raise LexsubError(f"item {row.item} has an empty label; expected one")
    return LabelChoice(row.item, row.annotator, label)


def _rating(row: _AnnotationRow) -> Rating:
    substitute = (row.substitute or "").strip()
    if not substitute or row.rating is None or not math.isfinite(row.rating):
        raise LexsubError(f"item {row.item}: expected a substitute and a finite rating")
    return Rating(row.item, substitute, row.annotator, row.rating)


def _json_rows(text: str, path: Path) -> Iterator[tuple[Place, _AnnotationRow]]:
    for at, line in placed_lines(text, path):
        yield at, parse_json_as(_AnnotationRow, line, *at)


def _table(text: str, path: Path) -> Iterator[tuple[Place, _AnnotationRow]]:
    columns: list[str] | None = None
    for at, line in placed_lines(text, path):
        fields = [field.strip() for field in line.rstrip("\r").split("\t")]
        if columns is None:
            columns = fields
            unknown = [name for name in columns if name not in COLUMNS]
            if unknown:
                near = suggest(unknown[0], COLUMNS)
                raise at.fault(f"unknown column {unknown[0]!r}{near}; expected {_EXPECTED}")
            if len(set(columns)) < len(columns):
                raise at.fault("a column stands twice; expected each once")
            continue
        if len(fields) != len(columns):
            raise at.fault(f"{len(fields)} columns; expected {len(columns)}: {columns}")
        row: dict[str, str | float] = dict(zip(columns, fields, strict=True))
        if "rating" in row:
            try:
                row["rating"] = float(row["rating"])
            except ValueError as error:
                raise at.fault(f"rating {row['rating']!r}; expected a number") from error
        yield at, _AnnotationRow.model_validate(row)
