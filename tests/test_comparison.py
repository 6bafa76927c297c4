"""Paired tests: against exact enumeration, an independent library, and what must hold."""

from __future__ import annotations

import json
import random
import tracemalloc
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import lexsub
from lexsub.datasets import Gold, GoldItem
from lexsub.errors import LexsubError
from lexsub.evaluation.comparison import Comparison, compare
from lexsub.evaluation.resampling import Interval, bootstrap_counts, holm, mcnemar, swaps
from lexsub.evaluation.scoring import evaluate

WORDS = [f"w{i}" for i in range(8)]


def make(
    seed: int, targets: int = 8, per_target: int = 3
) -> tuple[Gold, dict[str, dict[str, list[str]]]]:
    """A gold of some targets and two systems, the first a little better."""
    rng = random.Random(seed)
    items: dict[str, GoldItem] = {}
    systems: dict[str, dict[str, list[str]]] = {"A": {}, "B": {}}
    for number in range(targets * per_target):
        item_id = str(number)
        weights = {w: float(rng.randint(1, 4)) for w in rng.sample(WORDS, 3)}
        items[item_id] = GoldItem(item_id, f"t{number // per_target}.n", weights)
        top = max(weights, key=lambda w: weights[w])
        systems["A"][item_id] = [top if rng.random() < 0.4 else rng.choice(WORDS)]
        if rng.random() < 0.8:
            systems["B"][item_id] = [rng.choice(WORDS)]
    return Gold("g", items), systems


def exact_randomisation(
    gold: Gold, systems: dict[str, dict[str, list[str]]], measure: str
) -> float:
    """Swap the systems' answers on every subset of targets, and score anew each time."""
    targets = sorted({item.lexelt for item in gold.items.values()})

    def difference(swapped: set[str]) -> float:
        mixed: dict[str, dict[str, list[str]]] = {"A": {}, "B": {}}
        for item in gold.items.values():
            for name, other in (("A", "B"), ("B", "A")):
                source = systems[other if item.lexelt in swapped else name]
                if item.id in source:
                    mixed[name][item.id] = source[item.id]
        scores = evaluate(gold, mixed, measure, interval=None)
        return abs(scores.value("A", measure) - scores.value("B", measure))

    observed = difference(set())
    subsets = [
        {target for target, bit in zip(targets, bits, strict=True) if bit}
        for bits in product((0, 1), repeat=len(targets))
    ]
    return sum(difference(subset) >= observed - 1e-12 for subset in subsets) / len(subsets)


@pytest.mark.parametrize("measure", ["best-R", "best-P", "best-mode-P", "P@1"])
def test_randomisation_approaches_the_exact_test(measure: str) -> None:
    for seed in (1, 2):
        gold, systems = make(seed, targets=6)
        row = compare(gold, systems, measure, resampling=Interval(20_000)).rows[0]
        exact = exact_randomisation(gold, systems, measure)
        # Four standard errors of 20,000 trials.
        assert row.randomisation_p == pytest.approx(exact, abs=4 * 0.5 / 20_000**0.5)


@pytest.mark.parametrize(("seed", "at_least"), [(3, 0), (6, 400), (9, 100)])
def test_bootstrap_recomputes_ratios_from_sums(seed: int, at_least: int) -> None:
    gold, systems = make(seed)
    row = compare(gold, systems, "best-P", resampling=Interval(500, seed=7)).rows[0]
    scores = evaluate(gold, systems, "best-P", interval=None, per_item=True)
    credit = {
        one.system: {i: v for i, v in zip(one.ids, one.values, strict=True) if not np.isnan(v)}
        for one in scores.per_item
    }
    targets = [f"t{n}.n" for n in range(8)]
    differences = []
    for counts in bootstrap_counts(8, 500, 7):
        for draw in counts:
            figure = {}
            for name, values in credit.items():
                total = sum(
                    draw[targets.index(gold.items[i].lexelt)] * v for i, v in values.items()
                )
                attempted = sum(draw[targets.index(gold.items[i].lexelt)] for i in values)
                figure[name] = total / attempted
            differences.append(figure["A"] - figure["B"])
    low, high = np.quantile(differences, [0.025, 0.975])
    assert (row.low, row.high) == (pytest.approx(low), pytest.approx(high))
    shifted = np.abs(np.array(differences) - row.difference) >= abs(row.difference) - 1e-12
    assert shifted.sum() >= at_least
    assert row.bootstrap_p == pytest.approx((shifted.sum() + 1) / 501)


