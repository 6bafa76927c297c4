"""Which stages a run has: for each, its key, its maker, and the stages before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import getfile
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from lexsub.datasets import Dataset
from lexsub.evaluation.comparison import Comparison
from lexsub.experiments.config.experiment import System
from lexsub.experiments.config.schema import ExperimentTable
from lexsub.experiments.pipeline.keys import Key, Keys
from lexsub.experiments.pipeline.makers import answers, candidates, features, rankings
from lexsub.experiments.pipeline.store import Stage, Store
from lexsub.experiments.results import scoring
from lexsub.experiments.results.config_tables import read_tests, write_tests
from lexsub.experiments.results.scoring import SystemScores
from lexsub.parts import base
from lexsub.parts.base import Boundary
from lexsub.parts.build import build_part, describe_part
from lexsub.parts.checked import open_checked
from lexsub.progress import under_way
from lexsub.rankings import TASKS, Pools, Ranking, ScoreParts, Task
from lexsub.resources import Resources
from lexsub.storage.locks import locked

FIGURES, TESTS, DETAILS = "figures.json", "tests.json", "details.jsonl"

T = TypeVar("T")

Report = Callable[[str], None]
"""Receives one line about each stage as it finishes."""

Ranked = tuple[list[Ranking], list[ScoreParts] | None]
"""Rankings, and what their scores are made of where that was asked for."""

PageMaker = Callable[[Sequence[Path], Path, Sequence[Path], Dataset], None]
"""Writes the report of runs: their folders, the file to write, data folders, the data set."""


@dataclass(frozen=True, slots=True)
class SystemStages:
    """The finished stages of one system.

    Attributes:
        name: the system.
        rankings: its rankings.
        tuning: its rankings of the tuning split, where the experiment has one.
        answers: its answers by task.
    """

    name: str
    rankings: Stage
    tuning: Stage | None
    answers: Mapping[Task, Stage]

    def files(self) -> dict[str, Path]:
        """Return its files by the names they get in the run's folder."""
        files = {f"rankings/{self.name}.jsonl": self.ranking}
        if self.tuning is not None:
            files[f"rankings/{self.name}.tuning.jsonl"] = self.tuning.folder / rankings.FILE
        return files | {f"{self.name}.{task}": path for task, path in self.submissions().items()}

    @property
    def ranking(self) -> Path:
        """The file of its rankings."""
        return self.rankings.folder / rankings.FILE

    def submissions(self) -> dict[Task, Path]:
        """Return the files of its answers by task."""
        return {task: stage.folder / answers.FILE for task, stage in self.answers.items()}


