"""Runs an experiment: models, candidates, rankings, answers, scores, each a kept stage.

Every stage is content-addressed (:mod:`experiments.store`), so an unchanged one is reused,
a killed run resumes behind its last finished stage, and the bytes are the same whatever
the number of workers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tomli_w

from boundary import BOUNDARIES
from candidates import DETECTORS, SOURCES
from experiments import stages
from experiments.config import Experiment, ExperimentTable, System
from experiments.manifest import manifest
from experiments.result_tables import result_tables, write_tables
from experiments.scoring import SystemScores, read_figures, write_figures
from experiments.store import Stage, Store, code_digest
from lexsub.data.catalogue import load
from lexsub.datasets import Dataset
from lexsub.files import read_bytes, sha256, write_bytes, write_text
from lexsub.formats.jsonl import read_candidates, read_rankings, write_candidates, write_rankings
from lexsub.formats.semeval_lines import write_submission
from lexsub.parts import build_part, describe_part
from lexsub.protocols import Boundary, BoundaryContext, Part, Reporting, Tuning
from lexsub.registry import Registry
from lexsub.resources import Resources
from lexsub.submissions import TASKS, Task
from rankers import RANKERS

Report = Callable[[str], None]
"""Receives one line about each stage as it finishes."""


@dataclass(frozen=True, slots=True)
class Result:
    """A finished run.

    Attributes:
        folder: where its files are.
        data: the data set split it worked on.
        scores: the figures of each system, in the config's order.
        ceilings: the figures of a perfect ranker over each system's candidates.
        tables: the tables as printed, in Markdown.
    """

    folder: Path
    data: Dataset
    scores: Sequence[SystemScores]
    ceilings: Sequence[SystemScores]
    tables: str


def run_experiment(
    experiment: Experiment,
    folder: Path,
    resources: Resources,
    *,
    force: bool = False,
    allow_oracle: bool = False,
    report: Report | None = None,
) -> Result:
    """Run an experiment and write its folder.

    Args:
        experiment: the checked configuration.
        folder: the run's folder; made if need be, its files replaced one by one.
        resources: where data sets and word lists are looked for, and the cache.
        force: recompute every stage.
        allow_oracle: write submissions of systems that look at the gold.
        report: told of each finished stage.

    Raises:
        LexsubError: an input is missing or not what it should be, or the disk refuses.
    """
    table = experiment.table
    report = report or _ignore
    resources = replace(
        resources,
        paths={name: experiment.folder / path for name, path in table.resources.items()}
        | dict(resources.paths),
        seed=table.seed,
        workers=table.workers,
        backend=table.backend,
    )
    # Read first: bad data must not leave a folder behind.
    work = _Work(load(table.data, resources.data), resources, Store(resources.cache, force), report)
    _sweep(folder)
    write_text(folder / "config.toml", tomli_w.dumps(experiment.resolved()))
    if table.tuning is not None:
        work.tuning = load(table.tuning, resources.data)
    for name, builder in experiment.models.items():
        work.build_model(name, builder, experiment.systems)
    scores, ceilings = [], []
    for system in experiment.systems:
        files = work.run_system(system)
        if not system.needs_gold or allow_oracle:
            _publish(files, folder)
        else:
            report(f"{system.name}: looks at the gold; its answers are not written "
                   "(--allow-oracle writes them)")  # fmt: skip
        scores.append(work.score(system.name, files, table))
        ceilings.append(work.ceiling(system, table))
    document = {
        "data": work.data.name,
        "gold_sha256": work.data.gold.sha256,
        "normalisation": table.normalisation,
        "systems": [entry.as_json() for entry in scores],
        "ceilings": [entry.as_json() for entry in ceilings],
    }
    write_text(folder / "scores.json", _json(document))
    text = write_tables(folder / "tables", result_tables(experiment, scores, ceilings, work.notes))
    notes = manifest(work.inputs, table.seed, work.done, work.notes)
    write_text(folder / "manifest.json", _json(notes))
    return Result(folder, work.data, scores, ceilings, text)


@dataclass
class _Work:
    """The run under way: its inputs, and the stages finished so far."""

    data: Dataset
    resources: Resources
    store: Store
    report: Report
    tuning: Dataset | None = None
    done: list[Stage] = field(default_factory=list)
    inputs: dict[str, str] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    # The latest candidates and rankings with their stage's key: the next stage mostly wants
    # just these, and reading them back costs more than making them.
    _pools: tuple[str, Any] = ("", None)
    _ranked: tuple[str, Any] = ("", None)
    _made: Any = None

    def __post_init__(self) -> None:
        self.inputs |= {str(path): digest for path, digest in self.data.files.items()}

    def build_model(self, name: str, builder: Any, systems: Sequence[System]) -> None:
        """Train a model (or reuse it) and make it known to the parts under its name.

        A builder with ``needs_words`` is told what the systems may answer.
        """
        resources, recipe = self.resources, {"part": repr(builder)}
        if getattr(builder, "needs_words", False):
            words = self._words(systems)
            resources = replace(resources, words=words)
            recipe["words"] = sha256("\n".join(sorted(words)).encode())
        stage = self._stage(
            "model",
            name,
            {**recipe, "inputs": self._digests(builder)},
            # A model takes long: it should not depend on code that has no part in it.
            getattr(builder, "code", ("candidates", "rankers")),
            lambda draft: builder.build(resources, draft),
        )
        self.resources = replace(
            self.resources, models={**self.resources.models, name: stage.folder}
        )

    def _words(self, systems: Sequence[System]) -> frozenset[str]:
        words = set()
        for data in filter(None, (self.data, self.tuning)):
            pos = {item.id: item.pos for item in data.items}
            pools = {stage.key: stage for stage in (self.candidates(s, data) for s in systems)}
            for stage in pools.values():
                read = read_candidates(stage.folder / "candidates.jsonl")
                words |= {f"{c.substitute}.{pos[item]}" for item in read for c in read[item]}
        return frozenset(words)

    def candidates(self, system: System, data: Dataset) -> Stage:
        """Generate the candidates of a system; systems with the same source share them."""
        part = system.candidates

        def make(draft: Path) -> None:
            pools = stages.generate(part, self.resources, data)
            write_candidates(draft / "candidates.jsonl", pools)

        recipe = self._recipe(SOURCES, part, data)
        return self._stage("candidates", system.name, recipe, ("lexsub", "candidates"), make)

    def rankings(self, system: System, data: Dataset) -> Stage:
        """Rank the candidates of a system."""
        pools = self.candidates(system, data)

        def make(draft: Path) -> None:
            self._pools = self._read(pools, self._pools, "candidates.jsonl", read_candidates)
            read = self._pools[1]
            ranked = stages.order(system.ranker, self.resources, data, read)
            write_rankings(draft / "rankings.jsonl", ranked)
            self._made = ranked

        recipe = self._recipe(RANKERS, system.ranker, data) | {
            "candidates": pools.key,
            "seed": self.resources.seed,
        }
        stage = self._stage("rankings", system.name, recipe, ("lexsub", "rankers"), make)
        self._ranked = self._keep(stage, self._ranked)
        return stage

    def run_system(self, system: System) -> dict[str, Path]:
        """Return the system's files by the name they get in the run's folder."""
        files, tuned = {}, None
        if self.tuning is not None:
            tuned = self.rankings(system, self.tuning)
            files[f"rankings/{system.name}.tuning.jsonl"] = tuned.folder / "rankings.jsonl"
        ranked = self.rankings(system, self.data)
        files[f"rankings/{system.name}.jsonl"] = ranked.folder / "rankings.jsonl"
        boundaries: dict[Task, Boundary] = {"best": system.best, "oot": system.oot}
        for task, boundary in boundaries.items():
            stage = self._answers(system, task, boundary, ranked, tuned)
            files[f"{system.name}.{task}"] = stage.folder / "answers"
        if system.mw is not None:
            files[f"{system.name}.mw"] = self._multiwords(system).folder / "answers"
        return files

    def _answers(
        self, system: System, task: Task, boundary: Boundary, ranked: Stage, tuned: Stage | None
    ) -> Stage:
        learns = boundary.needs_tuning and self.tuning is not None and tuned is not None

        def make(draft: Path) -> None:
            self._ranked = self._read(ranked, self._ranked, "rankings.jsonl", read_rankings)
            rankings = self._ranked[1]
            tuning = None
            if learns and self.tuning is not None and tuned is not None:
                read = read_rankings(tuned.folder / "rankings.jsonl")
                tuning = Tuning(read, self.tuning.gold)
            context = BoundaryContext(
                gold=self.data.gold if boundary.needs_gold else None,
                tuning=tuning,
                seed=self.resources.seed,
            )
            write_submission(draft / "answers", stages.cut(boundary, context, rankings), task)

        recipe = {"part": describe_part(BOUNDARIES, boundary), "rankings": ranked.key,
                  "task": task, "seed": self.resources.seed}  # fmt: skip
        if learns and self.tuning is not None and tuned is not None:
            recipe |= {"tuning": tuned.key, "tuning_gold": self.tuning.gold.sha256}
        if boundary.needs_gold:
            recipe["gold"] = self.data.gold.sha256
        return self._stage("answers", f"{system.name} {task}", recipe, ("lexsub", "boundary"), make)

    def _multiwords(self, system: System) -> Stage:
        part = system.mw
        assert part is not None  # asked for only where the system has one

        def make(draft: Path) -> None:
            answers = stages.detect(part, self.resources, self.data)
            write_submission(draft / "answers", answers, "mw")

        recipe = self._recipe(DETECTORS, part, self.data)
        return self._stage("answers", f"{system.name} mw", recipe, ("lexsub", "candidates"), make)

    def ceiling(self, system: System, table: ExperimentTable) -> SystemScores:
        """Score a perfect ranker over a system's candidates: the most any ranker could reach."""
        oracle = replace(
            system,
            name=f"{system.name}.ceiling",
            ranker=build_part(RANKERS, "oracle", "ceiling"),
            best=build_part(BOUNDARIES, {"name": "top-n", "n": 1}, "ceiling"),
            oot=build_part(BOUNDARIES, {"name": "top-n", "n": 10}, "ceiling"),
            mw=None,
        )
        return self.score(oracle.name, self.run_system(oracle), table)

    def score(self, name: str, files: Mapping[str, Path], table: ExperimentTable) -> SystemScores:
        """Score a system's files."""
        answers = {task: path for file, path in files.items() for task in TASKS
                   if file.endswith(f".{task}")}  # fmt: skip
        rankings = next(path for file, path in files.items() if file.startswith("rankings/"))

        def make(draft: Path) -> None:
            write_figures(draft / "figures.json", self.data.gold, answers, rankings,
                          table.measures, table.normalisation, table.seed)  # fmt: skip

        recipe = {
            "data": self._data_key,
            "answers": {task: path.parent.name for task, path in answers.items()},
            "rankings": rankings.parent.name if table.measures else None,
            "measures": table.measures,
            "normalisation": table.normalisation,
            "seed": table.seed,
        }
        stage = self._stage("scores", name, recipe, ("lexsub", "evaluation"), make)
        return read_figures(stage.folder / "figures.json", name, tuple(answers))

    def _keep(self, stage: Stage, latest: tuple[str, Any]) -> tuple[str, Any]:
        """Return what a stage has just made with its key, or what was kept before."""
        made, self._made = self._made, None
        return latest if made is None else (stage.key, made)

    @staticmethod
    def _read(
        stage: Stage, latest: tuple[str, Any], name: str, reader: Callable[[Path], Any]
    ) -> tuple[str, Any]:
        """Return the content of a stage's file with its key, read only if it is not kept."""
        return latest if latest[0] == stage.key else (stage.key, reader(stage.folder / name))

    def _recipe(self, registry: Registry[Any], part: Part, data: Dataset) -> dict[str, Any]:
        if isinstance(part, Reporting):
            self.notes |= part.report(self.resources)
        return {
            "part": describe_part(registry, part),
            "data": [data.name, *data.files.values()],
            "inputs": self._digests(part),
        }

    def _digests(self, part: Part) -> list[str]:
        digests = {str(path): self.store.digest(path) for path in part.inputs(self.resources)}
        self.inputs |= digests
        return list(digests.values())

    def _stage(
        self,
        name: str,
        label: str,
        recipe: Mapping[str, Any],
        packages: Sequence[str],
        make: Callable[[Path], None],
    ) -> Stage:
        stage = self.store.stage(name, {**recipe, "code": code_digest(*packages)}, make)
        if stage.key not in {done.key for done in self.done}:
            state = "reused" if stage.reused else f"{stage.seconds:.1f} s"
            self.report(f"{name:<10} {label}: {state}")
            self.done.append(stage)
        return stage


def _ignore(line: str) -> None:
    del line


def _publish(files: Mapping[str, Path], folder: Path) -> None:
    """Copy a system's files into the run's folder, each whole or not at all."""
    for name, path in files.items():
        write_bytes(folder / name, read_bytes(path))


def _sweep(folder: Path) -> None:
    """Remove what an earlier run that was killed left half-written."""
    for part in (*folder.glob(".*.part"), *folder.glob("*/.*.part")):
        part.unlink(missing_ok=True)


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
