"""Tables on shared tasks: SemEval-2007 (two papers) and SemDis (Tanguy et al., 2016).

Of McCarthy and Navigli (2007) the entrants and baselines, of Jabbari, Hepple and Guthrie (2010) the
coverage of bow, lm, cmlc and KU, of Tanguy et al. SemDis systems under two golds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lexsub.data.catalogue import load, locate
from lexsub.data.semeval2007 import SYSTEMS, find_entrants
from lexsub.datasets import Gold
from lexsub.errors import LexsubError, MissingResourceError, look_for
from lexsub.evaluation.agreement.golds import by_origin, pool
from lexsub.evaluation.official.report import official
from lexsub.evaluation.scoring import evaluate
from lexsub.experiments.config.published import published_tables
from lexsub.experiments.papers.reproduce.bench import Bench, Made, Maker, Values
from lexsub.experiments.results.run_folder import rankings_file
from lexsub.experiments.results.scoring import SystemScores
from lexsub.formats.jsonl import read_rankings
from lexsub.formats.outputs.catalogue import read_output
from lexsub.formats.semeval_lines import read_submission
from lexsub.formats.variants import map_answers
from lexsub.matching.script import Subset
from lexsub.rankings import Ranking, Task
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


def _entrant(bench: Bench, system: str, task: Task) -> Path | None:
    """Return the file of an entrant's answers; None where it is not here."""
    try:
        return find_entrants(bench.resources.data).files.get((system, task))
    except LexsubError:
        return None


def _check_entrants(bench: Bench) -> None:
    find_entrants(bench.resources.data)
    locate("semeval2007", bench.resources.data)


def _baselines(bench: Bench, task: Task) -> Made:
    result = bench.run(BASELINES, only_published=True)
    experiment = bench.experiment(BASELINES, only_published=True)
    rows: dict[str, Values] = {}
    for system, scores in zip(experiment.systems, result.scores, strict=True):
        if system.published and task in scores.tasks:
            rows[system.published.partition("/")[2]] = _values(scores, task)
    notes = experiment.table.notes
    return Made(rows, (*notes.get("all", ()), *notes.get(task, ())))


def _multiwords(bench: Bench) -> Made:
    result = bench.run(WORDNET)
    notes = bench.experiment(WORDNET).table.notes
    rows: dict[str, Values] = {"WordNet": _values(result.scores[0], "mw")}
    if (path := _entrant(bench, "HIT", "mw")) is not None:
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
    files = {name: rankings_file(result.folder, name) for name in ROWS}
    systems: dict[str, Any] = {
        name: read_rankings(file) for name, file in files.items() if file.is_file()
    }
    if (path := _entrant(bench, "KU", "oot")) is None:
        if "ku" in systems:
            systems["KU"] = systems.pop("ku")
        return systems, (*NOTES, "KU is our model in the manner of KU, not the entrant's output.")
    systems["KU"] = {"oot": read_submission(path, "oot")}
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
        look_for(module, module, "lm", "asking a language model")


_MODELS = "semeval2007, a WordNet, the BNC lemma list, English text (corpus)"

_COVERAGE_TABLES = {
    "table1": partial(_coverage_table, measures=["coverage-R"]),
    "table2": partial(_coverage_table, measures=["optimal-F"]),
    "table3": partial(_coverage_table, measures=CUTS, groups=["all"]),
}

SEMEVAL = {f"mccarthy-navigli-2007/{name}": maker for name, maker in _TABLES.items()} | {
    f"{JABBARI}/{name}": Maker(_check_jabbari, make, _MODELS)
    for name, make in _COVERAGE_TABLES.items()
}


SEMDIS_BASELINE = "baseline_dicosyn.txt"
RUNS = "semdis-runs"
SEMDIS_CONFIG = "semdis2014-baseline"
OWN = "our dictionary baseline"


def _semdis_systems(bench: Bench, names: Sequence[str]) -> dict[str, list[Ranking]]:
    """Return the released baseline and the runs of a user's folder, by their row names.

    A file of the folder belongs to the row whose letters and digits its name has.
    """
    path = locate("semdis2014", bench.resources.data) / SEMDIS_BASELINE
    files = {"Baseline": path} if path.is_file() else {}
    by_letters = {_letters(name): name for name in names}
    files |= {by_letters.get(_letters(one.stem), one.stem): one for one in _run_files(bench)}
    return {name: read_output(file, "semdis")[0] for name, file in files.items()}


def _run_files(bench: Bench) -> list[Path]:
    """Return the files of the folder of runs; none where the user named no folder.

    Raises:
        MissingResourceError: the folder is not there, or empty.
    """
    folder = bench.resources.paths.get(RUNS)
    if folder is None:
        return []
    entries = folder.iterdir() if folder.is_dir() else ()
    files = sorted(entry for entry in entries if entry.is_file())
    if not files:
        raise MissingResourceError(
            f"--resource {RUNS}={folder}: expected a folder with a file for each run"
        )
    return files


