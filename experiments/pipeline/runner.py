"""Runs an experiment: models, candidates, rankings, answers, scores, report, each a kept stage.

Every stage is content-addressed (:mod:`lexsub.experiments.pipeline.store`), so an unchanged one is
reused, a killed run resumes behind its last finished stage, and the bytes are the same whatever
the number of workers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tomli_w

from lexsub.data.catalogue import load
from lexsub.datasets import Dataset
from lexsub.errors import FileProblemError, LexsubError
from lexsub.evaluation.answers import check_ids
from lexsub.evaluation.scores import Scores
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.files import NamedPlaces, named_resources
from lexsub.experiments.pipeline.graph import DETAILS, Graph, PageMaker, Report
from lexsub.experiments.pipeline.known_models import note_models
from lexsub.experiments.pipeline.manifest import manifest
from lexsub.experiments.pipeline.store import Store
from lexsub.experiments.pipeline.training import train_model
from lexsub.experiments.results.config_tables import compare_systems, figure_table, read_answers
from lexsub.experiments.results.run_folder import (
    folder_to_fill,
    remove_stale,
    renewing,
    written_before,
)
from lexsub.experiments.results.scoring import SystemScores
from lexsub.experiments.results.tables import (
    result_tables,
    summary,
    table_files,
    write_marked,
    write_tables,
)
from lexsub.formats.outputs.answer_files import read_kind
from lexsub.languages import language_of
from lexsub.matching.policies import check_counts
from lexsub.parallel import connected
from lexsub.parts.base import Part
from lexsub.parts.build import parts_in
from lexsub.resources import Resources
from lexsub.storage.files import read_bytes, write_bytes, write_text, writing
from lexsub.storage.memory import seldom_collected
from lexsub.tables import Table, Tabular


@dataclass(frozen=True, slots=True, repr=False)
class Result(Tabular):
    """A finished run.

    Attributes:
        folder: where its files are.
        data: the data set split it worked on.
        scores: the figures of each system, in the config's order.
        ceilings: the figures of a perfect ranker over each system's candidates.
        tables: all tables in Markdown.
        summary: the tables as printed, short enough for one screen.
    """

    folder: Path
    data: Dataset
    scores: Sequence[SystemScores]
    ceilings: Sequence[SystemScores]
    tables: str
    summary: Sequence[Table] = ()

    def records(self) -> list[dict[str, Any]]:
        """Return a row a system and figure; values are fractions."""
        return [
            {"system": one.name, "kind": kind, **row}
            for kind, systems in (("ours", self.scores), ("ceiling", self.ceilings))
            for one in systems
            for row in Scores(tuple(one.figures.values())).records()
        ]

    def _flat(self) -> list[dict[str, Any]]:
        return [row | {"skipped": sum(row["skipped"].values())} for row in self.records()]

    def view(self) -> Table:
        """Return the figures of all systems."""
        figures = tuple(figure for one in self.scores for figure in one.figures.values())
        view = Scores(figures).view()
        names = ", ".join(one.name for one in self.scores)
        return Table(f"{self.folder}: {names} on {self.data.name}", view.columns, view.rows)


@seldom_collected()
def run_experiment(
    experiment: Experiment,
    folder: Path,
    resources: Resources,
    *,
    force: bool = False,
    allow_oracle: bool = False,
    page: PageMaker | None = None,
    report: Report | None = None,
    notice: Report | None = None,
) -> Result:
    """Run an experiment and write its folder.

    Args:
        experiment: the checked configuration.
        folder: the run's folder, here or an address; made if need be, its files replaced when all
            are made.
        resources: where data sets and word lists are looked for, and the cache.
        force: recompute every stage.
        allow_oracle: write submissions of systems that look at the gold.
        page: makes ``report.html`` (:func:`lexsub.experiments.report.write_report`); with it come
            the details that the page shows, for which rankers say what their scores are made of.
            Whoever wants figures alone goes without.
        report: told of each finished stage.
        notice: told of what to know besides; None for ``report``.

    Raises:
        LexsubError: an input is missing or not what it should be, or the disk refuses.
    """
    tell = report or _ignore
    with connected(experiment.table.backend), folder_to_fill(folder) as place:
        result = _run(
            experiment, place, resources, force, allow_oracle, page, tell, notice or tell
        )  # fmt: skip
    return replace(result, folder=folder)


def _run(
    experiment: Experiment,
    folder: Path,
    resources: Resources,
    force: bool,
    allow_oracle: bool,
    page: PageMaker | None,
    report: Report,
    notice: Report,
) -> Result:
    table = experiment.table
    _check_place(folder)
    named = named_resources(experiment, resources)
    graph = _start(
        experiment, replace(resources, paths=named), Store(resources.cache, force), report
    )
    scores, ceilings, tested = [], [], []
    published: dict[str, Path] = {}
    files: dict[str, dict[str, Path]] = {}
    for system in experiment.systems:
        shown = page is not None and (not system.needs_gold or allow_oracle)
        finished = graph.run_system(system, explained=shown)
        if not system.needs_gold or allow_oracle:
            published |= finished.files()
        else:
            notice(f"{system.name}: looks at the gold; its answers are not written "
                   "(--allow-oracle)")  # fmt: skip
        if shown:
            details = graph.details(system)
            published[f"details/{system.name}.jsonl"] = details.folder / DETAILS
        if not system.needs_gold:
            tested.append(finished)
        scores.append(graph.score(finished, table))
        submissions = {str(task): path for task, path in finished.submissions().items()}
        files[system.name] = {"ranking": finished.ranking} | submissions
        ceilings.append(graph.ceiling(system, table))
    document: dict[str, Any] = {
        "data": graph.data.name,
        "gold_sha256": graph.data.gold.sha256,
        "normalisation": graph.data.gold.normalisation,
        "systems": [entry.as_json() for entry in scores],
        "ceilings": [entry.as_json() for entry in ceilings],
    }
    answers = read_answers(files) if table.comparisons or table.tables else {}
    compared = [
        compare_systems(one, graph.data.gold, answers, table.seed) for one in table.comparisons
    ]
    if compared:
        document["comparisons"] = [one.as_json() for one in compared]
    asked = [figure_table(one, graph.data.gold, answers) for one in table.tables]
    tests = graph.tests(tested)
    if tests is not None:
        document["tests"] = tests.as_json()
    if asked:
        document["tables"] = [one.as_json() for one in asked]
    tables = result_tables(experiment, scores, ceilings, graph.notes)
    tables += [*asked, *(one.table for one in compared)]
    notes = manifest(graph.keys.inputs, graph.keys.libraries(), table.seed, graph.done, graph.notes)
    notes["data"] = [str(folder.absolute()) for folder in resources.data]
    notes["models"] = {name: str(path) for name, path in graph.resources.models.items()}
    written = {"config.toml", "scores.json", "manifest.json", *published, *table_files(tables)}
    notes["files"] = sorted(written | {"report.html"} if page is not None else written)
    # Written last, so that a run that fails leaves the folder of an earlier run unchanged.
    stale = written_before(folder) - set(notes["files"])
    with renewing(folder, stale | set(notes["files"])):
        write_text(folder / "config.toml", tomli_w.dumps(experiment.resolved()))
        for name, path in published.items():
            write_bytes(folder / name, read_bytes(path))
        write_text(folder / "scores.json", _json(document))
        text = write_tables(folder, tables)
        if tests is not None:
            names = [system.name for system in experiment.systems]
            write_marked(folder, tables, tests, names)
        remove_stale(folder, stale)
        write_text(folder / "manifest.json", _json(notes))
    note_models(resources.cache, experiment, graph.resources.models)
    if page is not None:
        made = graph.page(folder, page, _page_recipe(experiment, notes, allow_oracle))
        write_bytes(folder / "report.html", read_bytes(made))
    for name in sorted(set(named) - named.asked):
        notice(f"resource {name} was asked for by no part; is it spelled as the part has it?")
    short = summary(f"{table.title or table.name}, {table.data_name}", tables)
    return Result(folder, graph.data, scores, ceilings, text, short)


def _page_recipe(
    experiment: Experiment, notes: Mapping[str, Any], allow_oracle: bool
) -> dict[str, Any]:
    """Return what the report of a run depends on: all but when and where it ran."""
    idle = ("command", "stages", "inputs", "models", "files")
    return {
        "config": experiment.resolved(),
        "notes": {key: value for key, value in notes.items() if key not in idle},
        "inputs": list(notes["inputs"].values()),
        "stages": [[stage["stage"], stage["of"], stage["key"]] for stage in notes["stages"]],
        "oracle": allow_oracle,
    }


def _start(experiment: Experiment, resources: Resources, store: Store, report: Report) -> Graph:
    """Read the data and build the models."""
    table = experiment.table
    data = load(table.data, resources.data, table.language).under(table.normalisation)
    resources = replace(resources, language=data.language, seed=table.seed,
                        workers=table.workers, backend=table.backend)  # fmt: skip
    if data.gold.normalisation == "official":
        # Checked before the ranking, which may take hours.
        check_counts(data.gold.items.values())
    tuning = None
    if table.tuning is not None:
        tuning = load(table.tuning, resources.data, data.language).under(table.normalisation)
    _check_answers(experiment, data)
    _check_inputs(experiment, resources)
    _check_extras(experiment, data.language)
    systems = {system.name: system for system in experiment.systems}
    graph = Graph(data, resources, store, report, tuning, systems)
    for name, builder in experiment.models.items():
        train_model(graph, name, builder)
    return graph


def _ignore(line: str) -> None:
    del line


def _check_answers(experiment: Experiment, data: Dataset) -> None:
    """Read other programs' files of answers before any work is done.

    Raises:
        LexsubError: one is not there, not as it should be, or of other data.
    """
    for system in experiment.systems:
        files = {kind: read_kind(Path(file), kind) for kind, file in system.answers.items()}
        if files:
            check_ids({system.name: files}, data.gold)


def _check_inputs(experiment: Experiment, resources: Resources) -> None:
    """Ask every part for its files before any of them works; models to be trained count as there.

    Raises:
        LexsubError: something is not there; as the part says it.
    """
    parts: list[Any] = [*experiment.models.values()]
    for system in experiment.systems:
        parts += [system.candidates, system.ranker, *([system.mw] if system.mw else [])]
    for part in parts:
        places = {name: resources.cache / "to be trained" / name for name in experiment.models}
        models = NamedPlaces(places)
        try:
            part.inputs(replace(resources, models=models))
        except (LexsubError, OSError):
            # The part reads a model that this run will train: it cannot be there yet.
            if not models.asked & experiment.models.keys():
                raise


def _check_extras(experiment: Experiment, language: str) -> None:
    """Miss a library that any stage will import before the first of them is made.

    Raises:
        MissingExtraError: it is not installed.
    """
    parts: list[Part] = [*experiment.models.values()]
    for system in experiment.systems:
        parts += [system.candidates, system.ranker, *system.boundaries.values()]
        parts += [system.mw] if system.mw else []
    parts = [inner for part in parts for inner in parts_in(part)]
    if any(part.inflected for part in parts):
        language_of(language).prepare()
    for part in parts:
        part.check_extras()


def _check_place(folder: Path) -> None:
    """Find out before hours of work, not after, that the folder cannot be made."""
    with writing(folder):  # a name may be too long
        place = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    if not place.is_dir():
        raise FileProblemError(folder, f"cannot be written: {place} is not a directory")
    if not os.access(place, os.W_OK):
        raise FileProblemError(folder, f"cannot be written: no permission to write in {place}")


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
