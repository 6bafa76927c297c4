"""Tables that a config asks for: of some measures, beside those of a paper, and of paired tests."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lexsub.datasets import Gold
from lexsub.errors import LexsubError
from lexsub.evaluation.comparison import Comparison, compare
from lexsub.evaluation.resampling import Interval
from lexsub.evaluation.scores import Scores
from lexsub.evaluation.scoring import evaluate
from lexsub.experiments.config.schema import ComparisonTable, FigureTable
from lexsub.experiments.results.scoring import measure_names, read_submissions
from lexsub.experiments.results.tables import NAMES, TESTED_COLUMNS, Row, difference, result_table
from lexsub.formats.jsonl import read_rankings
from lexsub.rankings import Task
from lexsub.storage.files import read_text, write_text
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
    # Published rows of systems that are not in the run stand below, to compare with.
    for name, figures in table.published.items():
        if name not in answers:
            rows.append((name, "published", *map(Number, figures)))
    return result_table(table.name, table.title, columns, rows)


def read_answers(answers: Mapping[str, Mapping[Any, Path]]) -> dict[str, Any]:
    """Read systems' files, as evaluation takes them.

    Args:
        answers: system to its files by task, and its rankings as ``ranking``.
    """
    return {
        name: {"ranking": read_rankings(files["ranking"]), **read_submissions(files)}
        for name, files in answers.items()
    }


def _cells(
    scores: Scores, system: str, measures: Sequence[str], groups: Sequence[str]
) -> tuple[Number | None, ...]:
    found = {(f.measure, f.pos): f.value for f in scores if f.system == system}
    values = [found.get((measure, pos), math.nan) for measure in measures for pos in groups]
    return tuple(None if math.isnan(value) else Number(100 * value) for value in values)


TESTED = ("best-R", "best-mode-R", "oot-R", "oot-mode-R")
"""Measures under which all systems of a run are tested against one another."""


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


def write_tests(path: Path, gold: Gold, answers: Mapping[str, Mapping[Task, Path]]) -> None:
    """Test every pair of systems, and write what comes of it; null where none can be compared.

    Args:
        path: the file to write.
        gold: the gold.
        answers: the submission files of each system by task.
    """
    found = all_pairs(gold, {name: read_submissions(files) for name, files in answers.items()})
    write_text(path, json.dumps(found and found.as_json(), indent=1) + "\n")


def read_tests(path: Path) -> Comparison | None:
    """Read back what :func:`write_tests` wrote."""
    document = json.loads(read_text(path))
    return None if document is None else Comparison.of_json(document)


def compare_systems(
    table: ComparisonTable, gold: Gold, answers: Mapping[str, Any], seed: int
) -> tuple[Comparison, Table]:
    """Test the differences between some systems of a run; return the rows, and as printed.

    Args:
        table: which systems and measures.
        gold: the gold.
        answers: systems' answers as :func:`read_answers` reads them.
        seed: of the resampling.

    Raises:
        LexsubError: no measure for which all of the systems have answers.
    """
    chosen = {name: answers[name] for name in table.systems}
    resampling = Interval(table.resamples, table.unit, seed=seed)
    found = compare(gold, chosen, table.measures, pairs=table.pairs, resampling=resampling)
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
    columns = ("systems", "measure", *TESTED_COLUMNS)
    return found, Table(table.title, columns, tuple(rows), (notes,), len(NAMES), table.name)
