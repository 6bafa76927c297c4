"""The tables of a run: in full for its folder, and short for the screen.

There is one table a task, each system beside its published row, their difference, and its ceiling.
The first two columns say whose figures a row has, and of what kind: ours, published, difference
(ours minus published) or ceiling; in comparisons the two systems and the measure.  Figures are
percentages with two decimals; a published precision and recall stand as printed in the paper.

On the screen precision and recall share a column, systems with the same figures a row, and the
ceiling of the same candidates stands once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from lexsub.evaluation.comparison import MARKS, Comparison, marks
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.published import published_figures
from lexsub.experiments.results.scoring import HEADERS, SystemScores, measure_names
from lexsub.rankings import TASKS, Task
from lexsub.storage.files import write_text
from lexsub.tables import Entry, Number, Table
from lexsub.tables.value import letter
from lexsub.tables.writers import to_csv, to_latex, to_markdown

Row = tuple[Entry, ...]

NAMES = ("system", "kind")
KINDS = {"ours", "published", "difference", "ceiling"}
TESTED_COLUMNS = ("A", "B", "A-B", "bootstrap p", "randomised p", "Holm p")
"""Of a table of comparisons."""


def result_table(
    name: str, title: str, columns: Sequence[str], rows: Sequence[Row], notes: Sequence[str] = ()
) -> Table:
    """Return a table of rows that begin with system and kind; columns are those of the figures."""
    return Table(title, (*NAMES, *columns), tuple(rows), tuple(notes), len(NAMES), name)


def difference(ours: Row, published: Row) -> Row:
    """Return ours minus published, cell by cell."""
    cells = (
        Number(mine.value - theirs.value, digits=mine.digits, kind="difference")
        if isinstance(mine, Number) and isinstance(theirs, Number)
        else None
        for mine, theirs in zip(ours[2:], published[2:], strict=True)
    )
    return (ours[0], "difference", *cells)


def is_plain(table: Table) -> bool:
    """Return True if a table is one of systems' figures, letters perhaps before them."""
    start = table.names - len(NAMES)
    named = tuple(table.columns[start : table.names]) == NAMES
    return named and {row[table.names - 1] for row in table.rows} <= KINDS


