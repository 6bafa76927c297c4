"""Paired tests that a config asks for: is the difference between its systems more than chance?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from experiments.results.figure_tables import SLUG
from experiments.results.tables import Row, result_table
from lexsub.golds import Gold
from lexsub.tables import Number, Table

if TYPE_CHECKING:
    from evaluation.comparison import Comparison

COLUMNS = ("A", "B", "A-B", "bootstrap p", "randomised p", "Holm p")


class ComparisonTable(BaseModel):
    """``[[comparisons]]``: systems of the run compared pairwise, with paired tests."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=SLUG)
    """Names its files and its place in ``scores.json``."""
    title: str
    """Heads it."""
    systems: tuple[str, ...] = Field(min_length=2)
    """Which systems, the one expected to be best first: differences are first minus second."""
    measures: str
    """Under which measures, as ``coverage-R optimal-F``."""
    pairs: Literal["all", "first"] = "all"
    """Every pair, or the first system with each other one."""
    unit: Literal["target", "item"] = "target"
    """What is resampled: whole targets, or single items (too narrow: a target's are alike)."""
    resamples: int = Field(default=10_000, ge=100)
    """Of both tests; their seed is the config's."""


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
        rows = [
            {key: None if isinstance(value, float) and math.isnan(value) else value
             for key, value in row.items()}
            for row in self.comparison.records()
        ]  # fmt: skip
        return {"name": self.name, "rows": rows, "hypothesis": self.comparison.hypothesis}


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
        answers: systems' answers as :func:`~experiments.results.figure_tables.read_answers`
            reads them.
        seed: of the resampling.

    Raises:
        LexsubError: no measure for which all of the systems have answers.
    """
    # Whoever only reads a config does without.
    from evaluation.comparison import compare
    from evaluation.scoring import Interval

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
