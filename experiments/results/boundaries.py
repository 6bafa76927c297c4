"""Boundary strategies compared over the rankings of a finished run."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.boundary.curves import Memory
from lexsub.data.catalogue import load, tuning_for
from lexsub.errors import FileProblemError, FormatError, LexsubError, UnknownNameError
from lexsub.evaluation.comparison import compare
from lexsub.evaluation.figures import Figure
from lexsub.evaluation.resampling import Interval
from lexsub.evaluation.scoring import evaluate
from lexsub.experiments.results.run_folder import refuse_unfinished
from lexsub.formats.jsonl import read_rankings
from lexsub.golds import Gold
from lexsub.parts.base import BOUNDARIES, Boundary, BoundaryContext, Tuning
from lexsub.parts.build import build_part
from lexsub.rankings import Ranking
from lexsub.storage.files import file_sha256, read_text
from lexsub.storage.memory import seldom_collected

Floats = NDArray[np.float64]

Mode = Literal["split", "cross-validation"]

ALPHA = 0.05
"""Above it (after Holm's correction) a strategy is not said to be better than the best fixed n."""

FIXED = "tuned-top-n"
ORACLE = "oracle"

COVERAGE = ("coverage-P", "coverage-R", "coverage-F")
LONGEST = 10


@dataclass(frozen=True, slots=True)
class RunRankings:
    """The rankings of a run with the golds they are compared with.

    Attributes:
        data: the data set and split, as the config names it.
        gold: the gold of the data.
        tuning_gold: that of the tuning split, or None.
        rankings: system to its rankings of the data, in item order.
        tuning: the same of the tuning split; empty where the run has none.
    """

    data: str
    gold: Gold
    tuning_gold: Gold | None
    rankings: Mapping[str, Sequence[Ranking]]
    tuning: Mapping[str, Sequence[Ranking]]

    @property
    def of_tuning(self) -> RunRankings | None:
        """The tuning split, taken as the data of a run; None where there is none."""
        if self.tuning_gold is None or not self.tuning:
            return None
        return RunRankings(self.tuning_gold.name, self.tuning_gold, None, self.tuning, {})

    @property
    def by_item(self) -> dict[str, dict[str, Ranking]]:
        """Rankings of data and tuning split by system and item id."""
        return {
            name: {r.id: r for r in (*self.tuning.get(name, ()), *rankings)}
            for name, rankings in self.rankings.items()
        }

    def alike(self, system: str) -> list[str]:
        """Return the systems that ranked the same candidates of every item, itself among them."""
        by_item = self.by_item
        pools = {
            name: {
                item: frozenset(ranking.top(len(ranking.ranked))) for item, ranking in of.items()
            }
            for name, of in by_item.items()
        }
        return [name for name in self.rankings if pools[name] == pools[system]]


@seldom_collected()
def read_run(folder: Path, data_folders: Sequence[Path]) -> RunRankings:
    """Read a run's folder: each ranking once, under the name of the first system that has it.

    Systems that only cut another's ranking in their own way bring nothing to compare; a ranking
    that looks at the gold is in the folder only where the run was allowed to write it.

    Raises:
        LexsubError: it is none, it is not finished, or its data are not there.
    """
    refuse_unfinished(folder)
    path = folder / "config.toml"
    try:
        config = tomllib.loads(read_text(path))
        names = [str(system["name"]) for system in config["systems"]]
        data, tuned = str(config["data"]), config.get("tuning")
        policy, language = config.get("normalisation"), config.get("language")
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise FormatError(path, None, f"is not a run's config ({error}); run it again") from error
    names = _different(folder / "rankings", names)
    read = {name: read_rankings(folder / "rankings" / f"{name}.jsonl") for name in names}
    gold = load(data, data_folders, language).under(policy).gold
    if tuned is None:
        return RunRankings(data, gold, None, read, {})
    # A system of answer files has no rankings of the tuning split.
    places = {name: folder / "rankings" / f"{name}.tuning.jsonl" for name in names}
    tuning = {name: read_rankings(path) for name, path in places.items() if path.is_file()}
    tuned_gold = load(str(tuned), data_folders, language).under(policy).gold
    return RunRankings(data, gold, tuned_gold, read, tuning)


def _different(folder: Path, names: Sequence[str]) -> list[str]:
    first: dict[str, str] = {}
    for name in names:
        path = folder / f"{name}.jsonl"
        if path.is_file():
            first.setdefault(file_sha256(path), name)
    if not first:
        raise FileProblemError(folder, "holds no rankings; run the experiment again")
    return list(first.values())


def recipes(system: str, systems: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the strategies that are compared, as a config has them, by their label.

    The best fixed n comes first, the oracle last.

    Args:
        system: the system whose rankings are cut.
        systems: the systems that ranked the same candidates.
    """
    learned = {"name": "expected-f"}
    tables: dict[str, dict[str, Any]] = {FIXED: {"name": FIXED}}
    for name in ("score", "relative-score", "gap", "mass"):
        tables[f"tuned {name}"] = {"name": "tuned", "strategy": name}
    tables["expected-f"] = learned
    tables["expected-f isotonic"] = learned | {"learner": "isotonic"}
    tables["expected-f plug-in"] = learned | {"expectation": "plug-in"}
    others = [name for name in systems if name != system]
    if others:
        tables["expected-f others"] = learned | {"others": others}
    return tables | {ORACLE: {"name": ORACLE}}


def strategies(system: str, systems: Sequence[str]) -> dict[str, Boundary]:
    """Return the strategies of :func:`recipes`, built."""
    made = recipes(system, systems)
    return {label: build_part(BOUNDARIES, table, label) for label, table in made.items()}


def as_config(recipe: Mapping[str, Any], penalty: float) -> str:
    """Return what a system's entry in a config says of a strategy."""
    told = {**recipe, **({"penalty": penalty} if penalty != 1 else {})}
    options = ", ".join(f"{key} = {json.dumps(value)}" for key, value in told.items())
    return f"oot = {{ {options} }}"


def tuning_line(run: RunRankings) -> str:
    """Return what has to be said of the split that strategies learn from; "" where there is one."""
    if run.tuning_gold is not None:
        return ""
    named = tuning_for(run.data)
    what = f"tuning = {json.dumps(named)}" if named else "tuning = the file of other items"
    return f" (and above the systems {what}, which it learns from)"


def cut_rankings(
    run: RunRankings,
    system: str,
    part: Boundary,
    mode: Mode,
    folds: int,
    seed: int,
    options: Mapping[str, object] | None = None,
) -> dict[str, int]:
    """Return how many candidates a strategy keeps of each item's ranking.

    Args:
        run: the run.
        system: which system's rankings.
        part: the strategy.
        mode: learn on the run's tuning split, or by cross-validation: the targets are dealt
            out to ``folds`` parts, and each part is cut by what was learned on the others.
        folds: how many parts.
        seed: seed of the deal.
        options: what :func:`options_of` returned for the run, so that strategies share it.

    Raises:
        LexsubError: the run has no tuning split.
    """
    rankings = run.rankings[system]
    options = options_of(run) if options is None else options
    if mode == "split" or not part.needs_tuning:
        tuning = None
        if run.tuning_gold is not None and system in run.tuning:
            tuning = Tuning(run.tuning[system], run.tuning_gold)
        elif part.needs_tuning:
            raise LexsubError(
                f"{system} has no rankings of a tuning split (they come by tuning = … in the "
                "run's config, but not of another program's answers): use --tune cross-validation"
            )
        cutter = part.fit(BoundaryContext(run.gold, tuning, seed, options))
        return {ranking.id: cutter.cut(ranking) for ranking in rankings}
    targets = sorted({ranking.lexelt for ranking in rankings})
    if len(targets) < folds:
        raise LexsubError(f"{len(targets)} targets cannot be dealt out to {folds} parts")
    dealt = np.random.default_rng(seed).permutation(len(targets)) % folds
    fold_of = dict(zip(targets, dealt.tolist(), strict=True))
    cuts: dict[str, int] = {}
    for fold in range(folds):
        learn = [ranking for ranking in rankings if fold_of[ranking.lexelt] != fold]
        cutter = part.fit(BoundaryContext(run.gold, Tuning(learn, run.gold), seed, options))
        cuts |= {r.id: cutter.cut(r) for r in rankings if fold_of[r.lexelt] == fold}
    return {ranking.id: cuts[ranking.id] for ranking in rankings}


def options_of(run: RunRankings) -> dict[str, object]:
    """Return what strategies are told beside rankings and gold, and where they keep their work."""
    return {"others": run.by_item, "memory": Memory()}


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """One strategy on one system.

    Attributes:
        system: the system.
        strategy: the strategy's label.
        mean_n: mean number of answers.
        precision: coverage P.
        recall: coverage R.
        f: coverage F.
        low: lower bound of F's 95 % interval.
        high: upper bound.
        difference: F minus that of the best fixed n.
        difference_low: lower bound of the difference's 95 % interval.
        difference_high: upper bound.
        p: paired approximate randomisation over targets, against the best fixed n.
        holm_p: the same, corrected for the number of strategies that are tested.
        gap_closed: share of the way from the best fixed n to the oracle cut, in percent.
    """

    system: str
    strategy: str
    mean_n: float
    precision: float
    recall: float
    f: float
    low: float
    high: float
    difference: float
    difference_low: float
    difference_high: float
    p: float
    holm_p: float
    gap_closed: float


def chosen_strategy(rows: Sequence[StrategyRow]) -> StrategyRow | None:
    """Return the row of the strategy to take; None for no rows.

    That is the one of the greatest F among those significantly better than the best fixed n, under
    Holm's correction; where none is, the best fixed n.
    """
    better = [row for row in rows if row.difference > 0 and row.holm_p < ALPHA]
    real = [row for row in better if row.strategy != ORACLE]
    fixed = [row for row in rows if row.strategy == FIXED]
    return max(real or fixed, key=lambda row: row.f, default=None)


def choose(
    run: RunRankings,
    system: str,
    rows: Sequence[StrategyRow],
    *,
    folds: int,
    resamples: int,
    penalty: float,
    seed: int,
) -> tuple[str, str]:
    """Return the strategy to take for a system, and in words what it was chosen by.

    Where the strategies learned from a tuning split, they are compared there as well, by
    cross-validation, and the figures of the data that are evaluated play no role.

    Args:
        run: the run.
        system: one of its systems.
        rows: its rows of :func:`compare_strategies`.
        folds: how many parts; of fewer targets as many as there are.
        resamples: of the tests.
        penalty: weight of a wrong answer.
        seed: of the deal and the draws.
    """
    inner = run.of_tuning
    by = f"these very figures of {run.gold.name}: try it on other data"
    if inner is not None and system in inner.rankings:
        targets = len({ranking.lexelt for ranking in inner.rankings[system]})
        folds = min(folds, targets)
        if folds > 1:
            by = f"{folds}-fold cross-validation over the targets of {inner.gold.name}"
            rows = compare_strategies(
                inner,
                [system],
                mode="cross-validation",
                folds=folds,
                resamples=resamples,
                penalty=penalty,
                seed=seed,
            )
    best = chosen_strategy(rows)
    return best.strategy if best is not None else FIXED, by


@seldom_collected()
def compare_strategies(
    run: RunRankings,
    systems: Sequence[str],
    *,
    mode: Mode = "split",
    folds: int = 10,
    resamples: int = 10_000,
    penalty: float = 1.0,
    seed: int = 0,
) -> list[StrategyRow]:
    """Compare the strategies on each system; see :class:`StrategyRow`.

    Raises:
        LexsubError: a system that the run does not have, or as for :func:`cut_rankings`.
    """
    rows = []
    for system in systems:
        if system not in run.rankings:
            raise UnknownNameError("system of the run", system, run.rankings)
        options = options_of(run)
        cuts = {
            label: cut_rankings(
                run, system, _with_penalty(part, penalty), mode, folds, seed, options
            )
            for label, part in strategies(system, run.alike(system)).items()
        }
        rows += _rows(run, system, cuts, Interval(resamples, seed=seed), penalty)
    return rows


def _with_penalty(part: Boundary, penalty: float) -> Boundary:
    changed: Boundary = replace(part, penalty=penalty)  # type: ignore[type-var]
    return changed


def _measures(penalty: float, *names: str) -> list[str]:
    return [f"{name}(penalty={penalty:g})" if penalty != 1 else name for name in names]


def _figures(
    run: RunRankings, tops: Mapping[str, Any], measures: Sequence[str], interval: Interval | None
) -> dict[tuple[str, str], Figure]:
    """Score answers; return their figures by system and name of the measure."""
    scores = evaluate(run.gold, tops, measures, interval=interval)
    return {(f.system, f.measure.split("@")[0].split("(")[0]): f for f in scores}


def _rows(
    run: RunRankings,
    system: str,
    cuts: Mapping[str, Mapping[str, int]],
    interval: Interval,
    penalty: float,
) -> list[StrategyRow]:
    tops = {
        label: {"oot": {r.id: r.top(cut[r.id]) for r in run.rankings[system]}}
        for label, cut in cuts.items()
    }
    figures = _figures(run, tops, _measures(penalty, *COVERAGE), interval)
    tests = compare(
        run.gold, tops, _measures(penalty, "coverage-F"), pairs="first", resampling=interval
    ).rows
    against = {row.second: row for row in tests}
    base, best = (figures[label, "coverage-F"].value for label in (FIXED, ORACLE))
    rows = []
    for label, cut in cuts.items():
        f, test = figures[label, "coverage-F"], against.get(label)
        rows.append(
            StrategyRow(
                system,
                label,
                float(np.mean(list(cut.values()))),
                figures[label, "coverage-P"].value,
                figures[label, "coverage-R"].value,
                f.value,
                f.low,
                f.high,
                f.value - base,
                -test.high if test else 0.0,
                -test.low if test else 0.0,
                test.randomisation_p if test else 1.0,
                test.holm_p if test else 1.0,
                100 * (f.value - base) / (best - base) if best > base else 0.0,
            )
        )
    return rows


@dataclass(frozen=True, slots=True)
class Curve:
    """Coverage of a system's first n candidates, n = 1 to 10.

    Attributes:
        system: the system.
        precision: by n.
        recall: by n.
        f: by n.
        optimal_f: mean of each item's best F.
    """

    system: str
    precision: tuple[float, ...]
    recall: tuple[float, ...]
    f: tuple[float, ...]
    optimal_f: float


def curves(run: RunRankings, systems: Sequence[str], penalty: float = 1.0) -> list[Curve]:
    """Return each system's coverage by n.

    Raises:
        LexsubError: a system that the run does not have.
    """
    found = []
    for system in systems:
        if system not in run.rankings:
            raise UnknownNameError("system of the run", system, run.rankings)
        tops = {
            str(n): {"oot": {r.id: r.top(n) for r in run.rankings[system]}}
            for n in range(1, LONGEST + 1)
        }
        wanted = _measures(penalty, *COVERAGE, "optimal-F")
        figures = _figures(run, tops, wanted, None)
        p, r, f = (tuple(figures[n, name].value for n in tops) for name in COVERAGE)
        found.append(Curve(system, p, r, f, figures[str(LONGEST), "optimal-F"].value))
    return found
