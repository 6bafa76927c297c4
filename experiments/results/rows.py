"""Result tables: ours beside the published row, their difference, and the ceiling.

The first two columns say whose figures a row has, and of what kind: ours, published, difference
(ours minus published) or ceiling; in comparisons the two systems and the measure.  Figures are
percentages with two decimals; a published precision and recall stand as printed in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from lexsub.storage.files import write_text
from lexsub.tables import Entry, Number, Table
from lexsub.tables.writers import to_csv, to_latex, to_markdown

Row = tuple[Entry, ...]

NAMES = ("system", "kind")
KINDS = {"ours", "published", "difference", "ceiling"}


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
    """Say whether a table is one of systems' figures, letters perhaps before them."""
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
    table: Table, systems: Mapping[str, tuple[str, str]], measures: Sequence[str],
    marks: Mapping[tuple[str, str], str],
) -> Table:  # fmt: skip
    """Return a table with the systems' letters before it and marks of significance in it.

    Args:
        table: of results.
        systems: name in the table to letter and full name.
        measures: of its columns, none where they were not tested.
        marks: by full name and measure, see :func:`lexsub.evaluation.comparison.marks`.
    """
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


def with_pairs_marked(table: Table) -> Table:
    """Return a lettered table with the marks of a recall at the precision that equals it.

    Recall alone is tested.  Where systems answer every item, both are one figure, and so is the
    difference between two such systems.
    """
    kind, width = table.names - 1, len(table.columns)
    pairs = [
        place
        for place in range(table.names, width - 1)
        if table.columns[place].endswith("P")
        and table.columns[place + 1] == table.columns[place][:-1] + "R"
    ]
    rows = [list(row) for row in table.rows]
    for place in pairs:
        alike = {
            str(row[0]) for row in rows
            if row[kind] == "ours" and str(row[place]) == str(row[place + 1])
        }  # fmt: skip
        for row in rows:
            precision, recall = row[place], row[place + 1]
            if (
                row[kind] == "ours" and str(row[0]) in alike
                and isinstance(precision, Number) and isinstance(recall, Number)
            ):  # fmt: skip
                beaten = [one for one in recall.marks.split() if one in alike]
                row[place] = replace(precision, marks=" ".join(beaten))
    return replace(table, rows=list(map(tuple, rows)))


FORMS: Mapping[str, Callable[[Table], str]] = {
    "md": to_markdown,
    "tex": lambda table: to_latex(for_paper(table)),
    "csv": to_csv,
}
"""Endings of a table's files, and what is in them; in LaTeX our best figures are bold."""


def write_table(folder: Path, table: Table, forms: Iterable[str] = FORMS) -> None:
    """Write a table in some forms.

    Raises:
        FileProblemError: the disk refuses.
    """
    for form in forms:
        write_text(folder / f"{table.name}.{form}", FORMS[form](table))
