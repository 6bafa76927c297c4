"""The tables of a run: one a task, each system beside its published row and its ceiling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from lexsub.evaluation.comparison import MARKS, Comparison, marks
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.published import published_system
from lexsub.experiments.results.rows import (
    FORMS,
    Row,
    difference,
    lettered,
    result_table,
    with_pairs_marked,
    write_table,
)  # fmt: skip
from lexsub.experiments.results.scoring import HEADERS, SystemScores, measure_names, task_measures
from lexsub.rankings import TASKS, Task
from lexsub.tables import Number, Table
from lexsub.tables.value import letter
from lexsub.tables.writers import to_markdown


def result_tables(
    experiment: Experiment,
    scores: Sequence[SystemScores],
    ceilings: Sequence[SystemScores],
    resources: Mapping[str, Mapping[str, str]],
) -> list[Table]:
    """Return a table for each task that some system answers.

    Args:
        experiment: gives titles, notes and the published rows to print.
        scores: the figures of each system, in the config's order.
        ceilings: the figures of a perfect ranker over the same system's candidates.
        resources: what was found under each resource's name; its version is noted.
    """
    found = tuple(
        f"Used here: {name} {described['version']}."
        for name, described in resources.items()
        if "version" in described
    )
    notes = experiment.table.notes
    title = experiment.table.title or experiment.table.name
    tables = []
    for task in TASKS:
        rows = tuple(_rows(experiment, task, scores, ceilings))
        if rows:
            heading = f"{title}: {task}, {experiment.table.data_name}"
            below = (*found, *notes.get("all", ()), *notes.get(task, ()))
            tables.append(result_table(task, heading, HEADERS[task], rows, below))
    extra = measure_names(" ".join(experiment.table.measures)) if experiment.table.measures else ()
    if extra:
        pairs = zip(scores, ceilings, strict=True)
        rows = tuple(
            (ours.name, kind, *one.cells(extra))
            for ours, ceiling in pairs
            for kind, one in (("ours", ours), ("ceiling", ceiling))
            if one.figures
        )
        heading = f"{title}: further measures, {experiment.table.data_name}"
        below = (*found, *notes.get("all", ()), *notes.get("measures", ()))
        tables.append(result_table("measures", heading, extra, rows, below))
    return tables


TABLES = "tables"
"""Their folder in a run's."""


def table_files(tables: Sequence[Table]) -> list[str]:
    """Return the names of the files that :func:`write_tables` writes."""
    return [f"{TABLES}/{table.name}.{ending}" for table in tables for ending in FORMS]


def write_tables(folder: Path, tables: Sequence[Table]) -> str:
    """Write tables as Markdown, LaTeX and CSV into a run's folder; return them all as Markdown.

    Raises:
        FileProblemError: the disk refuses.
    """
    for table in tables:
        write_table(folder / TABLES, table)
    return "\n".join(to_markdown(table) for table in tables)


def write_marked(
    folder: Path, tables: Sequence[Table], tests: Comparison, systems: Sequence[str]
) -> None:
    """Write the tables of tasks as LaTeX once more, with letters and marks of significance.

    Args:
        folder: of the run.
        tables: all tables.
        tests: of all pairs of systems.
        systems: names in the order of the letters.

    Raises:
        FileProblemError: the disk refuses.
    """
    letters = {name: letter(place) for place, name in enumerate(systems)}
    found = marks(tests, letters)
    for table in tables:
        measures = task_measures(table.name)
        if measures and tests.rows:
            named = {name: (sign, name) for name, sign in letters.items()}
            marked = with_pairs_marked(lettered(table, named, measures, found))
            write_table(folder / TABLES, replace(marked, notes=(*table.notes, MARKS)), ["tex"])


def _rows(
    experiment: Experiment,
    task: Task,
    scores: Sequence[SystemScores],
    ceilings: Sequence[SystemScores],
) -> Iterator[Row]:
    for system, ours, ceiling in zip(experiment.systems, scores, ceilings, strict=True):
        if task not in ours.tasks:
            continue
        row: Row = (ours.name, "ours", *ours.task_cells(task))
        yield row
        if system.published is not None:
            published = published_system(system.published)
            if task in published.figures:
                reported: Row = (
                    published.name, "published", *map(Number, published.figures[task])
                )  # fmt: skip
                yield reported
                yield difference(row, reported)
        if task in ceiling.tasks:
            yield (ours.name, "ceiling", *ceiling.task_cells(task))
