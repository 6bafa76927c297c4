"""Tables as CSV and TSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lexsub.tables.value import Entry, Number, Table


def lines(rows: Iterable[Iterable[object]], delimiter: str = ",") -> str:
    """Return rows as lines; None is an empty cell."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def records_as_tsv(records: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> str:
    """Return records as TSV under their keys, or some of them; undefined values are empty."""
    chosen = columns or tuple(records[0])
    body = ([_defined(record[column]) for column in chosen] for record in records)
    return lines([chosen, *body], "\t")


def to_csv(table: Table) -> str:
    """Return a table as CSV: figures with four decimals, bounds in columns of their own."""
    numbers = [one for row in table.rows for one in row if isinstance(one, Number)]
    width = 3 if any(number.low is not None for number in numbers) else 1
    header = list(table.columns[: table.names])
    for column in table.columns[table.names :]:
        header += [column, f"{column} low", f"{column} high"][:width]
    body = []
    for row in table.rows:
        line: list[object] = list(row[: table.names])
        for cell in row[table.names :]:
            line += _cells(cell)[:width]
        body.append(line)
    return lines([header, *body])


def _cells(entry: Entry) -> tuple[object, ...]:
    if not isinstance(entry, Number):
        return entry, None, None
    values = (entry.value, entry.low, entry.high)
    return tuple(None if value is None or value != value else f"{value:.4f}" for value in values)


def _defined(value: object) -> object:
    return None if value != value else value
