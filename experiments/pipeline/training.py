"""Training of the models of a run: what they learn from, and what of it decides their content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from lexsub.data.catalogue import load
from lexsub.datasets import Dataset
from lexsub.errors import ConfigError
from lexsub.experiments.config.experiment import System
from lexsub.experiments.pipeline.graph import Graph
from lexsub.parts.base import GoldLearner, ModelBuilder
from lexsub.resources import Pooled, Resources
from lexsub.storage.files import sha256


def train_model(graph: Graph, name: str, builder: ModelBuilder) -> None:
    """Train a model (or reuse it) and make it known to the parts under its name."""
    resources = graph.resources
    given: dict[str, Any] = {}
    if (learner := builder.learns_from_gold()) is not None:
        resources, given = _training(graph, name, learner)
    if builder.needs_words:
        words = _words(graph)
        resources = replace(resources, words=words)
        given["words"] = sha256("\n".join(sorted(words)).encode())
    key = graph.keys.model(builder, resources, **given)
    stage = graph.stage("model", name, key, partial(builder.build, resources))
    models = {**graph.resources.models, name: stage.folder}
    graph.resources = replace(graph.resources, models=models)


def _training(graph: Graph, name: str, builder: GoldLearner) -> tuple[Resources, dict[str, Any]]:
    """Return what a model learns from, and what of that decides its content."""
    system = learned_from(name, builder, tuple(graph.systems.values()))
    training: list[Pooled] = []
    tables: dict[tuple[str, str], Path] = {}
    given: dict[str, list[str]] = {}
    left_out = [_split(graph, name) for name in builder.without]
    for split in builder.data:
        data = builder.chosen(_split(graph, split), left_out, graph.resources.seed)
        pools = graph.candidates(system, data)
        found = graph.features(builder.families().values(), data, pools)
        training.append(Pooled(data, graph.pools(pools)))
        tables |= found
        keys = [folder.name for folder in found.values()]
        given[split] = [graph.keys.data(data), graph.content(pools), *keys]
    resources = replace(graph.resources, training=tuple(training), features=tables)
    return resources, {"training": given, "seed": graph.resources.seed}


def _split(graph: Graph, name: str) -> Dataset:
    known = {data.name: data for data in graph.splits()}
    if name in known:
        return known[name]
    data = load(name, graph.resources.data, graph.resources.language)
    graph.keys.note(data.files)
    return data


def _words(graph: Graph) -> frozenset[str]:
    words = set()
    for data in graph.splits():
        pos = {item.id: item.pos for item in data.items}
        stages = (graph.candidates(system, data) for system in graph.systems.values())
        for stage in {stage.key: stage for stage in stages}.values():
            read = graph.pools(stage)
            words |= {f"{c.substitute}.{pos[item]}" for item in read for c in read[item]}
    return frozenset(words)


def learned_from(name: str, builder: GoldLearner, systems: Sequence[System]) -> System:
    """Return the system whose candidates a model learns from.

    Raises:
        ConfigError: there is none.
    """
    for system in systems:
        if system.name == builder.system or (
            not builder.system and system.ranker.ranks_with() == name
        ):
            return system
    wanted = f"system {builder.system!r}" if builder.system else "system that ranks with it"
    raise ConfigError(f"models.{name}: there is no {wanted} to take candidates from")
