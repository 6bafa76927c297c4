"""Result tables: ours beside the published row, their difference, and the ceiling.

Every table's first two columns say whose figures a row has, and of what kind: ours, published,
difference (ours minus published) or ceiling; in comparisons the measure.  Figures are percentages
with two decimals; a published precision and recall stand as printed in the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexsub.files import write_text
from lexsub.tables import Entry, Number, Table
from lexsub.tables.delimited import to_csv
from lexsub.tables.latex import to_latex
from lexsub.tables.markdown import to_markdown

Row = tuple[Entry, ...]

NAMES = ("system", "kind")


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


FORMS = ("md", "tex", "csv")
"""Endings of a table's files."""


def write_table(folder: Path, table: Table) -> None:
    """Write a table as Markdown, LaTeX and CSV; in LaTeX our best figures are bold.

    Raises:
        FileProblemError: the disk refuses.
    """
    paper = table.best(place for place, row in enumerate(table.rows) if row[1] == "ours")
    texts = (to_markdown(table), to_latex(paper), to_csv(table))
    for ending, text in zip(FORMS, texts, strict=True):
        write_text(folder / f"{table.name}.{ending}", text)
