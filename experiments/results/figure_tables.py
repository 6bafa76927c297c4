"""Tables that a config asks for: some measures, by part of speech if wanted, beside a paper's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from experiments.results.scoring import measure_names
from experiments.results.tables import Row, difference, result_table
from lexsub.formats.jsonl import read_rankings
from lexsub.formats.semeval_lines import read_submission
from lexsub.golds import Gold
from lexsub.submissions import TASKS
from lexsub.tables import Number, Table

if TYPE_CHECKING:
    from evaluation.scores import Scores

POS = {"all": "all", "n": "nouns", "a": "adjectives", "v": "verbs", "r": "adverbs"}
"""Columns of a table by part of speech, in the order of the papers."""


SLUG = r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$"
"""Names that become files: no folder, no hidden file, not too long with an ending behind it."""


class FigureTable(BaseModel):
    """``[[tables]]``: a table of figures in percent."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=SLUG)
    """Names its files."""
    title: str
    """Heads it."""
    measures: str
    """What it shows, as ``coverage-F@1..10``."""
    by_pos: bool = False
    """Whether each figure is also given for each part of speech."""
    published: dict[str, tuple[float, ...]] = Field(default_factory=dict)
    """Rows of the paper by system, in the table's columns, in percent."""


def figure_table(table: FigureTable, gold: Gold, answers: Mapping[str, Any]) -> Table:
    """Compute a table.

    Args:
        table: what it shows.
        gold: the gold.
        answers: systems' answers as :func:`read_answers` reads them.
    """
    # Whoever only reads a config does without.
    from evaluation.scoring import evaluate

    scores = evaluate(gold, answers, table.measures, by_pos=table.by_pos, interval=None)
    measures = measure_names(table.measures)
    groups = POS if table.by_pos else {"all": "all"}
    columns = [
        name if len(measures) == 1 else measure if not table.by_pos else f"{measure} {name}"
        for measure in measures
        for name in groups.values()
    ]
    rows: list[Row] = []
    for system in answers:
        ours: Row = (system, "ours", *_cells(scores, system, measures, tuple(groups)))
        rows.append(ours)
        if system in table.published:
            published: Row = (system, "published", *map(Number, table.published[system]))
            rows += [published, difference(ours, published)]
    return result_table(table.name, table.title, columns, rows)


def read_answers(answers: Mapping[str, Mapping[str, Path]]) -> dict[str, Any]:
    """Read systems' files, as evaluation takes them.

    Args:
        answers: system to its files by task, and its rankings as ``ranking``.
    """
    return {
        name: {
            "ranking": read_rankings(files["ranking"]),
            **{t: read_submission(files[t], t, strict=False) for t in TASKS if t in files},
        }
        for name, files in answers.items()
    }


def _cells(
    scores: Scores, system: str, measures: Sequence[str], groups: Sequence[str]
) -> tuple[Number | None, ...]:
    found = {(f.measure, f.pos): f.value for f in scores if f.system == system}
    values = [found.get((measure, pos), math.nan) for measure in measures for pos in groups]
    return tuple(None if math.isnan(value) else Number(100 * value) for value in values)