@dataclass
class Graph:
    """The stages of a run under way, each made once and kept.

    Attributes:
        data: the split to work on.
        resources: what parts may reach for; models join them as they are trained.
        store: where stages are kept.
        report: told of each stage.
        tuning: the split that boundaries may learn from.
        systems: all systems by name.
        done: the stages finished so far.
        notes: what parts report of themselves.
        keys: makes the stages' keys.
    """

    data: Dataset
    resources: Resources
    store: Store
    report: Report
    tuning: Dataset | None = None
    systems: Mapping[str, System] = field(default_factory=dict)
    done: list[Stage] = field(default_factory=list)
    notes: dict[str, Any] = field(default_factory=dict)
    keys: Keys = field(init=False)
    _noted: set[str] = field(default_factory=set)
    _latest: dict[str, tuple[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.keys = Keys(self.store)
        for data in self.splits():
            self.keys.note(data.files)

    def splits(self) -> list[Dataset]:
        """Return the split to work on, and the tuning split where there is one."""
        return [data for data in (self.data, self.tuning) if data is not None]

    def content(self, pools: Stage) -> str:
        """Return a digest of candidates.

        By content: features and models take longer than candidates, whose key changes with all
        code that might have a part in them.
        """
        return self.store.digest(pools.folder / candidates.FILE)

    def features(
        self, families: Iterable[base.FeatureFamily], data: Dataset, pools: Stage
    ) -> dict[tuple[str, str], Path]:
        """Compute the features of a split's candidates, a stage a family; of two runs one waits."""
        content = self.content(pools)
        given = {"items": self.keys.items(data), "candidates": content}
        keys = [(one, self._key(one, features, **given)) for one in families]

        def missing() -> list[base.FeatureFamily]:
            return [one for one, key in keys if not self.store.has("features", key.ingredients)]

        # All of these candidates: families are computed together.
        place = self.store.folder / "stages" / "features" / content
        with locked(place, "computing features") if missing() else nullcontext():
            return self._features(keys, missing(), data, self.pools(pools))

    def _features(
        self,
        keys: Iterable[tuple[base.FeatureFamily, Key]],
        missing: Sequence[base.FeatureFamily],
        data: Dataset,
        read: Pools,
    ) -> dict[tuple[str, str], Path]:
        held: dict[str, features.Described] = {}
        tables: dict[tuple[str, str], Path] = {}
        for family, key in keys:
            self._note(family)

            def make(draft: Path, family: base.FeatureFamily = family) -> float | None:
                if repr(family) not in held:
                    rest = missing[missing.index(family) :] if family in missing else [family]
                    together = features.fitting_in_memory(rest, read)
                    # Rankers that a family asks know of no split: of this one all is found.
                    ready = {("", key): folder for (_, key), folder in tables.items()}
                    resources = replace(self.resources, features=ready)
                    tables_of = features.describe(together, resources, data, read)
                    held.update(zip(map(repr, together), tables_of, strict=True))
                described = held.pop(repr(family))
                features.make(draft, family, data, described.values)
                return described.seconds

            label = f"{describe_part(family)['name']} {data.name}"
            tables[data.name, repr(family)] = self.stage("features", label, key, make).folder
        return tables

    def candidates(self, system: System, data: Dataset) -> Stage:
        """Generate the candidates of a system; systems with the same source share them."""
        source = system.candidates
        self._note(source)
        key = self._key(source, candidates, items=self.keys.items(data))
        make = partial(candidates.make, source=source, resources=self.resources, data=data)
        return self._kept("candidates", system.name, key, make)

    def pools(self, stage: Stage) -> Pools:
        """Return the candidates of a stage."""
        return self._content(stage, candidates.read)

    def rankings(self, system: System, data: Dataset, *, explained: bool = False) -> Stage:
        """Rank the candidates of a system.

        Args:
            system: the system.
            data: the split to rank.
            explained: keep what the scores are made of, for the stage of its details.
        """
        pools = self.candidates(system, data)
        self._note(system.ranker)

        def make(draft: Path) -> Ranked:
            ranked, parts = self._ordered(system, data, pools, explain=explained)
            rankings.write(draft, ranked)
            return ranked, parts if explained else None

        given = {"data": self.keys.data(data), "candidates": pools.key}
        key = self._key(system.ranker, rankings, **given, seed=self.resources.seed)
        return self._kept("rankings", system.name, key, make)

    def _ordered(
        self, system: System, data: Dataset, pools: Stage, *, explain: bool
    ) -> tuple[list[Ranking], list[ScoreParts]]:
        resources = self.resources
        if families := system.ranker.families(resources):
            found = self.features(families.values(), data, pools)
            resources = replace(resources, features=found)
        opened = partial(open_checked, system.ranker, system.name, resources, data)
        return rankings.order(opened, resources, data, self.pools(pools), explain=explain)

    def _ranked(self, stage: Stage) -> Ranked:
        return self._content(stage, lambda folder: (rankings.read(folder), None))

    def run_system(self, system: System, *, explained: bool = False) -> SystemStages:
        """Rank, cut and (where it has a detector) find multiwords; see :meth:`rankings`."""
        # A system of answer files has none for the tuning split.
        tuning = None if system.answers else self.tuning
        tuned = self.rankings(system, tuning) if tuning is not None else None
        ranked = self.rankings(system, self.data, explained=explained)
        found = {
            task: self._answers(system, task, boundary, ranked, tuned)
            for task, boundary in system.boundaries.items()
        }
        if system.mw is not None:
            found["mw"] = self._multiwords(system, system.mw)
        for task in TASKS:
            if task in system.answers:
                found[task] = self._given(system, task, Path(system.answers[task]))
        return SystemStages(system.name, ranked, tuned, found)

    def _given(self, system: System, task: Task, path: Path) -> Stage:
        """Take the answers of another program as they stand in its file."""
        key = self.keys.given(task, path)
        make = partial(answers.take, path=path)
        return self.stage("answers", f"{system.name} {task}", key, make)

    def _answers(
        self, system: System, task: Task, boundary: Boundary, ranked: Stage, tuned: Stage | None
    ) -> Stage:
        learns_from = tuned if boundary.needs_tuning else None
        others = {
            name: [self.rankings(self.systems[name], data) for data in self.splits()]
            for name in boundary.others
        }
        given: dict[str, Any] = {"rankings": ranked.key}
        if learns_from is not None and self.tuning is not None:
            given |= {"tuning": learns_from.key, "tuning_data": self.keys.data(self.tuning)}
        if others:
            given["others"] = {name: [one.key for one in found] for name, found in others.items()}
        if boundary.needs_gold:
            given["data"] = self.keys.data(self.data)

        def make(draft: Path) -> None:
            read, _ = self._ranked(ranked)
            tuning = None
            if learns_from is not None and self.tuning is not None:
                tuning = base.Tuning(rankings.read(learns_from.folder), self.tuning.gold)
            theirs = {
                name: {r.id: r for stage in found for r in rankings.read(stage.folder)}
                for name, found in others.items()
            }
            gold = self.data.gold if boundary.needs_gold else None
            context = base.BoundaryContext(gold, tuning, self.resources.seed, {"others": theirs})
            answers.write(draft, answers.cut(boundary, context, read), task)

        key = self.keys.answers(boundary, task, self.resources.seed, **given)
        return self.stage("answers", f"{system.name} {task}", key, make)

    def _multiwords(self, system: System, detector: base.MultiwordSource) -> Stage:
        self._note(detector)

        def make(draft: Path) -> None:
            answers.write(draft, answers.detect(detector, self.resources, self.data), "mw")

        key = self._key(detector, answers, items=self.keys.items(self.data))
        return self.stage("answers", f"{system.name} mw", key, make)

    def ceiling(self, system: System, table: ExperimentTable) -> SystemScores:
        """Score a perfect ranker over a system's candidates: the most any ranker could reach.

        Without candidates nobody knows: no figure.
        """
        name = f"{system.name}.ceiling"
        if not system.has_candidates:
            return SystemScores(name, (), {})
        ranker = build_part(base.RANKERS, "oracle", "ceiling")
        firsts = ({"name": "top-n", "n": n} for n in (1, 10))
        best, oot = (build_part(base.BOUNDARIES, one, "ceiling") for one in firsts)
        oracle = replace(system, name=name, ranker=ranker, best=best, oot=oot, mw=None, answers={})
        return self.score(self.run_system(oracle), table)

    def details(self, system: System) -> Stage:
        """Say where a system's candidates come from and what their scores are made of."""
        pools, stage = self.candidates(system, self.data), self.rankings(system, self.data)

        def make(draft: Path) -> None:
            ranked, parts = self._ranked(stage)
            if parts is None:  # made in an earlier run
                _, parts = self._ordered(system, self.data, pools, explain=True)
            read = self.pools(pools)
            found = zip(ranked, parts, strict=True)
            details = (scoring.details_of(one, read[one.id], made) for one, made in found)
            scoring.write_details(draft / DETAILS, details)

        keys = {"candidates": pools.key, "rankings": stage.key, "data": self.keys.data(self.data)}
        made_by = (rankings, scoring)
        key = self._key(system.ranker, *made_by, **keys, seed=self.resources.seed)
        return self.stage("details", system.name, key, make)

    def page(self, folder: Path, maker: PageMaker, given: Mapping[str, Any]) -> Path:
        """Make the report of the run whose files are in a folder.

        Args:
            folder: the run's folder.
            maker: writes it.
            given: what the files there depend on.
        """

        def make(draft: Path) -> None:
            maker([folder], draft / "report.html", self.resources.data, self.data)

        home = Path(getfile(maker)).parent
        key = self.keys.page(maker.__module__, self.store.digest(home / "templates"), given)
        return self.stage("report", folder.name, key, make).folder / "report.html"

    def score(self, finished: SystemStages, table: ExperimentTable) -> SystemScores:
        """Score a system's files."""
        submissions = finished.submissions()

        def make(draft: Path) -> None:
            scoring.write_figures(draft / FIGURES, self.data.gold, submissions,
                                  finished.ranking, table.measures, table.seed)  # fmt: skip

        depends = finished.answers, finished.rankings, table.measures, table.seed
        key = self.keys.scores(self.data, *depends)
        stage = self.stage("scores", finished.name, key, make)
        return scoring.read_figures(stage.folder / FIGURES, finished.name, tuple(submissions))

    def tests(self, systems: Sequence[SystemStages]) -> Comparison | None:
        """Test all systems against one another; None where there are none to compare."""

        def make(draft: Path) -> None:
            answers = {one.name: one.submissions() for one in systems}
            write_tests(draft / TESTS, self.data.gold, answers)

        key = self.keys.tests(self.data, {one.name: one.answers for one in systems})
        return read_tests(self.stage("tests", "all pairs", key, make).folder / TESTS)

    def _key(self, part: base.Part, *makers: ModuleType, **given: object) -> Key:
        """Return the key of what a part makes; see :meth:`Keys.of_part`."""
        names = [module.__name__ for module in makers]
        return self.keys.of_part(part, self.resources, names, **given)

    def _note(self, part: base.Part) -> None:
        """Keep what a part has to say in the manifest."""
        if repr(part) not in self._noted:
            self._noted.add(repr(part))
            self.notes |= part.report(self.resources)

    def _kept(self, name: str, label: str, key: Key, make: Callable[[Path], object]) -> Stage:
        """Make a stage, or reuse it, and keep what was made.

        The next stage mostly wants just that, and reading it back costs more than making it.
        """
        made: list[object] = []
        stage = self.stage(name, label, key, lambda draft: made.append(make(draft)))
        if made:
            self._latest[name] = stage.key, made[0]
        return stage

    def _content(self, stage: Stage, read: Callable[[Path], T]) -> T:
        """Return the content of a stage's folder, read only if it is not kept."""
        if self._latest.get(stage.name, ("", None))[0] != stage.key:
            self._latest[stage.name] = stage.key, read(stage.folder)
        content: T = self._latest[stage.name][1]
        return content

    def stage(self, name: str, label: str, key: Key, make: Callable[[Path], float | None]) -> Stage:
        """Make a stage, or reuse it; it is reported and noted once."""
        with under_way(f"{name} {label}") if name == "model" else nullcontext():
            stage = self.store.stage(name, key.ingredients, make, key.inputs)
        if stage.key not in {done.key for done in self.done}:
            state = "reused" if stage.reused else f"{stage.seconds:.1f} s"
            self.report(f"{name:<10} {label}: {state}")
            self.done.append(replace(stage, label=label))
        return stage
