"""Why a run's systems rank an item's candidates as they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lexsub.data.catalogue import load
from lexsub.datasets import Item
from lexsub.errors import LexsubError, look_up
from lexsub.experiments.config.experiment import System
from lexsub.experiments.results import run_folder
from lexsub.formats.jsonl import read_rankings
from lexsub.matching.seen import SeenItem, gold_under
from lexsub.parts.base import Scorer
from lexsub.parts.checked import open_checked
from lexsub.rankings import Candidate, Origin, Ranking
from lexsub.resources import Resources


@dataclass(frozen=True, slots=True)
class Explained:
    """A candidate: its score, who proposed it, and how many people gave it."""

    substitute: str
    score: float
    sources: tuple[str, ...]
    gold: float


@dataclass(frozen=True, slots=True)
class SystemExplanation:
    """One system's ranking, best first, with the parts of each score by name."""

    name: str
    candidates: tuple[Explained, ...]
    parts: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class ItemExplanation:
    """An item with what people and systems answer.

    Attributes:
        item: its id.
        lexelt: its target.
        sentence: the sentence, the target in brackets.
        gold: what people gave, with counts.
        missed: what people gave that no system has as a candidate.
        systems: the rankings.
    """

    item: str
    lexelt: str
    sentence: str
    gold: Mapping[str, float]
    missed: tuple[str, ...]
    systems: tuple[SystemExplanation, ...]


def explain(
    run: Path, item_id: str, systems: Sequence[str], data_folders: tuple[Path, ...]
) -> ItemExplanation:
    """Explain an item of a finished run.

    Args:
        run: the run's folder.
        item_id: the item.
        systems: which of the run's systems; none for all.
        data_folders: where the data set is looked for.

    Raises:
        LexsubError: no run there, no such item or system, or a model that is gone.
    """
    experiment = run_folder.finished_experiment(run)
    table = experiment.table
    data = load(table.data, data_folders, table.language).under(table.normalisation)
    items = {item.id: item for item in data.items}
    if item_id not in items:
        raise LexsubError(f"{data.name} has no item {item_id!r}; its first is {next(iter(items))}")
    item = items[item_id]
    by_name = {system.name: system for system in experiment.systems}
    for name in systems:
        look_up("system of the run", name, by_name)
    resources = Resources(
        data=data_folders,
        models=run_folder.finished_models(run),
        language=data.language,
        seed=table.seed,
        code="named",
    )
    seen = gold_under(data.gold).get(item_id)
    gold = dict(seen.item.weights) if seen else {}
    explained = []
    # Without --allow-oracle a run writes no rankings of systems that look at the gold.
    written = [name for name in by_name if run_folder.rankings_file(run, name).is_file()]
    for name in systems or written or by_name:
        rankings = read_rankings(run_folder.rankings_file(run, name))
        ranking = next((r for r in rankings if r.id == item_id), None)
        if ranking is None:
            raise LexsubError(f"{run}: system {name} has no ranking of item {item_id}")
        try:
            scorer = open_checked(by_name[name].ranker, name, resources, data)
        except LexsubError as error:
            raise LexsubError(f"{run}: system {name}: {error}") from error
        explained.append(_explain(by_name[name], item, ranking, seen, scorer))
    missed = _missed(seen, explained) if seen else ()
    sentence = f"{item.text[: item.start]}[{item.target}]{item.text[item.end :]}"
    return ItemExplanation(item.id, str(item.lexelt), sentence, gold, missed, tuple(explained))


def _explain(
    system: System, item: Item, ranking: Ranking, gold: SeenItem | None, scorer: Scorer
) -> SystemExplanation:
    candidates = [
        Candidate(entry.substitute, tuple(Origin(source, 0) for source in entry.sources))
        for entry in ranking.ranked
    ]
    parts = scorer.parts(item, candidates) if candidates else {}
    return SystemExplanation(
        system.name,
        tuple(
            Explained(e.substitute, e.score, e.sources, gold.weight(e.substitute) if gold else 0.0)
            for e in ranking.ranked
        ),
        {name: tuple(map(float, values)) for name, values in parts.items()},
    )


def _missed(gold: SeenItem, systems: Sequence[SystemExplanation]) -> tuple[str, ...]:
    proposed = {gold.form(c.substitute) for system in systems for c in system.candidates}
    return tuple(name for name in gold.item.weights if gold.form(name) not in proposed)
