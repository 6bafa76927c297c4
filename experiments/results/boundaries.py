"""Boundary strategies compared over the rankings of a finished run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lexsub.boundary.curves import LARGEST, Memory
from lexsub.data.catalogue import load, tuning_for
from lexsub.datasets import Gold
from lexsub.errors import FileProblemError, LexsubError, look_up, well_formed
from lexsub.evaluation.comparison import ALPHA, compare
from lexsub.evaluation.figures import Figure
from lexsub.evaluation.resampling import Interval
from lexsub.evaluation.scoring import evaluate
from lexsub.experiments.config.reading import read_table
from lexsub.experiments.results.run_folder import rankings_file, refuse_unfinished
from lexsub.formats.jsonl import read_rankings
from lexsub.parts.base import BOUNDARIES, Boundary, BoundaryContext, Tuning
from lexsub.parts.build import build_part
from lexsub.parts.checked import checked_cut, with_method
from lexsub.rankings import Ranking
from lexsub.storage.files import file_sha256
from lexsub.storage.memory import seldom_collected

Mode = Literal["split", "cross-validation"]

FIXED = "tuned-top-n"
ORACLE = "oracle"

COVERAGE = ("coverage-P", "coverage-R", "coverage-F")


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
    def by_item(self) -> dict[str, dict[str, Ranking]]:
        """Rankings of data and tuning split by system and item id."""
        return {
            name: {r.id: r for r in (*self.tuning.get(name, ()), *rankings)}
            for name, rankings in self.rankings.items()
        }

    def alike(self, system: str) -> list[str]:
        """Return the systems that ranked the same candidates of every item, itself among them."""
        pools = {
            name: {item: frozenset(one.top(len(one.ranked))) for item, one in of.items()}
            for name, of in self.by_item.items()
        }
        return [name for name in self.rankings if pools[name] == pools[system]]

    def of(self, system: str) -> Sequence[Ranking]:
        """Return the rankings of a system.

        Raises:
            UnknownNameError: the run has none of it.
        """
        return look_up("system of the run", system, self.rankings)


@dataclass(frozen=True, slots=True)
class Comparing:
    """How strategies are compared.

    Attributes:
        mode: learn on the run's tuning split, or by cross-validation: the targets are dealt
            out to ``folds`` parts, and each part is cut by what was learned on the others.
        folds: how many parts.
        resamples: of intervals and tests.
        penalty: weight of a wrong answer.
        seed: of the deal and the draws.
    """

    mode: Mode = "split"
    folds: int = 10
    resamples: int = 10_000
    penalty: float = 1.0
    seed: int = 0

    def measures(self, *names: str) -> list[str]:
        """Return measures with the penalty."""
        return [f"{n}(penalty={self.penalty:g})" if self.penalty != 1 else n for n in names]


@seldom_collected()
def read_run(folder: Path, data_folders: Sequence[Path]) -> RunRankings:
    """Read a run's folder: each ranking once, under the name of the first system that has it.

    Systems that only cut another's ranking bring nothing to compare; rankings that look at the gold
    are there only where the run was allowed to write them.

    Raises:
        LexsubError: it is none, it is not finished, or its data are not there.
    """
    refuse_unfinished(folder)
    config = read_table(folder / "config.toml")
    with well_formed(folder / "config.toml", "is not a run's config", "; run it again"):
        names = [str(system["name"]) for system in config["systems"]]
        data, tuned = str(config["data"]), config.get("tuning")
        policy, language = config.get("normalisation"), config.get("language")
    names = _different(folder, names)
    read = {name: read_rankings(rankings_file(folder, name)) for name in names}
    gold = load(data, data_folders, language).under(policy).gold
    if tuned is None:
        return RunRankings(data, gold, None, read, {})
    # A system of answer files has no rankings of the tuning split.
    places = {name: rankings_file(folder, name, tuning=True) for name in names}
    tuning = {name: read_rankings(path) for name, path in places.items() if path.is_file()}
    tuned_gold = load(str(tuned), data_folders, language).under(policy).gold
    return RunRankings(data, gold, tuned_gold, read, tuning)


def _different(folder: Path, names: Sequence[str]) -> list[str]:
    first: dict[str, str] = {}
    for name in names:
        path = rankings_file(folder, name)
        if path.is_file():
            first.setdefault(file_sha256(path), name)
    if not first:
        raise FileProblemError(folder / "rankings", "holds no rankings; run the experiment again")
    return list(first.values())


def recipes(system: str, systems: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the strategies by label, as a config has them: the best fixed n first, oracle last.

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


def _cuts(
    run: RunRankings, system: str, part: Boundary, how: Comparing, options: Mapping[str, object]
) -> dict[str, int]:
    """Return how many candidates a strategy keeps of each item's ranking."""
    part = replace(part, penalty=how.penalty)  # type: ignore[type-var]
    cuts: dict[str, int] = {}
    for tuning, rankings in _lessons(run, system, part, how):
        context = BoundaryContext(run.gold, tuning, how.seed, options)
        cutter = with_method(part.fit(context), "cut", part)
        for ranking in rankings:
            cuts[ranking.id] = checked_cut(cutter.cut(ranking), ranking, part)
    return {ranking.id: cuts[ranking.id] for ranking in run.rankings[system]}


