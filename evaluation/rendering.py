"""Scores and comparisons for papers and programs: LaTeX, TSV, JSON; two golds side by side."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lexsub.evaluation.comparison import MARKS, Comparison, marked, marks
from lexsub.evaluation.figures import number, shown
from lexsub.evaluation.scores import Scores, scores_table, table_rows
from lexsub.tables.value import Entry, Table, letter
from lexsub.tables.writers import lines, records_as_tsv, to_latex

TSV_COLUMNS = "system measure subset pos value low high shown items attempted skipped signature"


def paper_table(
    figures: Mapping[tuple[str, str], Entry],
    comparison: Comparison | None = None,
    title: str = "",
    notes: Sequence[str] = (),
) -> Table:
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
    names, below = (2, [MARKS, *comparison.hypothesis.splitlines()]) if comparison else (1, [])
    rows: list[tuple[Entry, ...]] = []
    for system in systems:
        keys = [(system, measure) for measure in measures]
        cells = [marked(figures.get(key), beaten.get(key, "")) for key in keys]
        rows.append((letters[system], system, *cells)[2 - names :])
    columns = ("", "system", *measures)[2 - names :]
    return Table(title, columns, rows, (*notes, *below), names).best(range(len(systems)))


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
    """Return one line a figure; values are unrounded fractions, also where ``shown`` is ``%``."""
    records = scores.records()
    for record in records:
        record["skipped"] = "; ".join(f"{why}: {n}" for why, n in record["skipped"].items())
    return records_as_tsv(records, TSV_COLUMNS.split())


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
    counted = ", ".join(f"{row.label} {row.first.items}" for row in rows)
    return paper_table(figures, comparison, title, [f"Items: {counted}", *notes])


def scores_to_latex(scores: Scores, comparison: Comparison | None) -> str:
    """Return systems as rows, the best bold, with marks of significance where they were tested."""
    notes = signatures(row.first.signature for row in table_rows(scores)[1])
    return to_latex(systems_table(scores, comparison, scores_table(scores).title, notes))


def comparison_to_latex(comparison: Comparison) -> str:
    """Return the systems compared as rows, the best bold, with marks of significance."""
    figures = {
        (system, row.measure): shown(value, row.unit)
        for row in comparison.rows
        for system, value in ((row.first, row.first_value), (row.second, row.second_value))
    }
    title = comparison.view().title
    notes = signatures(row.signature for row in comparison.rows)
    return to_latex(paper_table(figures, comparison, title, notes))


def score_only(scores: Scores) -> str:
    """Return the bare figures: a line a system, tabs between measures."""
    systems, rows = table_rows(scores)
    cells = [[cell.text if cell else "" for cell in map(number, row.cells)] for row in rows]
    return lines(([row[place] for row in cells] for place in range(len(systems))), "\t")


@dataclass(frozen=True, slots=True)
class TwoGolds:
    """One system under one measure.

    Attributes:
        measure: the measure, as it prints.
        system: the system.
        first: its figure on the first gold.
        first_rank: its place there, 1 for the best; equal figures share the better place.
        second: its figure on the second gold.
        second_rank: its place there.
    """

    measure: str
    system: str
    first: float
    first_rank: int
    second: float
    second_rank: int

    @property
    def difference(self) -> int:
        """Rank on the second gold minus rank on the first: -1 for a place gained."""
        return self.second_rank - self.first_rank


def side_by_side(first: Scores, second: Scores) -> list[TwoGolds]:
    """Set two evaluations of the same systems beside each other.

    Ranks are taken on the unrounded figures, so systems that print alike may differ in rank;
    rows come by falling figure on the second gold, as in the paper's tables.
    """
    one, two = _values(first), _values(second)
    rows = []
    for measure, values in one.items():
        others = two.get(measure, {})
        shared = [system for system in values if system in others]
        found = [
            TwoGolds(measure, name, *_placed(name, values, shared), *_placed(name, others, shared))
            for name in shared
        ]
        rows += sorted(found, key=lambda row: row.second_rank)
    return rows


def _values(scores: Scores) -> dict[str, dict[str, float]]:
    values: dict[str, dict[str, float]] = {}
    for figure in scores:
        if (figure.subset, figure.pos) == ("ALL", "all"):
            values.setdefault(figure.measure, {})[figure.system] = figure.value
    return values


def _placed(system: str, values: Mapping[str, float], among: list[str]) -> tuple[float, int]:
    return values[system], 1 + sum(values[other] > values[system] for other in among)


def side_by_side_tsv(rows: Sequence[TwoGolds]) -> str:
    """Return the rows of two golds side by side."""
    header = ["measure", "system", "first", "rank", "second", "rank", "difference"]
    body = []
    for row in rows:
        placed = repr(row.first), row.first_rank, repr(row.second), row.second_rank
        body.append([row.measure, row.system, *placed, f"{row.difference:+d}"])
    return lines([header, *body], "\t")
