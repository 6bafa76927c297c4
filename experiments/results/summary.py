"""The tables of a run as its command prints them: short enough for one screen.

Precision and recall share a column, systems with the same figures a row, and the ceiling of the
same candidates stands once.  The files below ``tables/`` have everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lexsub.experiments.results.asked_tables import COLUMNS
from lexsub.experiments.results.rows import NAMES, Row, ceilings, is_plain
from lexsub.tables import Entry, Number, Table

INTERVALS = "In brackets: 95 % intervals. P / R: one figure where equal; the interval of R."


def summary(title: str, tables: Sequence[Table]) -> list[Table]:
    """Return short tables: one for each task, then those that the config asks for.

    Args:
        title: heads the first.
        tables: the tables of a run, see
            :func:`lexsub.experiments.results.result_tables.result_tables`.
    """
    short = [_shortened(table) if is_plain(table) else _narrow(table) for table in tables]
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    shown = [
        replace(one, title=title if place == 0 else "" if is_plain(table) else one.title, notes=())
        for place, (one, table) in enumerate(zip(short, tables, strict=True))
    ]
    if shown:
        shown[-1] = replace(shown[-1], notes=(INTERVALS, *notes))
    return shown


def _narrow(table: Table) -> Table:
    """Return a table of comparisons without the second of its two tests, others as they are."""
    if tuple(table.columns[len(NAMES) :]) != COLUMNS:
        return table
    left_out = len(NAMES) + COLUMNS.index("bootstrap p")
    rows = [(*row[:left_out], *row[left_out + 1 :]) for row in table.rows]
    columns = (*table.columns[:left_out], *table.columns[left_out + 1 :])
    return replace(table, columns=columns, rows=rows)


def _shortened(table: Table) -> Table:
    pairs = [
        place
        for place, column in enumerate(table.columns[:-1])
        if column.endswith("P") and table.columns[place + 1] == column[:-1] + "R"
    ]
    columns = [
        f"{column} / R" if place in pairs else column
        for place, column in enumerate(table.columns)
        if place - 1 not in pairs
    ]
    rows = [tuple(_paired(row, pairs)) for row in table.rows]
    ours = [row for row in rows if row[1] != "ceiling"]
    bounds = ceilings([row for row in rows if row[1] == "ceiling"])
    named = [(f"ceiling of {name}" if name else "ceiling", *cells) for name, _, *cells in bounds]
    lines = [*_systems(ours), *named]
    short = Table(table.title, (table.name, *columns[2:]), lines, (), 1, table.name)
    return short.best(range(len(ours))) if all(row[1] == "ours" for row in ours) else short


def _paired(row: Sequence[Entry], pairs: Sequence[int]) -> Iterator[Entry]:
    """Yield the cells, a precision and the recall behind it as one."""
    for place, cell in enumerate(row):
        if place - 1 in pairs:
            continue
        behind = row[place + 1] if place in pairs else None
        if isinstance(cell, Number) and isinstance(behind, Number):
            yield replace(behind, beside=cell.value)
        else:
            yield cell


def _systems(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the rows of systems; those with the same figures are one, where the first stood."""
    alone = {row[0] for row in rows if row[1] == "difference"}
    groups: dict[tuple[Entry, ...], list[str]] = {}
    for row in rows:
        joined = row[1] == "ours" and row[0] not in alone
        groups.setdefault(row[1:] if joined else row, []).append(str(row[0]))
    for key, labels in groups.items():
        kind, *cells = key[-len(rows[0]) + 1 :]
        name = "difference" if kind == "difference" else ", ".join(labels)
        yield (f"{name} (published)" if kind == "published" else name, *cells)
