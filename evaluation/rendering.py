"""Scores as text: TSV, JSON, LaTeX, and the rows of a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.scores import Figure, Scores
from evaluation.side_by_side import Row
from lexsub.matching.script.perl import percent

TSV_COLUMNS = (
    "system", "measure", "subset", "pos", "value", "low", "high", "shown", "items", "attempted",
    "skipped", "signature",
)  # fmt: skip

UNDEFINED = "–"


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line of a table: a measure on a subset, with a cell for each system.

    Attributes:
        label: measure, with subset and part of speech where they are not all.
        pos: the part of speech, ``all`` for the whole.
        items: items counted.
        cells: the figure of each system, None where it has none.
        signature: what the figures are.
        skipped: reason → items not counted.
    """

    label: str
    pos: str
    items: int
    cells: tuple[Figure | None, ...]
    signature: str
    skipped: dict[str, int]


def show_value(value: float, unit: str) -> str:
    """Print a figure as the field does: percentages with two decimals, fractions with four.

    Percentages are rounded as the official scorer rounds them.
    """
    if np.isnan(value):
        return UNDEFINED
    return percent(value) if unit == "%" else f"{value:.4f}"


def show_difference(value: float, unit: str) -> str:
    """Print a difference with its sign."""
    if np.isnan(value):
        return UNDEFINED
    return f"{100 * value:+.2f}" if unit == "%" else f"{value:+.4f}"


def show_p(value: float) -> str:
    """Print a p value with four decimals."""
    return f"{value:.4f}" if value >= 0.00005 else "<0.0001"


def show_figure(figure: Figure | None, *, interval: bool = True) -> str:
    """Print a figure, with its interval where it has one."""
    if figure is None:
        return ""
    text = show_value(figure.value, figure.unit)
    if not interval or np.isnan(figure.low):
        return text
    low, high = show_value(figure.low, figure.unit), show_value(figure.high, figure.unit)
    return f"{text} [{low}, {high}]"


def table_rows(scores: Scores) -> tuple[list[str], list[TableRow]]:
    """Return the systems and the rows of the table with a column for each of them."""
    systems = list(dict.fromkeys(figure.system for figure in scores))
    rows: dict[tuple[str, str, str], dict[str, Figure]] = {}
    for figure in scores:
        key = (figure.subset, figure.pos, figure.measure)
        rows.setdefault(key, {})[figure.system] = figure
    return systems, [
        TableRow(
            label=_label(measure, subset, pos),
            pos=pos,
            items=next(iter(cells.values())).items,
            cells=tuple(cells.get(system) for system in systems),
            signature=next(iter(cells.values())).signature,
            skipped=dict(next(iter(cells.values())).skipped),
        )
        for (subset, pos, measure), cells in rows.items()
    ]


def to_tsv(scores: Scores) -> str:
    """Return one line a figure, values as full fractions whatever ``shown`` says."""
    lines = ["\t".join(TSV_COLUMNS)]
    for record in scores.records():
        record["skipped"] = "; ".join(f"{why}: {n}" for why, n in record["skipped"].items())
        lines.append("\t".join(_plain(record[column]) for column in TSV_COLUMNS))
    return _text(lines)


def items_to_tsv(scores: Scores) -> str:
    """Return one line a system, measure and item."""
    lines = ["system\tmeasure\tid\tvalue"]
    lines += ["\t".join(map(_plain, record.values())) for record in scores.item_records()]
    return _text(lines)


def to_json(scores: Scores) -> str:
    """Return figures, item figures (where kept) and notes."""
    content: dict[str, object] = {"figures": scores.records()}
    if scores.per_item:
        content["items"] = scores.item_records()
    content["notes"] = {system: dict(notes) for system, notes in scores.notes.items()}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def to_latex(scores: Scores) -> str:
    """Return a booktabs table, signatures as comments above it."""
    systems, rows = table_rows(scores)
    lines = [f"% {row.label}: {row.signature}" for row in rows]
    lines.append(r"\begin{tabular}{l" + "r" * (len(systems) + 1) + "}")
    lines.append(r"\toprule")
    lines.append(" & ".join(["measure", "items", *map(_latex, systems)]) + r" \\")
    lines.append(r"\midrule")
    for row in rows:
        cells = [show_figure(cell).replace(UNDEFINED, "--") for cell in row.cells]
        lines.append(" & ".join([_latex(row.label), str(row.items), *cells]) + r" \\")
    return _text([*lines, r"\bottomrule", r"\end{tabular}"])


def score_only(scores: Scores) -> str:
    """Return the bare figures: a line a system, tabs between measures."""
    systems, rows = table_rows(scores)
    return _text(
        "\t".join(show_figure(row.cells[place], interval=False) for row in rows)
        for place in range(len(systems))
    )


def side_by_side_tsv(rows: Sequence[Row]) -> str:
    """Return the rows of two golds side by side."""
    lines = ["measure\tsystem\tfirst\trank\tsecond\trank\tdifference"]
    lines += [
        f"{row.measure}\t{row.system}\t{row.first!r}\t{row.first_rank}\t{row.second!r}\t"
        f"{row.second_rank}\t{row.difference:+d}"
        for row in rows
    ]
    return _text(lines)


def _label(measure: str, subset: str, pos: str) -> str:
    extra = [part for part, all_ in ((subset, "ALL"), (pos, "all")) if part != all_]
    return " ".join([measure, *extra])


def _plain(value: object) -> str:
    return "" if value is None else str(value)


def _latex(text: str) -> str:
    for sign in "&%$#_{}":
        text = text.replace(sign, f"\\{sign}")
    return text


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
