"""The list of published tables, one of them rebuilt, and the page with all."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.manifest import git_revision
from experiments.published import PublishedTable, published_tables
from experiments.reproduce import jabbari, semdis, semeval, texts
from experiments.reproduce.bench import Bench, Made, Maker
from experiments.tables import Cell, ResultTable, Row, as_markdown, difference
from lexsub import __version__
from lexsub.errors import LexsubError, UnknownNameError
from lexsub.files import write_text

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


def reproduce(name: str, bench: Bench) -> ResultTable:
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


def compare(table: PublishedTable, made: Made) -> ResultTable:
    """Put our figures beside the published ones, row by row."""
    rows: list[Row] = []
    for label, figures in table.rows.items():
        published = Row(label, "published", tuple(map(Cell, figures)))
        rows.append(published)
        if label in made.rows:
            ours = _ours(label, made)
            rows += [ours, difference(ours, published)]
    rows += [_ours(label, made) for label in made.rows if label not in table.rows]
    title = f"{table.name}: {table.title} ({table.source}; {table.data})"
    return ResultTable(table.name, title, table.columns, tuple(rows), made.notes, table.digits)


def published_only(table: PublishedTable, needs: str) -> ResultTable:
    """Return the published figures alone, with what a reproduction would take."""
    rows = tuple(Row(label, "published", tuple(map(Cell, f))) for label, f in table.rows.items())
    title = f"{table.name}: {table.title} ({table.source}; {table.data})"
    notes = (f"Not rebuilt here. Needs: {needs}",)
    return ResultTable(table.name, title, table.columns, rows, notes, table.digits)


def make_page(bench: Bench, names: Sequence[str] | None = None) -> str:
    """Rebuild all tables (or some) and return the page in Markdown.

    A table whose inputs are missing stands with its published figures; so does one that fails
    on the way, with the reason.
    """
    parts = [
        "# Published tables and ours\n",
        f"Made by `lexsub reproduce --all` (lexsub {__version__}, revision "
        f"{git_revision() or 'of a release'}). Each table shows the published figures, ours, and "
        "ours minus published; below it stands why they differ.\n",
    ]
    done: list[tuple[str, str]] = []
    bodies: list[str] = []
    for name, table in published_tables().items():
        if names is not None and name not in names:
            continue
        start = time.perf_counter()
        needs = missing(table, bench)
        if not needs:
            bench.report(f"{name} …")
            try:
                made = compare(table, MAKERS[name].make(bench))
            except LexsubError as error:
                needs = str(error)
        if needs:
            made = published_only(table, needs)
        state = "not rebuilt here" if needs else f"rebuilt in {time.perf_counter() - start:.0f} s"
        bench.report(f"{name}: {state}")
        done.append((name, "not rebuilt here" if needs else "rebuilt"))
        bodies.append(f"## {name}\n\n{as_markdown(made)}")
    parts.append(_overview(done))
    return "\n".join([*parts, *bodies])


def write_page(path: Path, text: str) -> tuple[Path, Path]:
    """Write a page as Markdown (``path``) and as HTML beside it.

    Raises:
        FileProblemError: the disk refuses.
    """
    html = path.with_suffix(".html")
    write_text(path, text)
    write_text(html, as_html(text))
    return path, html


def as_html(text: str) -> str:
    """Return a Markdown page as a page of HTML."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        "<title>Published tables and ours</title>\n"
        "<style>body{font:16px/1.4 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
        "table{border-collapse:collapse}th,td{padding:.1em .6em}"
        "th{border-bottom:1px solid}</style>\n"
        f"{body}</html>\n"
    )


def _overview(done: Iterable[tuple[str, str]]) -> str:
    lines = ["| table | here |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {name} | {state} |" for name, state in done)]) + "\n"


def _ours(label: str, made: Made) -> Row:
    cells = tuple(None if value is None else Cell(value) for value in made.rows[label])
    return Row(label, "ours", cells)