def test_a_system_does_not_differ_from_itself() -> None:
    gold, systems = make(4)
    same = {"A": systems["A"], "C": systems["A"]}
    for row in compare(gold, same, "best oot GAP", resampling=Interval(500)).rows:
        assert (row.difference, row.low, row.high) == (0, 0, 0)
        assert row.bootstrap_p == row.randomisation_p == row.holm_p == 1
        assert row.mcnemar_p in (None, 1)


def test_the_order_of_two_systems_changes_only_the_sign() -> None:
    gold, systems = make(5)
    backwards = {"B": systems["B"], "A": systems["A"]}
    one = compare(gold, systems, "best-P best-mode-R", resampling=Interval(1000)).rows
    two = compare(gold, backwards, "best-P best-mode-R", resampling=Interval(1000)).rows
    for row, other in zip(one, two, strict=True):
        assert row.difference == pytest.approx(-other.difference)
        assert (row.low, row.high) == (pytest.approx(-other.high), pytest.approx(-other.low))
        assert row.randomisation_p == other.randomisation_p
        assert row.bootstrap_p == other.bootstrap_p
        assert row.mcnemar_p == other.mcnemar_p


def test_what_was_written_as_json_comes_back() -> None:
    gold, systems = make(5)
    given = {name: {"best": answers} for name, answers in systems.items()}
    found = compare(gold, given, "best-P best-mode-P", resampling=Interval(100))
    written = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert repr(Comparison.of_json(written)) == repr(found)
    del written["rows"][0]["holm_p"]
    with pytest.raises(ValueError, match=r"rows\[0\]\.holm_p: "):
        Comparison.of_json(written)


def test_same_seed_same_figures() -> None:
    gold, systems = make(6)
    first = compare(gold, systems, "best", resampling=Interval(300, seed=5))
    assert compare(gold, systems, "best", resampling=Interval(300, seed=5)) == first
    other = compare(gold, systems, "best", resampling=Interval(300, seed=6))
    assert other.rows[0].low != first.rows[0].low


def test_resampling_items_narrows_the_interval_when_targets_differ() -> None:
    # All items of a target are alike, so 40 items are no more than 8 observations.
    items = {str(i): GoldItem(str(i), f"t{i // 5}.n", {"aa": 2.0, "bb": 1.0}) for i in range(40)}
    good = {str(i): ["aa" if (i // 5) % 2 else "cc"] for i in range(40)}
    width = {}
    for unit in ("target", "item"):
        figure = evaluate(
            Gold("g", items),
            {"s": good},
            "best-R",
            interval=Interval(2000, unit),  # type: ignore[arg-type]
        ).figures[0]
        width[unit] = figure.high - figure.low
    assert width["target"] > 1.5 * width["item"]


def test_interval_agrees_with_scipy() -> None:
    from scipy.stats import bootstrap

    gold, systems = make(8, targets=60, per_target=1)
    scores = evaluate(gold, systems, "best-R", interval=Interval(9999), per_item=True)
    figure, per_item = scores.figures[0], scores.per_item[0]
    other = bootstrap(
        (per_item.values,), np.mean, n_resamples=9999, method="percentile", rng=1
    ).confidence_interval
    assert (figure.low, figure.high) == pytest.approx((other.low, other.high), abs=0.01)


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.6], [1.0, 1.0]),
        ([0.02], [0.02]),
        ([], []),
        ([0.001, 0.001, 0.9], [0.003, 0.003, 0.9]),
    ],
)
def test_holm(p_values: list[float], adjusted: list[float]) -> None:
    assert holm(p_values) == pytest.approx(adjusted)


def test_mcnemar_agrees_with_the_binomial_test() -> None:
    from scipy.stats import binomtest

    rng = np.random.default_rng(1)
    for _ in range(50):
        first, second = rng.integers(0, 2, (2, int(rng.integers(1, 200)))).astype(float)
        b, c = int((first > second).sum()), int((second > first).sum())
        expected = binomtest(b, b + c).pvalue if b + c else 1.0
        assert mcnemar(first, second) == pytest.approx(expected)


def test_draws_do_not_depend_on_the_size_of_blocks() -> None:
    counts = np.concatenate(list(bootstrap_counts(1700, 1300, 3)))
    assert counts.shape == (1300, 1700)
    assert (counts.sum(axis=1) == 1700).all()
    assert np.array_equal(counts[:5], next(bootstrap_counts(1700, 5, 3)))
    moved = np.concatenate(list(swaps(1700, 1300, 3)))
    assert set(np.unique(moved)) == {0.0, 1.0}
    assert 0.49 < moved.mean() < 0.51


