"""Tables that a config asks for: some measures, by part of speech if wanted, beside a paper's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lexsub.evaluation.scores import Scores
from lexsub.evaluation.scoring import evaluate
from lexsub.experiments.config.schema import FigureTable
from lexsub.experiments.results.rows import Row, difference, result_table
from lexsub.experiments.results.scoring import measure_names
from lexsub.formats.jsonl import read_rankings
from lexsub.formats.semeval_lines import read_submission
from lexsub.golds import Gold
from lexsub.submissions import TASKS
from lexsub.tables import Number, Table

POS = {"all": "all", "n": "nouns", "a": "adjectives", "v": "verbs", "r": "adverbs"}
"""Columns of a table by part of speech, in the order of the papers."""


def figure_table(table: FigureTable, gold: Gold, answers: Mapping[str, Any]) -> Table:
    """Compute a table.

    Args:
        table: what it shows.
        gold: the gold.
        answers: systems' answers as :func:`read_answers` reads them.
    """
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
