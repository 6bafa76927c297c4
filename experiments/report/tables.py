"""The score tables of a report: rows with letters, intervals apart, and significance marks."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from experiments.report.material import Material, Run
from experiments.results.figure_tables import FigureTable
from experiments.results.result_tables import result_tables
from experiments.results.scoring import TASK_MEASURES, measure_names
from experiments.results.tables import Cell, ResultTable, Row
from lexsub.errors import FormatError
from lexsub.files import read_text


@dataclass(frozen=True, slots=True)
class PageCell:
    """A cell: the figure, its interval ("" for none), and the letters of systems it beats."""

    text: str
    interval: str = ""
    marks: str = ""


@dataclass(frozen=True, slots=True)
class PageRow:
    """A row: the system's letter ("" for another's figures), its name, the kind, the cells."""

    letter: str
    label: str
    kind: str
    cells: tuple[PageCell, ...]


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table with title, headers, rows, and the lines below it."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[PageRow, ...]
    notes: tuple[str, ...]


def score_tables(material: Material, marks: Mapping[tuple[str, str], str]) -> list[PageTable]:
    """Return the tables of all runs, those of one task as one table.

    Args:
        material: the runs.
        marks: see :func:`experiments.report.comparing.marks`.
    """
    found: dict[tuple[str, tuple[str, ...]], PageTable] = {}
    for run in material.runs:
        scores, ceilings = (
            [getattr(s, kind) for s in run.systems] for kind in ("scores", "ceiling")
        )
        tables = result_tables(run.experiment, scores, ceilings, run.manifest.get("resources", {}))
        tables += [_written(run, table) for table in run.experiment.table.tables]
        for table in tables:
            page = _page(table, run, marks)
            key = (page.name, page.columns)
            before = found.get(key)
            if before is not None:
                notes = dict.fromkeys((*before.notes, *page.notes))
                page = PageTable(
                    page.name, before.title, page.columns, (*before.rows, *page.rows), tuple(notes)
                )
            found[key] = page
    return list(found.values())


def _page(table: ResultTable, run: Run, marks: Mapping[tuple[str, str], str]) -> PageTable:
    measures = measure_names(TASK_MEASURES[table.name]) if table.name in TASK_MEASURES else ()
    systems = {system.part.name: system for system in run.systems}
    rows = []
    for row in table.rows:
        system = None if row.kind == "published" else systems.get(row.label)
        cells = tuple(
            _cell(cell, text, marks.get((system.name, measure), "")
                  if system and row.kind == "ours" else "")
            for cell, text, measure in zip(
                row.cells, table.texts(row), measures or ("",) * len(row.cells), strict=True
            )
        )  # fmt: skip
        label = system.name if system else row.label
        rows.append(PageRow(system.letter if system else "", label, row.kind, cells))
    return PageTable(table.name, table.title, table.columns, tuple(rows), table.notes)


def _cell(cell: Cell | None, text: str, marks: str) -> PageCell:
    if cell is None:
        return PageCell("–")
    value, bracket, interval = text.partition(" [")
    value = value.replace("-", "−")
    return PageCell(value, f"[{interval}" if bracket else "", marks)


def _written(run: Run, table: FigureTable) -> ResultTable:
    """Read back a table that the config asked for, as the run has written it."""
    path: Path = run.folder / "tables" / f"{table.name}.csv"
    header, *lines = list(csv.reader(io.StringIO(read_text(path)))) or [[]]
    columns = tuple(header[2:])
    try:
        rows = tuple(
            Row(line[0], line[1], tuple(Cell(float(x)) if x else None for x in line[2:]))
            for line in lines
        )
        if header[:2] != ["system", "kind"] or any(len(r.cells) != len(columns) for r in rows):
            raise ValueError("columns do not fit")
    except (ValueError, IndexError) as error:
        raise FormatError(path, None, f"is not a table of a run ({error}); run it again") from error
    return ResultTable(table.name, table.title, columns, rows)
