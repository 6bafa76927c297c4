"""Candidate pools of later papers."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexsub.data.catalogue import load
from lexsub.datasets import GoldItem
from lexsub.errors import FormatError
from lexsub.formats.variants import parse_candidate_pool, pool_candidates, pool_key

HERE = Path("mine.txt")


def test_a_pool_is_cleaned() -> None:
    pool = parse_candidate_pool("loud.a::noisy;shrill ;pn;noisy ; blaring\n\nbar.n::\n", HERE)
    assert pool == {"loud.a": ("noisy", "shrill", "blaring"), "bar.n": ()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("loud.a:noisy", "mine.txt:1: 'loud.a:noisy'; expected"),
        ("loud.a:::noisy", "mine.txt:1"),
        ("a.n::b\na.n::c", "mine.txt:2: target a.n stands twice"),
        ("", "holds no line"),
    ],
)
def test_bad_pools_are_named(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_candidate_pool(text, HERE)


def test_corrected_lexelts_share_a_pool() -> None:
    assert [pool_key(name) for name in ("bar.n.v", "bar.n", "a.m.n", "p.m..r", "x.n.n")] == [
        "bar.n", "bar.n", "a.m.n", "p.m..r", "x.n"
    ]  # fmt: skip
    items = [
        GoldItem("1", "bar.n", {"pub": 2, "pn": 1, "inn": 0}),
        GoldItem("2", "bar.n.v", {"forbid": 1, "pub": 1}),
    ]
    assert pool_candidates(items) == {"bar.n": ("pub", "forbid")}


@pytest.mark.data
def test_the_published_pool_is_that_of_the_gold(data_dir: Path) -> None:
    path = data_dir / "melamud_lst" / "lst.gold.candidates"
    text = path.read_text()
    pool = parse_candidate_pool(text, path)
    raw = [candidate for line in text.splitlines() for candidate in line.split("::")[1].split(";")]
    # 4207 as listed, less 10 times pn and 17 duplicates.
    assert (len(pool), len(raw), sum(map(len, pool.values()))) == (201, 4207, 4207 - 10 - 17)
    gold = load("semeval2007/all", [data_dir]).gold
    assert len(gold.items) == 2003
    assert {key: set(words) for key, words in pool_candidates(gold.items.values()).items()} == {
        key: set(words) for key, words in pool.items()
    }
