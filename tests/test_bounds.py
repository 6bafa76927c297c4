"""Ceilings and floors as systems."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from lexsub.data.catalogue import load
from lexsub.datasets import Gold, GoldItem
from lexsub.evaluation.bounds import (
    all_tied,
    ceiling,
    given_candidates,
    oracle,
    pooled_candidates,
    random_order,
)
from lexsub.evaluation.scoring import evaluate
from lexsub.formats.variants import parse_candidate_pool
from lexsub.rankings import Ranked, Ranking

GOLD = Gold(
    "g",
    {
        "1": GoldItem("1", "calm.a", {"still": 3.0, "quiet": 2.0, "at rest": 1.0, "pn": 1.0}),
        "2": GoldItem("2", "calm.a", {"serene": 2.0, "quiet": 1.0}),
        "3": GoldItem("3", "path.n", {"trail": 2.0, "by-way": 1.0}),
    },
)


def test_oracle_over_a_pool() -> None:
    pool = {"1": ["x", "quiet", "quiet ", "still"], "2": ["x", "y"], "3": []}
    found = oracle(GOLD, pool)
    assert found == {
        "best": {"1": ["still"], "2": ["x"]},
        "oot": {"1": ["still", "quiet"], "2": ["x"]},
        "ranking": {"1": ["still", "quiet", "x"], "2": ["x", "y"]},
    }
    scores = ceiling(GOLD, pool, "best-R best-P oot-R best-mode-R")
    assert scores.value("oracle", "best-R") == pytest.approx((3 / 6) / 3)
    assert scores.value("oracle", "best-P") == pytest.approx((3 / 6) / 2)
    assert scores.value("oracle", "oot-R") == pytest.approx((5 / 6) / 3)
    assert scores.value("oracle", "best-mode-R") == pytest.approx(1 / 3)


def test_oracle_takes_the_first_ten() -> None:
    gold = Gold("g", {"1": GoldItem("1", "x.n", {f"w{i:02}": 15.0 - i for i in range(12)})})
    found = oracle(gold)
    assert found["oot"]["1"] == [f"w{i:02}" for i in range(10)]
    assert len(found["ranking"]["1"]) == 12


def test_pooled_candidates_join_the_items_of_a_target() -> None:
    assert pooled_candidates(GOLD) == {
        "1": ["quiet", "serene", "still"], "2": ["quiet", "serene", "still"], "3": ["trail"],
    }  # fmt: skip
    assert pooled_candidates(GOLD, multiwords=True)["3"] == ["by-way", "trail"]


def test_candidates_of_a_published_pool_go_to_the_items_of_their_target() -> None:
    found = given_candidates(GOLD, {"calm.a": ("quiet", "loud"), "way.n": ("road",)})
    assert found == {"1": ("quiet", "loud"), "2": ("quiet", "loud"), "3": ()}


def test_the_oracle_is_asked_by_name_too() -> None:
    pool = {"1": ["loud", "quiet"]}
    assert oracle(gold=GOLD, pool=pool) == oracle(GOLD, pool)
    with pytest.raises(TypeError):
        oracle(GOLD, pool, "clean")  # type: ignore[misc]


def test_random_order_depends_on_seed_and_id_alone() -> None:
    pool = {str(i): ["a", "b", "c", "d", "e"] for i in range(40)}
    first = random_order(pool, 1)
    assert random_order({"7": pool["7"]}, 1)["7"] == first["7"]
    assert random_order(pool, 1) == first != random_order(pool, 2)
    assert random_order(pool) == random_order(pool, 0) != first
    assert all(sorted(order) == pool["0"] for order in first.values())
    assert len({tuple(order) for order in first.values()}) > 20


def test_tied_candidates_score_as_the_mean_of_all_orders() -> None:
    pool = {"1": ["x", "still", "quiet", "y"]}
    gold = Gold("g", {"1": GOLD.items["1"]})
    expected = evaluate(gold, {"t": all_tied(pool)}, "GAP(ties=expected)", interval=None)
    orders = [
        evaluate(gold, {"o": {"1": list(order)}}, "GAP", interval=None).value("o", "GAP")
        for order in itertools.permutations(pool["1"])
    ]
    assert expected.figures[0].value == pytest.approx(sum(orders) / len(orders))


@pytest.mark.data
def test_leaky_counts_and_random_order_on_the_real_pool(data_dir: Path) -> None:
    gold = load("semeval2007/all", [data_dir]).gold
    pool = pooled_candidates(gold)
    single = evaluate(gold, {"r": random_order(pool)}, "GAP", interval=None).value("r", "GAP")
    # One drawn order: four standard errors about the published .2985.
    assert single == pytest.approx(0.2985, abs=0.024)
    counts: dict[str, dict[str, float]] = {}
    for item in gold.items.values():
        for substitute, weight in item.weights.items():
            table = counts.setdefault(item.lexelt, {})
            table[substitute] = table.get(substitute, 0.0) + weight
    leaky = {}
    for item_id, words in pool.items():
        known = counts[gold.items[item_id].lexelt]
        ranked = sorted((Ranked(c, known.get(c, 0.0)) for c in words), key=lambda one: -one.score)
        leaky[item_id] = Ranking(item_id, "", tuple(ranked))
    # Ranking by the counts pooled over a target's own items knows the gold: .587 is known.
    value = evaluate(gold, {"l": list(leaky.values())}, "GAP", interval=None).value("l", "GAP")
    assert value == pytest.approx(0.587, abs=0.01)


@pytest.mark.data
def test_the_published_pool_covers_the_gold(data_dir: Path) -> None:
    gold = load("semeval2007/all", [data_dir]).gold
    path = data_dir / "melamud_lst" / "lst.gold.candidates"
    pools = parse_candidate_pool(path.read_text(), path)
    system = {"o": oracle(gold, given_candidates(gold, pools))}
    scores = evaluate(gold, system, "GAP GAP(multiwords=keep)", interval=None)
    assert scores.value("o", "GAP(multiwords=keep)") > 0.99
    random_gap = evaluate(
        gold, {"r": all_tied(given_candidates(gold, pools))}, "GAP(ties=expected)", interval=None
    ).figures[0]
    assert random_gap.value == pytest.approx(0.2985, abs=0.006)


@pytest.mark.data
def test_the_oracle_reaches_one_on_swords(data_dir: Path) -> None:
    gold = load("swords/dev", [data_dir]).gold
    system = {"o": oracle(gold)}
    scores = evaluate(
        gold, system,
        "swords-F(reference_set=conceivable)@10 swords-P@1 GAP(multiwords=keep,unjudged=drop)",
        interval=None,
    )  # fmt: skip
    assert scores.figures[0].items == 370
    assert scores.value("o", "GAP(multiwords=keep,unjudged=drop)") == pytest.approx(1.0)
    assert scores.figures[0].value <= 1.0
