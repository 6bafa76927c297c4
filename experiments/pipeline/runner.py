"""Runs an experiment: models, candidates, rankings, answers, scores, report, each a kept stage.

Every stage is content-addressed (:mod:`lexsub.experiments.pipeline.store`), so an unchanged one is
reused, a killed run resumes behind its last finished stage, and the bytes are the same whatever
the number of workers.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tomli_w

from lexsub import __version__
from lexsub.data.catalogue import load
from lexsub.datasets import Dataset
from lexsub.errors import FileProblemError, LexsubError
from lexsub.evaluation.answers import check_ids
from lexsub.evaluation.scores import Scores
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.files import NamedPlaces, named_resources
from lexsub.experiments.pipeline.graph import DETAILS, Graph, PageMaker, Report
from lexsub.experiments.pipeline.known_models import note_models
from lexsub.experiments.pipeline.store import Store
from lexsub.experiments.pipeline.training import train_model
from lexsub.experiments.results import run_folder
from lexsub.experiments.results import tables as printed
from lexsub.experiments.results.config_tables import compare_systems, figure_table, read_answers
from lexsub.experiments.results.scoring import SystemScores
from lexsub.formats.outputs.catalogue import read_kind
from lexsub.languages import language_of
from lexsub.matching.policies import check_counts
from lexsub.parallel import connected
from lexsub.parts.build import parts_in
from lexsub.resources import Resources
from lexsub.storage.compression import look_for_reader
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
    report = report or (lambda _: None)
    notice = notice or report
    with connected(experiment.table.backend), run_folder.folder_to_fill(folder) as place:
        _check_place(place)
        named = named_resources(experiment, resources)
        store = Store(resources.cache, force)
        graph = _start(experiment, replace(resources, paths=named), store, report)
        result = _run(graph, experiment, place, allow_oracle, page, notice)
        for name in sorted(set(named) - named.asked):
            notice(f"resource {name} was asked for by no part; is it spelled as the part has it?")
    return replace(result, folder=folder)


def _run(
    graph: Graph,
    experiment: Experiment,
    folder: Path,
    allow_oracle: bool,
    page: PageMaker | None,
    notice: Report,
) -> Result:
    table, data = experiment.table, graph.data
    scores, ceilings, tested = [], [], []
    published: dict[str, Path] = {}
    files: dict[str, dict[Any, Path]] = {}
    for system in experiment.systems:
        written = not system.needs_gold or allow_oracle
        shown = page is not None and written
        finished = graph.run_system(system, explained=shown)
        if written:
            published |= finished.files()
        else:
            notice(f"{system.name}: looks at the gold; its answers are not written "
                   "(--allow-oracle)")  # fmt: skip
        if shown:
            published[f"details/{system.name}.jsonl"] = graph.details(system).folder / DETAILS
        if not system.needs_gold:
            tested.append(finished)
        scores.append(graph.score(finished, table))
        files[system.name] = {"ranking": finished.ranking, **finished.submissions()}
        ceilings.append(graph.ceiling(system, table))
    answers = read_answers(files) if table.comparisons or table.tables else {}
    compared = [compare_systems(one, data.gold, answers, table.seed) for one in table.comparisons]
    asked = [figure_table(one, data.gold, answers) for one in table.tables]
    tests = graph.tests(tested)
    document: dict[str, Any] = {
        "data": data.name,
        "gold_sha256": data.gold.sha256,
        "normalisation": data.gold.normalisation,
        "systems": [entry.as_json() for entry in scores],
        "ceilings": [entry.as_json() for entry in ceilings],
        "comparisons": [{"name": one.name, **rows.as_json()} for rows, one in compared],
        "tests": None if tests is None else tests.as_json(),
        "tables": [one.as_json() for one in asked],
    }
    tables = printed.result_tables(experiment, scores, ceilings, graph.notes)
    tables += [*asked, *(one for _, one in compared)]
    names = {"config.toml", "scores.json", "manifest.json", *published}
    names.update(printed.table_files(tables), () if page is None else ["report.html"])
    notes = _manifest(graph, names)
    # Written last, so that a run that fails leaves the folder of an earlier run unchanged.
    stale = run_folder.written_before(folder) - names
    with run_folder.renewing(folder, stale | names):
        write_text(folder / "config.toml", tomli_w.dumps(experiment.resolved()))
        for name, path in published.items():
            write_bytes(folder / name, read_bytes(path))
        write_text(folder / "scores.json", _json({k: v for k, v in document.items() if v}))
        text = printed.write_tables(folder, tables)
        if tests is not None:
            own = [system.name for system in experiment.systems]
            printed.write_marked(folder, tables, tests, own)
        run_folder.remove_stale(folder, stale)
        write_text(folder / "manifest.json", _json(notes))
    note_models(graph.resources.cache, experiment, graph.resources.models)
    if page is not None:
        made = graph.page(folder, page, _page_recipe(experiment, notes, allow_oracle))
        write_bytes(folder / "report.html", read_bytes(made))
    short = printed.summary(f"{table.title or table.name}, {table.data_name}", tables)
    return Result(folder, data, scores, ceilings, text, short)


def _manifest(graph: Graph, files: Iterable[str]) -> dict[str, Any]:
    """Return the manifest of a run: everything one needs to know to trust or repeat it."""
    resources = graph.resources
    return {
        "lexsub": __version__,
        "git_revision": _git_revision(),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        # Those that had a part in the stages, the reused ones among them.
        "libraries": graph.keys.libraries(),
        "command": [Path(sys.argv[0]).name, *sys.argv[1:]],
        "seed": resources.seed,
        "inputs": graph.keys.inputs,
        "resources": graph.notes,
        "stages": [
            {
                "stage": stage.name,
                "of": stage.label,
                "key": stage.key,
                "reused": stage.reused,
                "seconds": round(stage.seconds, 3),
            }
            for stage in graph.done
        ],
        "data": [str(folder.absolute()) for folder in resources.data],
        "models": {name: str(path) for name, path in resources.models.items()},
        "files": sorted(files),
    }


def _git_revision() -> str | None:
    """Return the revision of the checkout this runs from, ``+`` behind it where it was edited.

    None for an installed package.
    """
    home = Path(__file__).resolve().parents[2]
    if not (home / ".git").exists():
        return None
    call = ["git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=+"]
    try:
        found = subprocess.run(call, cwd=home, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return found.stdout.strip()


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
    for part in experiment.parts:
        places = {name: resources.cache / "to be trained" / name for name in experiment.models}
        models = NamedPlaces(places)
        try:
            for path in part.inputs(replace(resources, models=models)):
                look_for_reader(path)
        except (LexsubError, OSError):
            # The part reads a model that this run will train: it cannot be there yet.
            if not models.asked & experiment.models.keys():
                raise


def _check_extras(experiment: Experiment, language: str) -> None:
    """Miss a library that any stage will import before the first of them is made.

    Raises:
        MissingExtraError: it is not installed.
    """
    parts = [inner for part in experiment.parts for inner in parts_in(part)]
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
