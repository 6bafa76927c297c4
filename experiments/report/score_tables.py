"""The score tables of a report: rows with letters, and significance marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from lexsub.experiments.report.material import Material, Run
from lexsub.experiments.results.result_tables import result_tables
from lexsub.experiments.results.rows import ceilings as bounds_of
from lexsub.experiments.results.rows import lettered, with_pairs_marked
from lexsub.experiments.results.scoring import task_measures
from lexsub.tables import Table


def score_tables(material: Material, marks: Mapping[tuple[str, str], str]) -> list[Table]:
    """Return the tables of all runs, those of one task as one table.

    A row begins with the system's letter ("" for another's figures), its name, and the kind.

    Args:
        material: the runs.
        marks: see :func:`lexsub.evaluation.comparison.marks`.
    """
    found: dict[tuple[str, tuple[str, ...]], Table] = {}
    for run in material.runs:
        for table in _tables(run, marks):
            key = (table.name, tuple(table.columns))
            before = found.get(key)
            if before is not None:
                notes = tuple(dict.fromkeys((*before.notes, *table.notes)))
                table = replace(before, rows=(*before.rows, *table.rows), notes=notes)
            found[key] = table
    return list(map(with_pairs_marked, found.values()))


def _tables(run: Run, marks: Mapping[tuple[str, str], str]) -> Iterator[Table]:
    scores, ceilings = ([getattr(s, kind) for s in run.systems] for kind in ("scores", "ceiling"))
    resources = run.manifest.get("resources", {})
    systems = {system.part.name: (system.letter, system.name) for system in run.systems}
    for table in result_tables(run.experiment, scores, ceilings, resources):
        yield lettered(_with_ceilings_once(table), systems, task_measures(table.name), marks)
    for table in run.tables:
        yield lettered(table, systems, task_measures(table.name), marks)


def _with_ceilings_once(table: Table) -> Table:
    bounds = bounds_of([tuple(row) for row in table.rows if row[1] == "ceiling"])
    named = [(name or "all systems", *cells) for name, *cells in bounds]
    return replace(table, rows=(*(row for row in table.rows if row[1] != "ceiling"), *named))
