"""Tanguy et al. (2016): SemDis systems under two golds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from lexsub.data.catalogue import load, locate
from lexsub.errors import MissingResourceError
from lexsub.evaluation.agreement.golds import by_origin, pool
from lexsub.evaluation.scoring import evaluate
from lexsub.experiments.config.published import published_tables
from lexsub.experiments.papers.reproduce.bench import Bench, Made, Maker, Values
from lexsub.formats.jsonl import read_rankings
from lexsub.formats.outputs.catalogue import read_output
from lexsub.formats.variants import map_answers
from lexsub.golds import Gold
from lexsub.rankings import Ranking

BASELINE = "baseline_dicosyn.txt"
RUNS = "semdis-runs"
CONFIG = "semdis2014-baseline"
OWN = "our dictionary baseline"


def _systems(bench: Bench, names: Sequence[str]) -> dict[str, list[Ranking]]:
    """Return the released baseline and the runs of a user's folder, by their row names.

    A file of the folder belongs to the row whose letters and digits its name has.
    """
    path = locate("semdis2014", bench.resources.data) / BASELINE
    systems = {}
    if path.is_file():
        systems["Baseline"] = read_output(path, "semdis")[0]
    by_letters = {_letters(name): name for name in names}
    for file in _run_files(bench):
        name = by_letters.get(_letters(file.stem), file.stem)
        systems[name] = read_output(file, "semdis")[0]
    return systems


def _run_files(bench: Bench) -> list[Path]:
    """Return the files of the folder of runs; none where the user named no folder.

    Raises:
        MissingResourceError: the folder is not there, or empty.
    """
    folder = bench.resources.paths.get(RUNS)
    if folder is None:
        return []
    files = (
        sorted(entry for entry in folder.iterdir() if entry.is_file()) if folder.is_dir() else []
    )
    if not files:
        raise MissingResourceError(
            f"--resource {RUNS}={folder}: expected a folder with a file for each run"
        )
    return files


def _own_baseline(bench: Bench) -> tuple[dict[str, list[Ranking]], str]:
    """Return our dictionary baseline's rankings, and why it differs or what it lacks."""
    try:
        bench.check_experiment(CONFIG)
        result = bench.run(CONFIG)
    except MissingResourceError as error:
        return {}, f"{OWN} is left out: {error}"
    rankings = read_rankings(result.folder / "rankings" / "frequency.jsonl")
    why = " ".join(bench.experiment(CONFIG).table.notes["all"][1:])
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
    systems = _systems(bench, list(published_tables()[table].rows))
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
    systems = _systems(bench, list(published_tables()["tanguy2016/table2"].rows))
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
    path = locate("semdis2014", bench.resources.data) / BASELINE
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

MAKERS = {
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
