"""The stages of a run, each made once and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from boundary import BOUNDARIES
from candidates import DETECTORS, SOURCES
from experiments.config.experiment import ExperimentTable, System
from experiments.pipeline import stages
from experiments.pipeline.checked import checked
from experiments.pipeline.closure import modules_below
from experiments.pipeline.details import details_of, score_parts, write_details
from experiments.pipeline.features import Described, describe, first_go
from experiments.pipeline.keys import (
    PartKey,
    code,
    data_digest,
    items_digest,
    model_recipe,
    part_key,
)
from experiments.pipeline.latest import Latest
from experiments.pipeline.stages import Pools, ScoreParts
from experiments.pipeline.store import Stage, Store, folder_digest
from experiments.results.scoring import (
    SystemScores,
    measures_of,
    read_figures,
    write_figures,
)
from lexsub.data.catalogue import load
from lexsub.datasets import Dataset, Pooled
from lexsub.errors import ConfigError
from lexsub.features import FEATURES, FeatureFamily
from lexsub.files import sha256
from lexsub.formats.jsonl import read_candidates, read_rankings, write_candidates, write_rankings
from lexsub.formats.semeval_lines import write_submission
from lexsub.parts import build_part, describe_part
from lexsub.progress import waiting
from lexsub.protocols import (
    Boundary,
    BoundaryContext,
    MultiwordSource,
    Part,
    Reporting,
    Tuning,
)
from lexsub.rankings import Ranking
from lexsub.registry import Registry, looked_up
from lexsub.resources import Resources
from lexsub.submissions import Task
from rankers import RANKERS
from rankers.learned.feature_values import write_values

STAGES = "experiments.pipeline.stages"
JSONL = "lexsub.formats.jsonl"
LINES = "lexsub.formats.semeval_lines"

Report = Callable[[str], None]
"""Receives one line about each stage as it finishes."""


@dataclass(frozen=True, slots=True)
class Finished:
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
        files = {f"rankings/{self.name}.jsonl": self.rankings.folder / "rankings.jsonl"}
        if self.tuning is not None:
            files[f"rankings/{self.name}.tuning.jsonl"] = self.tuning.folder / "rankings.jsonl"
        for task, stage in self.answers.items():
            files[f"{self.name}.{task}"] = stage.folder / "answers"
        return files


@dataclass
class Work:
    """The run under way: its inputs, and the stages finished so far."""

    data: Dataset
    resources: Resources
    store: Store
    report: Report
    tuning: Dataset | None = None
    systems: Mapping[str, System] = field(default_factory=dict)
    done: list[Stage] = field(default_factory=list)
    inputs: dict[str, str] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    _digests_of_data: dict[tuple[str, bool], str] = field(default_factory=dict)
    _latest_pools: Latest[Pools] = field(default_factory=Latest)
    _latest_rankings: Latest[list[Ranking]] = field(default_factory=Latest)
    _latest_parts: Latest[list[ScoreParts]] = field(default_factory=Latest)

    def __post_init__(self) -> None:
        for data in filter(None, (self.data, self.tuning)):
            self.inputs |= {str(path): digest for path, digest in data.files.items()}

    def build_model(self, name: str, builder: Any, systems: Sequence[System]) -> None:
        """Train a model (or reuse it) and make it known to the parts under its name.

        A builder with ``needs_words`` is told what the systems may answer, one with
        ``needs_training`` gets candidates, features and gold of the splits it learns from.
        """
        resources = self.resources
        key = self._part(builder)
        recipe = model_recipe(builder, key, resources.cache)
        if getattr(builder, "needs_training", False):
            resources, more = self._training(name, builder, systems)
            recipe |= more
        if getattr(builder, "needs_words", False):
            words = self._words(systems)
            resources = replace(resources, words=words)
            recipe["words"] = sha256("\n".join(sorted(words)).encode())

        def make(draft: Path) -> None:
            builder.build(resources, draft)

        stage = self._made("model", name, recipe, make, key.inputs)
        self.resources = replace(
            self.resources, models={**self.resources.models, name: stage.folder}
        )

    def _training(
        self, name: str, builder: Any, systems: Sequence[System]
    ) -> tuple[Resources, dict[str, Any]]:
        """Return what a model learns from, and what of that decides its content."""
        system = learned_from(name, builder, systems)
        training: list[Pooled] = []
        features: dict[tuple[str, str], Path] = {}
        recipe: dict[str, list[str]] = {}
        for split in builder.data:
            data = self._split(split)
            pools = self.candidates(system, data)
            read = read_candidates(pools.folder / "candidates.jsonl")
            tables = self.features(builder.families().values(), data, pools, read)
            training.append(Pooled(data, read))
            features |= tables
            keys = [folder.name for folder in tables.values()]
            recipe[split] = [self._data_digest(data, True), self._content(pools), *keys]
        resources = replace(self.resources, training=tuple(training), features=features)
        return resources, {"training": recipe, "seed": self.resources.seed}

    def _content(self, pools: Stage) -> str:
        # By content: features and models take longer than candidates, whose key changes with
        # all code that might have a part in them.
        return self.store.digest(pools.folder / "candidates.jsonl")

    def _split(self, name: str) -> Dataset:
        known = {data.name: data for data in (self.data, self.tuning) if data is not None}
        if name in known:
            return known[name]
        data = load(name, self.resources.data)
        self.inputs |= {str(path): digest for path, digest in data.files.items()}
        return data

    def features(
        self, families: Iterable[FeatureFamily], data: Dataset, pools: Stage, read: Pools
    ) -> dict[tuple[str, str], Path]:
        """Compute the features of a split's candidates: a stage a family, but few goes."""
        wanted = [(family, *self._of_family(family, data, pools)) for family in families]
        missing = [one for one, recipe, _ in wanted if not self.store.has("features", recipe)]
        held: dict[str, Described] = {}
        tables = {}
        for family, recipe, key in wanted:

            def make(draft: Path, family: FeatureFamily = family) -> float | None:
                if repr(family) not in held:
                    rest = missing[missing.index(family) :] if family in missing else [family]
                    go = first_go(rest, read)
                    found = describe(go, self.resources, data, read)
                    held.update(zip(map(repr, go), found, strict=True))
                described = held.pop(repr(family))
                write_values(draft, family, data.items, described.values)
                return described.seconds

            label = f"{describe_part(FEATURES, family)['name']} {data.name}"
            stage = self._made("features", label, recipe, make, key.inputs)
            tables[data.name, repr(family)] = stage.folder
        return tables

    def _of_family(
        self, family: FeatureFamily, data: Dataset, pools: Stage
    ) -> tuple[dict[str, Any], PartKey]:
        recipe, key = self._recipe(FEATURES, family, data)
        recipe["candidates"] = self._content(pools)
        makers = ("experiments.pipeline.features", "rankers.learned.feature_values")
        return recipe | self._code((*makers, *key.modules)), key

    def _words(self, systems: Sequence[System]) -> frozenset[str]:
        words = set()
        for data in filter(None, (self.data, self.tuning)):
            pos = {item.id: item.pos for item in data.items}
            pools = {stage.key: stage for stage in (self.candidates(s, data) for s in systems)}
            for stage in pools.values():
                read = self._latest_pools.read(stage, "candidates.jsonl", read_candidates)
                words |= {f"{c.substitute}.{pos[item]}" for item in read for c in read[item]}
        return frozenset(words)

    def candidates(self, system: System, data: Dataset) -> Stage:
        """Generate the candidates of a system; systems with the same source share them."""
        part = system.candidates

        def make(draft: Path) -> None:
            pools = stages.generate(part, self.resources, data)
            write_candidates(draft / "candidates.jsonl", pools)
            self._latest_pools.made(dict(pools))

        recipe, key = self._recipe(SOURCES, part, data)
        stage = self._stage(
            "candidates", system.name, recipe, (STAGES, JSONL, *key.modules), make, key.inputs
        )
        self._latest_pools.belongs_to(stage)
        return stage

    def rankings(self, system: System, data: Dataset, *, explained: bool = False) -> Stage:
        """Rank the candidates of a system.

        Args:
            system: the system.
            data: the split to rank.
            explained: keep what the scores are made of for the stage of its details, which
                then need not ask the ranker once more.
        """
        pools = self.candidates(system, data)

        def make(draft: Path) -> None:
            read = self._latest_pools.read(pools, "candidates.jsonl", read_candidates)
            resources = self._with_features(system, data, pools, read)
            ranker = checked(system.ranker, system.name)
            if explained:
                ranked, parts = stages.order_explained(ranker, resources, data, read)
                self._latest_parts.made(parts)
            else:
                ranked = stages.order(ranker, resources, data, read)
            write_rankings(draft / "rankings.jsonl", ranked)
            self._latest_rankings.made(ranked)

        recipe, key = self._recipe(RANKERS, system.ranker, data, with_gold=True)
        recipe |= {"candidates": pools.key, "seed": self.resources.seed}
        stage = self._stage(
            "rankings", system.name, recipe, (STAGES, JSONL, *key.modules), make, key.inputs
        )
        self._latest_rankings.belongs_to(stage)
        if explained:
            self._latest_parts.belongs_to(stage)
        return stage

    def _with_features(self, system: System, data: Dataset, pools: Stage, read: Pools) -> Resources:
        """Return the resources of a system's ranker, with tables of the features it asks for."""
        if not getattr(system.ranker, "needs_features", False):
            return self.resources
        families = cast(Any, system.ranker).families(self.resources).values()
        tables = self.features(families, data, pools, read)
        return replace(self.resources, features=tables)

    def run_system(self, system: System, *, explained: bool = False) -> Finished:
        """Rank, cut and (where it has a detector) find multiwords; see :meth:`rankings`."""
        tuned = self.rankings(system, self.tuning) if self.tuning is not None else None
        ranked = self.rankings(system, self.data, explained=explained)
        boundaries: dict[Task, Boundary] = {"best": system.best, "oot": system.oot}
        answers = {
            task: self._answers(system, task, boundary, ranked, tuned)
            for task, boundary in boundaries.items()
        }
        if system.mw is not None:
            answers["mw"] = self._multiwords(system, system.mw)
        return Finished(system.name, ranked, tuned, answers)

    def _answers(
        self, system: System, task: Task, boundary: Boundary, ranked: Stage, tuned: Stage | None
    ) -> Stage:
        learns_from = tuned if boundary.needs_tuning else None
        splits = [data for data in (self.data, self.tuning) if data is not None]
        others = {
            name: [self.rankings(self.systems[name], data) for data in splits]
            for name in getattr(boundary, "others", ())
        }

        def make(draft: Path) -> None:
            rankings = self._latest_rankings.read(ranked, "rankings.jsonl", read_rankings)
            tuning = None
            if learns_from is not None and self.tuning is not None:
                read = read_rankings(learns_from.folder / "rankings.jsonl")
                tuning = Tuning(read, self.tuning.gold)
            context = BoundaryContext(
                gold=self.data.gold if boundary.needs_gold else None,
                tuning=tuning,
                seed=self.resources.seed,
                options={"others": _by_item(others)},
            )
            write_submission(draft / "answers", stages.cut(boundary, context, rankings), task)

        with looked_up() as modules:
            replace(boundary)  # type: ignore[type-var]
        recipe = {"part": describe_part(BOUNDARIES, boundary), "rankings": ranked.key,
                  "task": task, "seed": self.resources.seed}  # fmt: skip
        if learns_from is not None and self.tuning is not None:
            recipe |= {"tuning": learns_from.key}
            recipe["tuning_gold"] = self._data_digest(self.tuning, True)
        if others:
            recipe["others"] = {name: [one.key for one in found] for name, found in others.items()}
        if boundary.needs_gold:
            recipe["gold"] = self._data_digest(self.data, True)
        made_by = (STAGES, JSONL, LINES, type(boundary).__module__, *modules)
        return self._stage("answers", f"{system.name} {task}", recipe, made_by, make)

    def _multiwords(self, system: System, part: MultiwordSource) -> Stage:
        def make(draft: Path) -> None:
            answers = stages.detect(part, self.resources, self.data)
            write_submission(draft / "answers", answers, "mw")

        recipe, key = self._recipe(DETECTORS, part, self.data)
        return self._stage(
            "answers", f"{system.name} mw", recipe, (STAGES, LINES, *key.modules), make, key.inputs
        )

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
        return self.score(self.run_system(oracle), table)

    def details(self, system: System) -> Stage:
        """Say where a system's candidates come from and what their scores are made of."""
        pools, ranked = self.candidates(system, self.data), self.rankings(system, self.data)

        def make(draft: Path) -> None:
            read = self._latest_pools.read(pools, "candidates.jsonl", read_candidates)
            rankings = self._latest_rankings.read(ranked, "rankings.jsonl", read_rankings)
            ranker = checked(system.ranker, system.name)
            # Of a ranking made in an earlier run, the parts are not kept.
            parts = self._latest_parts.read(ranked, "", lambda _: score_parts(
                ranker, self._with_features(system, self.data, pools, read), self.data, read
            ))  # fmt: skip
            found = zip(rankings, parts, strict=True)
            write_details(
                draft / "details.jsonl",
                (details_of(ranking, read[ranking.id], values) for ranking, values in found),
            )

        recipe, key = self._recipe(RANKERS, system.ranker, self.data, with_gold=True)
        recipe |= {"candidates": pools.key, "rankings": ranked.key, "seed": self.resources.seed}
        made_by = ("experiments.pipeline.details", STAGES, JSONL, *key.modules)
        return self._stage("details", system.name, recipe, made_by, make, key.inputs)

    def page(self, folder: Path, recipe: Mapping[str, Any]) -> Stage:
        """Make the report of the run whose files are in a folder.

        Args:
            folder: the run's folder.
            recipe: what the files there depend on.
        """

        def make(draft: Path) -> None:
            from experiments.report import write_report

            write_report([folder], draft / "report.html", self.resources.data, self.data)

        recipe = {
            **recipe,
            "looks": folder_digest(Path(__file__).parent.parent / "report" / "templates"),
        }
        # Its curves and tables name boundaries and measures as they go.
        made_by = ("experiments.report", *modules_below("evaluation"), *modules_below("boundary"))
        return self._stage("report", folder.name, recipe, made_by, make)

    def score(self, finished: Finished, table: ExperimentTable) -> SystemScores:
        """Score a system's files."""
        rankings = finished.rankings.folder / "rankings.jsonl"
        answers = {task: stage.folder / "answers" for task, stage in finished.answers.items()}

        def make(draft: Path) -> None:
            write_figures(draft / "figures.json", self.data.gold, answers, rankings,
                          table.measures, table.seed)  # fmt: skip

        recipe = {
            "data": self._data_digest(self.data, True),
            "answers": {task: stage.key for task, stage in finished.answers.items()},
            "rankings": finished.rankings.key if table.measures else None,
            "measures": table.measures,
            "seed": table.seed,
        }
        with looked_up() as modules:
            measures_of(tuple(answers), table.measures)
        made_by = ("experiments.results.scoring", *modules)
        stage = self._stage("scores", finished.name, recipe, made_by, make)
        return read_figures(stage.folder / "figures.json", finished.name, tuple(answers))

    def _recipe(
        self, registry: Registry[Any], part: Part, data: Dataset, *, with_gold: bool = False
    ) -> tuple[dict[str, Any], PartKey]:
        """Return what of a part and its data decides a stage, and what the part reads and is."""
        if isinstance(part, Reporting):
            self.notes |= part.report(self.resources)
        key = self._part(part)
        recipe = {
            "part": describe_part(registry, part),
            "data": self._data_digest(data, with_gold),
            "inputs": list(key.inputs.values()),
        }
        return recipe, key

    def _part(self, part: Part) -> PartKey:
        key = part_key(part, self.resources, self.store)
        self.inputs |= {str(path): digest for path, digest in key.inputs.items()}
        return key

    def _data_digest(self, data: Dataset, with_gold: bool) -> str:
        key = data.name, with_gold
        if key not in self._digests_of_data:
            digest = data_digest if with_gold else items_digest
            self._digests_of_data[key] = digest(data)
        return self._digests_of_data[key]

    def _code(self, modules: Iterable[str]) -> dict[str, Any]:
        return {"code": code(modules, self.resources.cache)}

    def _stage(
        self,
        name: str,
        label: str,
        recipe: Mapping[str, Any],
        modules: Iterable[str],
        make: Callable[[Path], None],
        inputs: Mapping[Path, str] | None = None,
    ) -> Stage:
        return self._made(name, label, {**recipe, **self._code(modules)}, make, inputs)

    def _made(
        self,
        name: str,
        label: str,
        recipe: Mapping[str, Any],
        make: Callable[[Path], float | None],
        inputs: Mapping[Path, str] | None = None,
    ) -> Stage:
        with waiting(f"{name} {label}") if name == "model" else nullcontext():
            stage = self.store.stage(name, recipe, make, inputs)
        if stage.key not in {done.key for done in self.done}:
            state = "reused" if stage.reused else f"{stage.seconds:.1f} s"
            self.report(f"{name:<10} {label}: {state}")
            self.done.append(replace(stage, label=label))
        return stage


def learned_from(name: str, builder: Any, systems: Sequence[System]) -> System:
    """Return the system whose candidates a model learns from.

    Raises:
        ConfigError: there is none.
    """
    for system in systems:
        if system.name == builder.system or (
            not builder.system and getattr(system.ranker, "model", "") == name
        ):
            return system
    wanted = f"system {builder.system!r}" if builder.system else "system that ranks with it"
    raise ConfigError([f"models.{name}: there is no {wanted} to take candidates from"])


def _by_item(others: Mapping[str, Sequence[Stage]]) -> dict[str, dict[str, Ranking]]:
    """Return the rankings of other systems by system and item id."""
    return {
        name: {r.id: r for stage in found for r in read_rankings(stage.folder / "rankings.jsonl")}
        for name, found in others.items()
    }
