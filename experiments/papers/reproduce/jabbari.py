"""Jabbari, Hepple and Guthrie (2010): coverage of bow, lm, cmlc and KU."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from lexsub.data.semeval2007 import find_entrants
from lexsub.errors import LexsubError
from lexsub.evaluation.scoring import evaluate
from lexsub.experiments.papers.reproduce.bench import Bench, Made, Maker, Values, check_library
from lexsub.formats.jsonl import read_rankings
from lexsub.formats.semeval_lines import read_submission

CONFIG = "jabbari2010"
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
    result = bench.run(CONFIG)
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


def _table(bench: Bench, measures: Sequence[str], groups: Sequence[str] = ORDER) -> Made:
    """Score all systems; a column a measure and group of items."""
    systems, notes = _systems(bench)
    gold = bench.run(CONFIG).data.gold
    scores = evaluate(gold, systems, measures, normalise="official", by_pos=True, interval=None)
    figures = {(one.system, one.measure, one.pos): one.value for one in scores}
    rows: dict[str, Values] = {}
    for name in systems:
        values = [figures[name, measure, pos] for measure in measures for pos in groups]
        rows[name] = tuple(None if value != value else value for value in values)
    return Made(rows, notes)


def _check(bench: Bench) -> None:
    bench.check_experiment(CONFIG)
    for module in ("kenlm", "lemminflect"):
        check_library(module, module, "lm", "asking a language model")


_INPUTS = "semeval2007, a WordNet, the BNC lemma list, English text (corpus)"

MAKERS = {
    "jabbari2010/table1": Maker(_check, partial(_table, measures=["coverage-R"]), _INPUTS),
    "jabbari2010/table2": Maker(_check, partial(_table, measures=["optimal-F"]), _INPUTS),
    "jabbari2010/table3": Maker(_check, partial(_table, measures=CUTS, groups=["all"]), _INPUTS),
}