def _own_baseline(bench: Bench) -> tuple[dict[str, list[Ranking]], str]:
    """Return our dictionary baseline's rankings, and why it differs or what it lacks."""
    try:
        bench.check_experiment(SEMDIS_CONFIG)
        result = bench.run(SEMDIS_CONFIG)
    except MissingResourceError as error:
        return {}, f"{OWN} is left out: {error}"
    rankings = read_rankings(rankings_file(result.folder, "frequency"))
    why = " ".join(bench.experiment(SEMDIS_CONFIG).table.notes["all"][1:])
    return {OWN: rankings}, f"{OWN}: {why}"


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def _golds(bench: Bench) -> tuple[Gold, Gold | None]:
    first = load("semdis2014/test-290", bench.resources.data).gold
    try:
        return first, load("semdis2014/test-gold2-290", bench.resources.data).gold
    except MissingResourceError:
        return first, None


def _both_golds(bench: Bench, measure: str, table: str) -> Made:
    systems = _semdis_systems(bench, list(published_tables()[table].rows))
    own, about_own = _own_baseline(bench)
    columns: list[Mapping[str, float]] = []
    for gold in _golds(bench):
        scores = evaluate(gold, {**systems, **own}, measure, interval=None) if gold else ()
        columns.append({figure.system: figure.value for figure in scores})
    # Our own took no part, so it has no rank.
    places = [_places({name: column[name] for name in systems if column}) for column in columns]
    rows: dict[str, Values] = {}
    for name in (*systems, *own):
        cells: list[float | None] = []
        for column, place in zip(columns, places, strict=True):
            cells += [column.get(name), place.get(name)]
        first, second = places[0].get(name), places[1].get(name)
        cells.append(None if first is None or second is None else second - first)
        rows[name] = tuple(cells)
    unrounded = ", ".join(f"{name} {row[0]:.4f}" for name, row in rows.items())
    notes = [
        "290 items: without compris.a and multiword substitutes. Baseline is the released file.",
        f"Gold 1, unrounded: {unrounded}.",
        about_own,
    ]
    if not columns[1]:
        notes.append(
            "The columns of gold 2 need its file, semdis2014_lexsub_gold2.txt, beside gold 1: it "
            "is not part of the 2014 release."
        )
    if len(systems) < 2:
        notes.append(
            f"Ranks need the runs: a folder with a file for each, named as its row (--resource "
            f"{RUNS}=DIR)."
        )
    elif absent := [name for name in published_tables()[table].rows if name not in systems]:
        notes.append(f"Ranks among those at hand; there is no run of {', '.join(absent)}.")
    return Made(rows, tuple(notes))


def _places(column: Mapping[str, float]) -> dict[str, float]:
    """Return ranks by unrounded value, 1 the best; none where there is a single system.

    Equal ones share the best rank of theirs.
    """
    if len(column) < 2:
        return {}
    return {
        name: 1.0 + sum(other > value for other in column.values())
        for name, value in column.items()
    }


def _origins(bench: Bench) -> Made:
    first, second = _golds(bench)
    if second is None:
        raise MissingResourceError("gold 2 is not there")  # _check_origins has said it already
    systems = _semdis_systems(bench, list(published_tables()["tanguy2016/table2"].rows))
    runs = [
        {one.id: map_answers(one.lexelt, one.top(10), first.mapping) for one in rankings}
        for rankings in systems.values()
    ]
    rows: dict[str, Values] = {}
    columns = by_origin(pool(first.items, second.items, runs).substitutes)
    for place, name in enumerate(("[0,1)", "[1,2)", "[2,3)", "[3]")):
        rows[name] = tuple(column.percent[place] for column in columns)
    sizes = ", ".join(f"{column.origin} {column.count}" for column in columns)
    notes = (
        f"Substitutes: {sizes} (788, 11,318 and 983 in the paper).",
        f"Systems: {', '.join(systems)}.",
    )
    return Made(rows, notes)


def _check(bench: Bench) -> None:
    path = locate("semdis2014", bench.resources.data) / SEMDIS_BASELINE
    if not path.is_file() and not _run_files(bench):
        raise MissingResourceError(
            f"{path} is not there, nor a folder of runs (--resource {RUNS}=DIR)"
        )


def _check_origins(bench: Bench) -> None:
    load("semdis2014/test-gold2-290", bench.resources.data)
    if not _run_files(bench):
        raise MissingResourceError(
            f"the nine runs of 2014 are not there: place their folder with --resource {RUNS}=DIR"
        )


_INPUTS = (
    f"semdis2014; for our own baseline a French thesaurus and Lexique; for the rest gold 2 "
    f"(semdis2014_lexsub_gold2.txt) and the runs ({RUNS})"
)

SEMDIS = {
    "tanguy2016/table1": Maker(
        _check_origins, _origins, f"semdis2014 with gold 2 (semdis2014_lexsub_gold2.txt), {RUNS}"
    ),
    "tanguy2016/table2": Maker(
        _check, partial(_both_golds, measure="semdis-best", table="tanguy2016/table2"), _INPUTS
    ),
    "tanguy2016/table3": Maker(
        _check, partial(_both_golds, measure="semdis-oot", table="tanguy2016/table3"), _INPUTS
    ),
}

MAKERS = SEMEVAL | SEMDIS