def test_memory_does_not_grow_with_the_resamples() -> None:
    gold, systems = make(9, targets=150, per_target=2)

    def peak(resamples: int) -> int:
        tracemalloc.start()
        compare(gold, systems, "best-R", resampling=Interval(resamples, "item"))
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    few, many = peak(5_000), peak(50_000)
    # 45,000 more resamples of 300 units would be 108 MB at once; what may grow is the
    # figures themselves, a few copies of 8 bytes each.
    assert many - few < 45_000 * 8 * 20


def test_three_systems_in_pairs() -> None:
    gold, systems = make(10)
    three = {**systems, "C": systems["B"]}
    rows = compare(gold, three, "best-R", resampling=Interval(200)).rows
    assert [(row.first, row.second) for row in rows] == [("A", "B"), ("A", "C"), ("B", "C")]
    first = compare(gold, three, "best-R", pairs="first", resampling=Interval(200)).rows
    assert [(row.first, row.second) for row in first] == [("A", "B"), ("A", "C")]
    assert rows[0].holm_p >= rows[0].randomisation_p


def test_nothing_to_compare() -> None:
    gold, systems = make(11)
    with pytest.raises(LexsubError, match="expected at least 2"):
        compare(gold, {"A": systems["A"]})
    with pytest.raises(LexsubError, match="no measure for which every system"):
        compare(gold, {"A": {"best": systems["A"]}, "B": {"oot": systems["B"]}}, "best")


def test_the_command(tmp_path: Path) -> None:
    from lexsub.cli.score import compare as command

    gold, systems = make(12)
    files = {}
    for name, answers in systems.items():
        files[name] = tmp_path / f"{name}.best"
        files[name].write_text("".join(f"t.n {i} :: {';'.join(a)}\n" for i, a in answers.items()))
    key = tmp_path / "key"
    lines = (
        f"{item.lexelt} {item.id} :: " + "".join(f"{s} {w:.0f};" for s, w in item.weights.items())
        for item in gold.items.values()
    )
    key.write_text("\n".join(lines))
    arguments = [str(key), str(files["A"]), str(files["B"]), "--resamples", "300"]
    table = CliRunner().invoke(command, arguments)
    assert table.exit_code == 0
    assert "Null hypothesis of approximate randomisation" in table.stdout
    assert "Null hypothesis of McNemar" in table.stdout
    rows = json.loads(CliRunner().invoke(command, [*arguments, "--format", "json"]).stdout)["rows"]
    assert [row["measure"] for row in rows] == ["best-P", "best-R", "best-mode-P", "best-mode-R"]
    tsv = CliRunner().invoke(command, [*arguments, "--format", "tsv"]).stdout.splitlines()
    assert len(tsv) == 5
    assert tsv[0].split("\t")[:3] == ["measure", "first", "second"]


def test_what_was_seen_counts_among_the_trials() -> None:
    """Where no trial is as extreme, p is 1 / (trials + 1), never 0 (Phipson and Smyth, 2010)."""
    gold = Gold("g", {str(n): GoldItem(str(n), f"t{n}.n", {"good": 2.0}) for n in range(40)})
    systems = {"A": {item: ["good"] for item in gold.items}, "B": {i: ["bad"] for i in gold.items}}
    (row,) = compare(gold, systems, "best-R", resampling=Interval(200)).rows
    assert (row.randomisation_p, row.bootstrap_p) == (1 / 201, 1 / 201)


def test_printed_scores_have_the_marks_of_the_comparison() -> None:
    gold = lexsub.load("tutorial/test").gold
    right = {item: list(one.positive)[:1] for item, one in gold.items.items()}
    systems = {"right": right, "wrong": {item: ["x"] for item in right}}
    scores = lexsub.evaluate(gold, systems, "oot-R")
    found = lexsub.compare(gold, systems, "oot-R").rows[0]
    assert found.holm_p < 0.05
    lines = str(scores).splitlines()
    assert "A: right" in lines[1]
    assert "] B " in lines[2]
    assert "significantly better" in lines[-1]
    # Two alike systems beat nobody; without intervals nothing is tested.
    alike = str(lexsub.evaluate(gold, {"a": right, "b": right}, "oot-R"))
    assert "] A" not in alike
    assert "] B" not in alike
    plain = lexsub.evaluate(gold, systems, "oot-R", interval=None)
    assert plain.tests is None
    assert "A:" not in str(plain)
    assert lexsub.evaluate(gold, {"a": right}, "oot-R").tests is None, "nothing to compare with"