def ceilings(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield each ceiling once, as the systems' names with their kind and figures.

    That of most systems, if two or more share it, is of "the others", the only one of "".
    """
    groups: dict[tuple[Entry, ...], list[str]] = {}
    for row in rows:
        groups.setdefault(row[1:], []).append(str(row[0]))
    most = max(groups, key=lambda cells: len(groups[cells]), default=())
    for cells, labels in groups.items():
        shared = len(labels) > 1 and cells == most
        named = "the others" if shared else ", ".join(labels)
        yield ("" if len(groups) == 1 else named, *cells)


def for_paper(table: Table) -> Table:
    """Return a table of systems without the column of kinds: the best bold, each ceiling once."""
    kind = table.names - 1
    table = table.best(place for place, row in enumerate(table.rows) if row[kind] == "ours")
    if not is_plain(table):
        return table
    rows: list[Row] = []
    for row in table.rows:
        letter, (label, sort), cells = row[: kind - 1], row[kind - 1 : kind + 1], row[kind + 1 :]
        if sort == "ours":
            rows.append((*letter, label, *cells))
        elif sort != "ceiling":
            named = f"{label} (published)" if sort == "published" else "difference"
            rows.append((*("" for _ in letter), named, *cells))
    of_ceilings = [tuple(row[kind - 1 :]) for row in table.rows if row[kind] == "ceiling"]
    rows += [
        (*("",) * (kind - 1), f"ceiling of {whose}" if whose else "ceiling", *cells)
        for whose, _, *cells in ceilings(of_ceilings)
    ]
    columns = (*table.columns[:kind], *table.columns[kind + 1 :])
    return replace(table, columns=columns, rows=rows, names=kind)


def lettered(
    table: Table, systems: Mapping[str, tuple[str, str]], marks: Mapping[tuple[str, str], str]
) -> Table:
    """Return a table with the systems' letters before it and marks of significance in it.

    Args:
        table: of results.
        systems: name in the table to letter and full name.
        marks: by full name and measure, see :func:`lexsub.evaluation.comparison.marks`.
    """
    # Tables of tasks alone are tested.
    measures = measure_names(table.name) if table.name in TASKS else ()
    rows = []
    for label, kind, *cells in table.rows:
        letter, name = systems.get(str(label), ("", str(label)))
        if kind == "published":
            letter, name = "", str(label)
        elif kind == "ours" and measures:
            cells = [
                replace(cell, marks=marks.get((name, measure), ""))
                if isinstance(cell, Number)
                else cell
                for cell, measure in zip(cells, measures, strict=True)
            ]
        rows.append((letter, name, kind, *cells))
    return replace(table, columns=("", *table.columns), rows=rows, names=table.names + 1)


def _pairs(columns: Sequence[str]) -> list[int]:
    """Return the places of precisions with their recall behind them."""
    behind = enumerate(pairwise(columns))
    return [place for place, (p, r) in behind if p.endswith("P") and r == f"{p[:-1]}R"]


def with_pairs_marked(table: Table) -> Table:
    """Return a lettered table with the marks of a recall at the precision that equals it.

    Recall alone is tested.  Where systems answer every item, both are one figure, and so is the
    difference between two such systems.
    """
    kind = table.names - 1
    rows = [list(row) for row in table.rows]
    for place in _pairs(table.columns):
        own = [row for row in rows if row[kind] == "ours"]
        alike = {str(row[0]) for row in own if str(row[place]) == str(row[place + 1])}
        for row in rows:
            precision, recall = row[place], row[place + 1]
            ours = row[kind] == "ours" and str(row[0]) in alike
            if ours and isinstance(precision, Number) and isinstance(recall, Number):
                beaten = [one for one in recall.marks.split() if one in alike]
                row[place] = replace(precision, marks=" ".join(beaten))
    return replace(table, rows=list(map(tuple, rows)))


FORMS: Mapping[str, Callable[[Table], str]] = {
    "md": to_markdown,
    "tex": lambda table: to_latex(for_paper(table)),
    "csv": to_csv,
}
"""Endings of a table's files, and what is in them; in LaTeX our best figures are bold."""


def result_tables(
    experiment: Experiment,
    scores: Sequence[SystemScores],
    ceilings: Sequence[SystemScores],
    resources: Mapping[str, Mapping[str, str]],
) -> list[Table]:
    """Return a table for each task that some system answers.

    Args:
        experiment: gives titles, notes and the published rows to print.
        scores: the figures of each system, in the config's order.
        ceilings: the figures of a perfect ranker over the same system's candidates.
        resources: what was found under each resource's name; its version is noted.
    """
    found = tuple(
        f"Used here: {name} {described['version']}."
        for name, described in resources.items()
        if "version" in described
    )
    table, tables = experiment.table, list[Table]()
    notes: Mapping[Any, Sequence[str]] = table.notes

    def add(name: str, what: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        heading = f"{table.title or table.name}: {what}, {table.data_name}"
        below = (*found, *notes.get("all", ()), *notes.get(name, ()))
        if rows:
            tables.append(result_table(name, heading, columns, rows, below))

    for task in TASKS:
        add(task, task, HEADERS[task], tuple(_rows(experiment, task, scores, ceilings)))
    if table.measures:
        extra = measure_names(" ".join(table.measures))
        rows = [
            (ours.name, kind, *one.cells(extra))
            for ours, ceiling in zip(scores, ceilings, strict=True)
            for kind, one in (("ours", ours), ("ceiling", ceiling))
            if one.figures
        ]
        add("measures", "further measures", extra, rows)
    return tables


TABLES = "tables"
"""Their folder in a run's."""


def table_files(tables: Sequence[Table]) -> list[str]:
    """Return the names of the files that :func:`write_tables` writes."""
    return [f"{TABLES}/{table.name}.{ending}" for table in tables for ending in FORMS]


def write_tables(folder: Path, tables: Sequence[Table]) -> str:
    """Write tables as Markdown, LaTeX and CSV into a run's folder; return them all as Markdown.

    Raises:
        FileProblemError: the disk refuses.
    """
    for table in tables:
        for form in FORMS:
            _write(folder, table, form)
    return "\n".join(to_markdown(table) for table in tables)


def _write(folder: Path, table: Table, form: str) -> None:
    write_text(folder / TABLES / f"{table.name}.{form}", FORMS[form](table))


def write_marked(
    folder: Path, tables: Sequence[Table], tests: Comparison, systems: Sequence[str]
) -> None:
    """Write the tables of tasks as LaTeX once more, with letters and marks of significance.

    Args:
        folder: of the run.
        tables: all tables.
        tests: of all pairs of systems.
        systems: names in the order of the letters.

    Raises:
        FileProblemError: the disk refuses.
    """
    letters = {name: letter(place) for place, name in enumerate(systems)}
    found = marks(tests, letters)
    for table in tables:
        if table.name in TASKS and tests.rows:
            named = {name: (sign, name) for name, sign in letters.items()}
            marked = with_pairs_marked(lettered(table, named, found))
            _write(folder, replace(marked, notes=(*table.notes, MARKS)), "tex")


def _rows(
    experiment: Experiment,
    task: Task,
    scores: Sequence[SystemScores],
    ceilings: Sequence[SystemScores],
) -> Iterator[Row]:
    for system, ours, ceiling in zip(experiment.systems, scores, ceilings, strict=True):
        if task not in ours.tasks:
            continue
        row: Row = (ours.name, "ours", *ours.task_cells(task))
        yield row
        if system.published is not None:
            figures = published_figures(system.published).get(task)
            if figures is not None:
                name = system.published.partition("/")[2]
                reported: Row = (name, "published", *map(Number, figures))
                yield reported
                yield difference(row, reported)
        if task in ceiling.tasks:
            yield (ours.name, "ceiling", *ceiling.task_cells(task))


INTERVALS = "In brackets: 95 % intervals. P / R: one figure where equal; the interval of R."


def summary(title: str, tables: Sequence[Table]) -> list[Table]:
    """Return short tables: one for each task, then those that the config asks for.

    Args:
        title: heads the first.
        tables: the tables of a run, see
            :func:`lexsub.experiments.results.tables.result_tables`.
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
    if tuple(table.columns[len(NAMES) :]) != TESTED_COLUMNS:
        return table
    left_out = len(NAMES) + TESTED_COLUMNS.index("bootstrap p")
    rows = [(*row[:left_out], *row[left_out + 1 :]) for row in table.rows]
    columns = (*table.columns[:left_out], *table.columns[left_out + 1 :])
    return replace(table, columns=columns, rows=rows)


def _shortened(table: Table) -> Table:
    pairs = _pairs(table.columns)
    columns = [
        f"{column} / R" if place in pairs else column
        for place, column in enumerate(table.columns)
        if place - 1 not in pairs
    ]
    rows = [tuple(_paired(row, pairs)) for row in table.rows]
    ours = [row for row in rows if row[1] != "ceiling"]
    bounds = ceilings([row for row in rows if row[1] == "ceiling"])
    named = [(f"ceiling of {name}" if name else "ceiling", *cells) for name, _, *cells in bounds]
    lines = [*_joined_systems(ours), *named]
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


def _joined_systems(rows: Sequence[Row]) -> Iterator[Row]:
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
