"""Paired tests that a config asks for: is the difference between its systems more than chance?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lexsub.errors import LexsubError
from lexsub.evaluation.comparison import Comparison, compare
from lexsub.evaluation.scoring import Interval
from lexsub.experiments.config.schema import ComparisonTable
from lexsub.experiments.results.rows import Row, result_table
from lexsub.golds import Gold
from lexsub.tables import Number, Table

TESTED = ("best-R", "best-mode-R", "oot-R", "oot-mode-R")
"""Measures under which all systems of a run are tested against one another."""

COLUMNS = ("A", "B", "A-B", "bootstrap p", "randomised p", "Holm p")


@dataclass(frozen=True, slots=True)
class Compared:
    """A finished comparison.

    Attributes:
        name: of the table.
        comparison: rows and hypotheses.
        table: as printed.
    """

    name: str
    comparison: Comparison
    table: Table

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON values; undefined figures are null."""
        return {"name": self.name, **self.comparison.as_json()}


def all_pairs(gold: Gold, answers: Mapping[str, Any]) -> Comparison | None:
    """Test every pair of systems under :data:`TESTED`.

    Returns:
        None for fewer than two systems, or none that can be compared.
    """
    if len(answers) < 2:
        return None
    try:
        return compare(gold, answers, TESTED)
    except LexsubError:  # the systems answer different tasks
        return None


def compare_systems(
    table: ComparisonTable,
    gold: Gold,
    answers: Mapping[str, Any],
    seed: int,
) -> Compared:
    """Test the differences between some systems of a run.

    Args:
        table: which systems and measures.
        gold: the gold.
        answers: systems' answers as :func:`~lexsub.experiments.results.figure_tables.read_answers`
            reads them.
        seed: of the resampling.

    Raises:
        LexsubError: no measure for which all of the systems have answers.
    """
    found = compare(
        gold,
        {name: answers[name] for name in table.systems},
        table.measures,
        pairs=table.pairs,
        resampling=Interval(table.resamples, table.unit, seed=seed),
    )
    rows: list[Row] = []
    for row in found.rows:
        # In percent like every table of a run; scores.json has the figures as they are.
        values = (
            Number(100 * row.first_value),
            Number(100 * row.second_value),
            Number(100 * row.difference, 100 * row.low, 100 * row.high),
            *(Number(p, digits=4) for p in (row.bootstrap_p, row.randomisation_p, row.holm_p)),
        )
        cells = (None if math.isnan(cell.value) else cell for cell in values)
        rows.append((f"{row.first} - {row.second}", row.measure, *cells))
    notes = " ".join(found.hypothesis.splitlines())
    printed = result_table(table.name, table.title, COLUMNS, rows, (notes,))
    return Compared(table.name, found, printed)