def _lessons(
    run: RunRankings, system: str, part: Boundary, how: Comparing
) -> Iterator[tuple[Tuning | None, Sequence[Ranking]]]:
    """Yield what a strategy learns from, and the rankings that it cuts then.

    Raises:
        LexsubError: the run has no tuning split, or too few targets for the parts.
    """
    rankings = run.rankings[system]
    if how.mode == "split" or not part.needs_tuning:
        tuning = None
        if run.tuning_gold is not None and system in run.tuning:
            tuning = Tuning(run.tuning[system], run.tuning_gold)
        elif part.needs_tuning:
            raise LexsubError(
                f"{system} has no rankings of a tuning split (they come by tuning = … in the "
                "run's config, but not of another program's answers): use --tune cross-validation"
            )
        yield tuning, rankings
        return
    targets = sorted({ranking.lexelt for ranking in rankings})
    if len(targets) < how.folds:
        raise LexsubError(f"{len(targets)} targets cannot be dealt out to {how.folds} parts")
    dealt = np.random.default_rng(how.seed).permutation(len(targets)) % how.folds
    fold_of = dict(zip(targets, dealt.tolist(), strict=True))
    for fold in range(how.folds):
        others = [ranking for ranking in rankings if fold_of[ranking.lexelt] != fold]
        yield Tuning(others, run.gold), [r for r in rankings if fold_of[r.lexelt] == fold]


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
    run: RunRankings, system: str, rows: Sequence[StrategyRow], how: Comparing
) -> tuple[str, str]:
    """Return the strategy to take for a system, and in words what it was chosen by.

    Where the strategies learned from a tuning split, they are compared there as well, by
    cross-validation, and the figures of the data that are evaluated play no role.

    Args:
        run: the run.
        system: one of its systems.
        rows: its rows of :func:`compare_strategies`.
        how: they were compared; of fewer targets than parts, the parts are as many as there are.
    """
    by = f"these very figures of {run.gold.name}: try it on other data"
    if run.tuning_gold is not None and system in run.tuning:
        folds = min(how.folds, len({ranking.lexelt for ranking in run.tuning[system]}))
        if folds > 1:
            by = f"{folds}-fold cross-validation over the targets of {run.tuning_gold.name}"
            inner = RunRankings(run.tuning_gold.name, run.tuning_gold, None, run.tuning, {})
            how = replace(how, mode="cross-validation", folds=folds)
            rows = compare_strategies(inner, [system], how)
    best = chosen_strategy(rows)
    return best.strategy if best is not None else FIXED, by


@seldom_collected()
def compare_strategies(
    run: RunRankings, systems: Sequence[str], how: Comparing
) -> list[StrategyRow]:
    """Compare the strategies on each system; see :class:`StrategyRow`.

    Raises:
        LexsubError: a system that the run does not have; a run without the tuning split that is
            to be learned from, or with fewer targets than parts.
    """
    rows = []
    for system in systems:
        run.of(system)
        # What strategies are told beside rankings and gold, and where they keep their work.
        options = {"others": run.by_item, "memory": Memory()}
        cuts = {
            label: _cuts(run, system, build_part(BOUNDARIES, table, label), how, options)
            for label, table in recipes(system, run.alike(system)).items()
        }
        rows += _rows(run, system, cuts, how)
    return rows


def _figures(
    run: RunRankings, tops: Mapping[str, Any], measures: Sequence[str], interval: Interval | None
) -> dict[tuple[str, str], Figure]:
    """Score answers; return their figures by system and name of the measure."""
    scores = evaluate(run.gold, tops, measures, interval=interval)
    return {(f.system, f.measure.split("@")[0].split("(")[0]): f for f in scores}


def _rows(
    run: RunRankings, system: str, cuts: Mapping[str, Mapping[str, int]], how: Comparing
) -> list[StrategyRow]:
    tops = {
        label: {"oot": {r.id: r.top(cut[r.id]) for r in run.rankings[system]}}
        for label, cut in cuts.items()
    }
    interval = Interval(how.resamples, seed=how.seed)
    figures = _figures(run, tops, how.measures(*COVERAGE), interval)
    tested = how.measures("coverage-F")
    tests = compare(run.gold, tops, tested, pairs="first", resampling=interval).rows
    against = {row.second: row for row in tests}
    base, best = (figures[label, "coverage-F"].value for label in (FIXED, ORACLE))
    rows = []
    for label, cut in cuts.items():
        p, r, f = (figures[label, name] for name in COVERAGE)
        gain, test = f.value - base, against.get(label)
        # The test's difference is that of the best fixed n minus the strategy.
        low, high = (-test.high, -test.low) if test else (0.0, 0.0)
        ps = (test.randomisation_p, test.holm_p) if test else (1.0, 1.0)
        closed = 100 * gain / (best - base) if best > base else 0.0
        mean = float(np.mean(list(cut.values())))
        own = (mean, p.value, r.value, f.value, f.low, f.high)
        rows.append(StrategyRow(system, label, *own, gain, low, high, *ps, closed))
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
    measures = Comparing(penalty=penalty).measures(*COVERAGE, "optimal-F")
    found = []
    for system in systems:
        rankings = run.of(system)
        tops = {str(n): {"oot": {r.id: r.top(n) for r in rankings}} for n in range(1, LARGEST + 1)}
        figures = _figures(run, tops, measures, None)
        p, r, f = (tuple(figures[n, name].value for n in tops) for name in COVERAGE)
        found.append(Curve(system, p, r, f, figures[str(LARGEST), "optimal-F"].value))
    return found
