"""Tables on SemEval-2007: McCarthy and Navigli (2007) and Jabbari, Hepple and Guthrie (2010).

Of the first the entrants and baselines, of the second the coverage of bow, lm, cmlc and KU.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lexsub.data.catalogue import load, locate
from lexsub.data.semeval2007 import SYSTEMS, find_entrants
from lexsub.errors import LexsubError
from lexsub.evaluation.official.report import official
from lexsub.evaluation.scoring import evaluate
from lexsub.experiments.config.published import published_system
from lexsub.experiments.papers.reproduce.bench import Bench, Made, Maker, Values, check_library
from lexsub.experiments.results.scoring import SystemScores
from lexsub.formats.jsonl import read_rankings
from lexsub.formats.semeval_lines import read_submission
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


JABBARI = "jabbari2010"
ROWS = ("bow", "lm", "cmlc", "ku")
# Columns of tables 1 and 2: all, nouns, adjectives, verbs, adverbs.
ORDER = ("all", "n", "a", "v", "r")
# And those of table 3.
CUTS = [f"coverage-F@{n}" for n in range(1, 11)]

NOTES = (
    "Reconstructions: the paper names neither the text, the window, the smoothing nor the "
    "candidates of its systems. Ours rank the same WordNet candidates, with models of the open "
    "text named in jabbari2010.toml (the paper's KU had Web 1T counts).",
)


def _systems(bench: Bench) -> tuple[dict[str, Any], tuple[str, ...]]:
    result = bench.run(JABBARI)
    systems: dict[str, Any] = {
        name: read_rankings(result.folder / "rankings" / f"{name}.jsonl")
        for name in ROWS
        if (result.folder / "rankings" / f"{name}.jsonl").is_file()
    }
    try:
        path = find_entrants(bench.resources.data).files.get(("KU", "oot"))
    except LexsubError:
        path = None
    if path is None:
        if "ku" in systems:
            systems["KU"] = systems.pop("ku")
        return systems, (*NOTES, "KU is our model in the manner of KU, not the entrant's output.")
    systems["KU"] = {"oot": read_submission(path, "oot", strict=False)}
    return systems, (*NOTES, "KU is the entrant's own output; ku our model in its manner.")


def _coverage_table(bench: Bench, measures: Sequence[str], groups: Sequence[str] = ORDER) -> Made:
    """Score all systems; a column a measure and group of items."""
    systems, notes = _systems(bench)
    gold = bench.run(JABBARI).data.gold
    scores = evaluate(gold, systems, measures, normalise="official", by_pos=True, interval=None)
    figures = {(one.system, one.measure, one.pos): one.value for one in scores}
    rows: dict[str, Values] = {}
    for name in systems:
        values = [figures[name, measure, pos] for measure in measures for pos in groups]
        rows[name] = tuple(None if value != value else value for value in values)
    return Made(rows, notes)


def _check_jabbari(bench: Bench) -> None:
    bench.check_experiment(JABBARI)
    for module in ("kenlm", "lemminflect"):
        check_library(module, module, "lm", "asking a language model")


_MODELS = "semeval2007, a WordNet, the BNC lemma list, English text (corpus)"

_COVERAGE_TABLES = {
    "jabbari2010/table1": Maker(
        _check_jabbari, partial(_coverage_table, measures=["coverage-R"]), _MODELS
    ),
    "jabbari2010/table2": Maker(
        _check_jabbari, partial(_coverage_table, measures=["optimal-F"]), _MODELS
    ),
    "jabbari2010/table3": Maker(
        _check_jabbari, partial(_coverage_table, measures=CUTS, groups=["all"]), _MODELS
    ),
}

MAKERS = {
    f"mccarthy-navigli-2007/{name}": maker for name, maker in _TABLES.items()
} | _COVERAGE_TABLES
