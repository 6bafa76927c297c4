"""The list of published tables, and one of them rebuilt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexsub.errors import LexsubError, UnknownNameError
from lexsub.experiments.config.published import PublishedTable, published_tables
from lexsub.experiments.papers.reproduce import jabbari, semdis, semeval, texts
from lexsub.experiments.papers.reproduce.bench import Bench, Made, Maker
from lexsub.experiments.results.rows import Row, difference, result_table
from lexsub.tables import Number, Table

MAKERS: dict[str, Maker] = {
    **semeval.MAKERS, **jabbari.MAKERS, **semdis.MAKERS, **texts.MAKERS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Status:
    """Whether a table can be rebuilt here.

    Attributes:
        table: the published table.
        needs: what is missing; "" for nothing.
    """

    table: PublishedTable
    needs: str


def statuses(bench: Bench) -> list[Status]:
    """Return the status of every published table."""
    return [Status(table, missing(table, bench)) for table in published_tables().values()]


def missing(table: PublishedTable, bench: Bench) -> str:
    """Return what a table needs that is not here; "" for nothing."""
    if table.name not in MAKERS:
        return table.needs
    try:
        MAKERS[table.name].check(bench)
    except LexsubError as error:
        return str(error)
    return ""


def reproduce(name: str, bench: Bench) -> Table:
    """Rebuild a table: published, ours, difference, and why they differ.

    Raises:
        UnknownNameError: no such table.
        LexsubError: an input is missing.
    """
    tables = published_tables()
    if name not in tables:
        raise UnknownNameError("table", name, tables)
    table = tables[name]
    needs = missing(table, bench)
    if needs:
        raise LexsubError(f"{name} cannot be rebuilt here: {needs}")
    return compare(table, MAKERS[name].make(bench))


def compare(table: PublishedTable, made: Made) -> Table:
    """Put our figures beside the published ones, row by row."""
    rows: list[Row] = []
    for label, figures in table.rows.items():
        published = _row(label, "published", figures, table)
        rows.append(published)
        if label in made.rows:
            ours = _row(label, "ours", made.rows[label], table)
            rows += [ours, difference(ours, published)]
    rows += [
        _row(label, "ours", made.rows[label], table)
        for label in made.rows
        if label not in table.rows
    ]
    title = f"{table.name}: {table.title} ({table.source}; {table.data})"
    return result_table(table.name, title, table.columns, rows, made.notes)


def _row(label: str, kind: str, values: Sequence[float | None], table: PublishedTable) -> Row:
    digits = table.digits or (2,) * len(values)
    cells = (
        None if value is None else Number(value, digits=places)
        for value, places in zip(values, digits, strict=True)
    )
    return (label, kind, *cells)
