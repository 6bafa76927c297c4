"""McCarthy and Navigli (2007): entrants and baselines."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from lexsub.data.catalogue import load, locate
from lexsub.data.semeval2007 import SYSTEMS, find_entrants
from lexsub.errors import LexsubError
from lexsub.evaluation.official.report import official
from lexsub.experiments.config.published import published_system
from lexsub.experiments.papers.reproduce.bench import Bench, Made, Maker, Values
from lexsub.experiments.results.scoring import SystemScores
from lexsub.matching.script import Subset
from lexsub.rankings import Task
from lexsub.storage.files import read_bytes

BASELINES = "semeval2007-baselines"
WORDNET = "semeval2007-wordnet"

_FIGURE = re.compile(r"(?:precision|recall) = (-?[0-9.]+)")


def official_figures(
    system: Path, gold: Path, task: Task, subset: Subset | None = None
) -> tuple[float, ...]:
    """Return the four figures that the official scorer prints, its defects included.

    Raises:
        LexsubError: it prints fewer, because it would divide by zero.
    """
    outcome = official(read_bytes(system), read_bytes(gold), task, subset=subset)
    figures = tuple(map(float, _FIGURE.findall(outcome.stdout.decode("latin-1"))))
    if outcome.death or len(figures) != 4:
        raise LexsubError(f"{system} cannot be scored: {outcome.death or 'no figures'}")
    return figures


def _entrants(bench: Bench, task: Task, subsets: tuple[str, ...]) -> Made:
    """Score every entrant as the paper's tables do; of a subset, precision and recall."""
    found = find_entrants(bench.resources.data)
    folder = locate("semeval2007", bench.resources.data)
    gold = load("semeval2007/test", bench.resources.data).gold
    rows: dict[str, Values] = {}
    for system in SYSTEMS:
        path = found.files.get((system, task))
        if path is None:
            continue
        values: tuple[float, ...] = ()
        for name in subsets:
            subset = Subset(name, gold.multiword_ids, gold.manual_words)
            figures = official_figures(path, folder / "scoring" / "gold", task, subset)
            values += figures if name == "ALL" else figures[:2]
        rows[system] = values
    notes = ["Scored by the rules of the official scorer, its defects included."]
    if found.unknown:
        notes.append(f"Files of the archive that were not recognised: {', '.join(found.unknown)}.")
    return Made(rows, tuple(notes))


def _check_entrants(bench: Bench) -> None:
    find_entrants(bench.resources.data)
    bench.check_data("semeval2007")


def _baselines(bench: Bench, task: Task) -> Made:
    result = bench.run(BASELINES, only_published=True)
    experiment = bench.experiment(BASELINES, only_published=True)
    rows: dict[str, Values] = {}
    for system, scores in zip(experiment.systems, result.scores, strict=True):
        if system.published and task in scores.tasks:
            rows[published_system(system.published).name] = _values(scores, task)
    notes = experiment.table.notes
    return Made(rows, (*notes.get("all", ()), *notes.get(task, ())))


def _multiwords(bench: Bench) -> Made:
    result = bench.run(WORDNET)
    notes = bench.experiment(WORDNET).table.notes
    rows: dict[str, Values] = {"WordNet": _values(result.scores[0], "mw")}
    try:
        path = find_entrants(bench.resources.data).files.get(("HIT", "mw"))
    except LexsubError:
        path = None
    if path is not None:
        folder = locate("semeval2007", bench.resources.data)
        # The print-out has identification under detection, as the table does.
        rows["HIT"] = official_figures(path, folder / "scoring" / "mwgold", "mw")
    return Made(rows, (*notes.get("all", ()), *notes.get("mw", ())))


def _values(scores: SystemScores, task: Task) -> Values:
    return tuple(None if cell is None else cell.value for cell in scores.task_cells(task))


PARTS = ("NMWT", "NMWS")

_ARCHIVE = "semeval2007, semeval2007-systems (the archive of the entrants' outputs)"
_COUNTS = "semeval2007, a WordNet, the BNC lemma list, a file of relation counts (relations)"
_LISTS = "semeval2007, a WordNet, the BNC lemma list and the BNC form list"

_check_baselines = partial(Bench.check_experiment, name=BASELINES)
_check_wordnet = partial(Bench.check_experiment, name=WORDNET)

_TABLES = {
    "table1": Maker(_check_entrants, partial(_entrants, task="best", subsets=("ALL",)), _ARCHIVE),
    "table2": Maker(_check_baselines, partial(_baselines, task="best"), _COUNTS),
    "table3": Maker(_check_entrants, partial(_entrants, task="best", subsets=PARTS), _ARCHIVE),
    "table4": Maker(_check_entrants, partial(_entrants, task="oot", subsets=("ALL",)), _ARCHIVE),
    "table5": Maker(_check_baselines, partial(_baselines, task="oot"), _COUNTS),
    "table6": Maker(_check_entrants, partial(_entrants, task="oot", subsets=PARTS), _ARCHIVE),
    "table7": Maker(_check_wordnet, _multiwords, _LISTS),
}
MAKERS = {f"mccarthy-navigli-2007/{name}": maker for name, maker in _TABLES.items()}
