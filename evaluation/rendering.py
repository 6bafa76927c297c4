"""Scores and comparisons as tables, and as TSV, JSON and LaTeX."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lexsub.evaluation.comparison import Comparison
from lexsub.evaluation.comparison import Row as Pair
from lexsub.evaluation.scores import Figure, Scores
from lexsub.evaluation.side_by_side import Row
from lexsub.matching.script.perl import percent
from lexsub.tables.delimited import lines, records_as_tsv
from lexsub.tables.latex import to_latex
from lexsub.tables.value import Entry, Number, Table, letter

TSV_COLUMNS = (
    "system", "measure", "subset", "pos", "value", "low", "high", "shown", "items", "attempted",
    "skipped", "signature",
)  # fmt: skip

ALPHA = 0.05
"""Below it (after Holm's correction) a difference is marked as significant."""


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


def number(figure: Figure | None) -> Number | None:
    """Return a figure as the field prints it, with its interval; None for none."""
    return None if figure is None else shown(figure.value, figure.unit, figure.low, figure.high)


def shown(value: float, unit: str, low: float = math.nan, high: float = math.nan) -> Number:
    """Return a fraction as the field prints it: percent with two decimals, others with four.

    Percentages are rounded as the official scorer rounds them.
    """
    figure = scaled(value, unit, low, high)
    if unit == "%" and not math.isnan(value):
        figure = replace(figure, value=float(percent(value)))
    return figure


def scaled(value: float, unit: str, low: float = math.nan, high: float = math.nan) -> Number:
    """Return a fraction in the unit and with the decimals in which it is printed, not rounded."""
    scale, digits = (100, 2) if unit == "%" else (1, 4)
    if math.isnan(low) or math.isnan(high):
        return Number(scale * value, digits=digits)
    return Number(scale * value, scale * low, scale * high, digits)


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


def scores_table(scores: Scores, comparison: Comparison | None = None) -> Table:
    """Return measures as rows, systems as columns; its note is the signature of the first row.

    Args:
        scores: the figures.
        comparison: gives each figure the letters of the systems it is significantly better than.
    """
    systems, rows = table_rows(scores)
    letters = {system: letter(place) for place, system in enumerate(systems)}
    beaten = marks(comparison, letters) if comparison else {}
    headers = [f"{letters[system]}: {system}" if comparison else system for system in systems]
    return Table(
        f"{len(scores)} figure{'s' * (len(scores) != 1)} of {', '.join(systems) or 'no system'}",
        ("measure", "items", *headers),
        [
            (row.label, row.items, *(
                marked(number(cell), beaten.get((system, row.label), ""))
                for system, cell in zip(systems, row.cells, strict=True)
            ))
            for row in rows
        ],
        (*(row.signature for row in rows[:1]), *([MARKS] if comparison else ())),
    )  # fmt: skip


def comparison_table(comparison: Comparison) -> Table:
    """Return a row a pair and measure."""
    rows = comparison.rows
    exact = any(row.mcnemar_p is not None for row in rows)
    cells: list[tuple[Entry, ...]] = [
        (
            row.measure, row.first, row.second,
            shown(row.first_value, row.unit), shown(row.second_value, row.unit), _difference(row),
            *map(_p, (row.bootstrap_p, row.randomisation_p, row.holm_p)),
            *([_p(row.mcnemar_p)] if exact else []),
        )
        for row in rows
    ]  # fmt: skip
    systems = dict.fromkeys(name for row in rows for name in (row.first, row.second))
    columns = ["measure", "A", "B", "A", "B", "A-B [95 %]", "bootstrap p", "randomised p", "Holm p"]
    columns += ["McNemar p"] if exact else []
    title = f"{len(rows)} comparisons of {', '.join(systems)}"
    return Table(title, columns, cells, tuple(comparison.hypothesis.splitlines()), names=3)


def paper_table(
    figures: Mapping[tuple[str, str], Entry], comparison: Comparison | None = None,
    title: str = "", notes: Sequence[str] = (),
) -> Table:  # fmt: skip
    """Return systems as rows, measures as columns, the best marked.

    Args:
        figures: by system and measure, in order.
        comparison: gives each figure the letters of the systems it is significantly better than.
        title: of the table.
        notes: below it; what the letters mean is added.
    """
    systems = list(dict.fromkeys(system for system, _ in figures))
    measures = list(dict.fromkeys(measure for _, measure in figures))
    letters = {system: letter(place) for place, system in enumerate(systems)}
    beaten = marks(comparison, letters) if comparison else {}
    rows = [
        (
            *((letters[system],) if comparison else ()), system,
            *(marked(figures.get((system, measure)), beaten.get((system, measure), ""))
              for measure in measures),
        )
        for system in systems
    ]  # fmt: skip
    names = 2 if comparison else 1
    return Table(
        title, ("", "system", *measures)[2 - names :], rows,
        (*notes, *([MARKS, *comparison.hypothesis.splitlines()] if comparison else ())), names,
    ).best(range(len(systems)))  # fmt: skip


MARKS = (
    "Letters: systems that this one is significantly better than (paired randomisation, "
    f"p < {ALPHA} after Holm's correction)."
)


def marks(comparison: Comparison, letters: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return, by system and measure, the letters of the systems it is significantly better than.

    p is that of approximate randomisation under Holm's correction over the table.
    """
    beaten: dict[tuple[str, str], list[str]] = {}
    for row in comparison.rows:
        if row.holm_p < ALPHA and row.difference:
            better, worse = (row.first, row.second)[:: 1 if row.difference > 0 else -1]
            beaten.setdefault((better, row.measure), []).append(letters[worse])
    return {key: " ".join(worse) for key, worse in beaten.items()}


def marked(entry: Entry, letters: str) -> Entry:
    """Return a cell with the letters of the systems it is significantly better than."""
    return replace(entry, marks=letters) if isinstance(entry, Number) else entry


def signatures(lines: Iterable[str]) -> list[str]:
    """Return signatures so that what several have in common stands once.

    The first line has what all of them say; then come, for measures that say the same, their
    names and what they say besides.
    """
    split = [text.split("|") for text in dict.fromkeys(lines)]
    if len(split) < 2:
        return ["|".join(parts) for parts in split]
    common = [part for part in split[0][1:] if all(part in parts for parts in split)]
    groups: dict[str, list[str]] = {}
    for name, *parts in split:
        groups.setdefault("|".join(p for p in parts if p not in common), []).append(name)
    own = [f"{', '.join(dict.fromkeys(names))}|{rest}" for rest, names in groups.items() if rest]
    return [f"all: {'|'.join(common)}", *own]


def to_tsv(scores: Scores) -> str:
    """Return one line a figure, values as full fractions whatever ``shown`` says."""
    records = scores.records()
    for record in records:
        record["skipped"] = "; ".join(f"{why}: {n}" for why, n in record["skipped"].items())
    return records_as_tsv(records, TSV_COLUMNS)


def items_to_tsv(scores: Scores) -> str:
    """Return one line a system, measure and item."""
    return records_as_tsv(scores.item_records(), ("system", "measure", "id", "value"))


def to_json(scores: Scores) -> str:
    """Return figures, item figures (where kept) and notes."""
    content: dict[str, object] = {"figures": scores.records()}
    if scores.per_item:
        content["items"] = scores.item_records()
    content["notes"] = {system: dict(notes) for system, notes in scores.notes.items()}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def systems_table(
    scores: Scores, comparison: Comparison | None = None, title: str = "", notes: Sequence[str] = ()
) -> Table:
    """Return systems as rows, measures as columns: for many systems; how many items as a note."""
    systems, rows = table_rows(scores)
    figures = {
        (system, row.label): number(row.cells[place])
        for place, system in enumerate(systems)
        for row in rows
    }
    counted = ", ".join(f"{row.label} {row.items}" for row in rows)
    return paper_table(figures, comparison, title, [f"Items: {counted}", *notes])


def scores_to_latex(scores: Scores, comparison: Comparison | None) -> str:
    """Return systems as rows, the best bold, with marks of significance where they were tested."""
    notes = signatures(row.signature for row in table_rows(scores)[1])
    return to_latex(systems_table(scores, comparison, scores_table(scores).title, notes))


def comparison_to_latex(comparison: Comparison) -> str:
    """Return the systems compared as rows, the best bold, with marks of significance."""
    figures = {
        (system, row.measure): shown(value, row.unit)
        for row in comparison.rows
        for system, value in ((row.first, row.first_value), (row.second, row.second_value))
    }
    title = comparison_table(comparison).title
    notes = signatures(row.signature for row in comparison.rows)
    return to_latex(paper_table(figures, comparison, title, notes))


def score_only(scores: Scores) -> str:
    """Return the bare figures: a line a system, tabs between measures."""
    systems, rows = table_rows(scores)
    cells = [[cell.text if cell else "" for cell in map(number, row.cells)] for row in rows]
    return lines(([row[place] for row in cells] for place in range(len(systems))), "\t")


def side_by_side_tsv(rows: Sequence[Row]) -> str:
    """Return the rows of two golds side by side."""
    header = ["measure", "system", "first", "rank", "second", "rank", "difference"]
    body = (
        [row.measure, row.system, repr(row.first), row.first_rank, repr(row.second),
         row.second_rank, f"{row.difference:+d}"]
        for row in rows
    )  # fmt: skip
    return lines([header, *body], "\t")


def _difference(row: Pair) -> Number:
    # Figures are rounded as the official script rounds; it prints no differences.
    return replace(scaled(row.difference, row.unit, row.low, row.high), kind="difference")


def _p(value: float | None) -> Number | None:
    return None if value is None else Number(value, digits=4, kind="p")


def _label(measure: str, subset: str, pos: str) -> str:
    extra = [part for part, all_ in ((subset, "ALL"), (pos, "all")) if part != all_]
    return " ".join([measure, *extra])
