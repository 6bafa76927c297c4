from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexsub.datasets import Dataset, Gold, GoldItem, Item, Lexelt
from lexsub.parts.base import RANKERS
from lexsub.rankings import Candidate, rank
from lexsub.resources import Resources

ITEM = Item("7", Lexelt.parse("bright.a"), "a bright lamp", 2, 8)
GOLD = Gold("own/test", {"7": GoldItem("7", "bright.a", {"shining": 3, "well-lit": 2, "lit": 1})})
DATA = Dataset("own/test", (ITEM,), GOLD)


def candidates(*substitutes: str) -> list[Candidate]:
    return [Candidate(substitute) for substitute in substitutes]


def ranked(name: str, proposed: list[Candidate], resources: Resources | None = None) -> list[str]:
    scorer = RANKERS[name]().open(resources or Resources(), DATA)
    return list(rank(ITEM, proposed, scorer.scores(ITEM, proposed)).top(99))


def test_order_keeps_the_order_of_the_source() -> None:
    assert ranked("order", candidates("z", "a", "m")) == ["z", "a", "m"]


def test_oracle_orders_by_gold_weight_and_reads_hyphens_as_blanks() -> None:
    proposed = candidates("dim", "lit", "well lit", "shining")
    assert ranked("oracle", proposed) == ["shining", "well lit", "lit", "dim"]


def test_oracle_scores_an_item_without_gold_zero() -> None:
    other = Item("8", Lexelt.parse("bright.a"), "bright", 0, 6)
    scorer = RANKERS["oracle"]().open(Resources(), DATA)
    assert list(scorer.scores(other, candidates("lit"))) == [0.0]


def test_only_the_oracle_looks_at_the_gold() -> None:
    assert {name for name in RANKERS if RANKERS[name].needs_gold} == {"oracle"}


@settings(deadline=None)
@given(st.permutations(["a", "b", "c", "d", "e"]))
def test_random_does_not_depend_on_the_order_of_the_candidates(proposed: list[str]) -> None:
    assert ranked("random", candidates(*proposed)) == ranked("random", candidates(*"abcde"))


def test_random_depends_on_the_seed_of_the_run() -> None:
    words = candidates(*"abcdefghij")
    assert ranked("random", words, Resources(seed=1)) != ranked("random", words, Resources(seed=2))
    assert ranked("random", words, Resources(seed=1)) == ranked("random", words, Resources(seed=1))


def test_frequency_puts_the_more_frequent_word_first() -> None:
    # "none" knows no word: the source's order stays.
    proposed = candidates("z", "a", "m")
    scorer = RANKERS["frequency"](frequency="none").open(Resources(), DATA)
    assert rank(ITEM, proposed, scorer.scores(ITEM, proposed)).top(3) == ("z", "a", "m")
    pytest.importorskip("wordfreq")
    words = candidates("luminous", "bright", "big")
    scorer = RANKERS["frequency"](frequency="wordfreq").open(Resources(), DATA)
    scores = scorer.scores(ITEM, words)
    assert rank(ITEM, words, scores).top(3) == ("big", "bright", "luminous")
    assert scorer.parts(ITEM, words) == {"frequency": scores}
