"""Candidate pools and parsed sentences of later papers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.data.catalogue import load
from lexsub.errors import FormatError
from lexsub.formats.candidate_pool import (
    format_candidate_pool,
    parse_candidate_pool,
    pool_candidates,
    pool_key,
)
from lexsub.formats.conll import parse_conll
from lexsub.golds import GoldItem

HERE = Path("mine.txt")


def test_a_pool_is_cleaned() -> None:
    pool = parse_candidate_pool("loud.a::noisy;shrill ;pn;noisy ; blaring\n\nbar.n::\n", HERE)
    assert pool == {"loud.a": ("noisy", "shrill", "blaring"), "bar.n": ()}
    assert parse_candidate_pool(format_candidate_pool(pool), HERE) == pool


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


def conll(*tokens: tuple[str, int, str]) -> str:
    rows = [
        f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t-1\t_\n"
        for number, (form, head, relation) in enumerate(tokens, start=1)
    ]
    return "".join(rows)


def test_parsed_sentences() -> None:
    text = (
        conll(("ducks", 2, "nsubj"), ("swim", 0, "root"), ("<eol>", 2, "dep"))
        + "\n"
        + conll(("rain", 0, "root"))
    )
    first, second = parse_conll(text, HERE)
    assert [(token.form, token.head, token.relation) for token in first] == [
        ("ducks", 1, "nsubj"), ("swim", -1, "root")
    ]  # fmt: skip
    assert [token.form for token in second] == ["rain"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tducks\n", "mine.txt:1: .*expected ten columns, the first being 1"),
        (conll(("a", 0, "root")) + conll(("b", 0, "root")), "mine.txt:2: .*first being 2"),
        ("\n\n" + conll(("a", 0, "r"), ("b", 3, "x")), "mine.txt:4: head '3'; .* 0 to 2"),
    ],
)
def test_bad_parses_are_named(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(parse_conll(text, HERE))


@given(st.lists(st.integers(1, 6), max_size=6))
def test_any_number_of_sentences_comes_back(sizes: list[int]) -> None:
    sentences = [conll(*[(f"w{n}", 0, "root") for n in range(size)]) for size in sizes]
    assert [len(parsed) for parsed in parse_conll("\n".join(sentences), HERE)] == sizes


@pytest.mark.data
def test_the_published_parses_are_in_item_order(data_dir: Path) -> None:
    path = data_dir / "melamud_lst" / "lst_all.conll"
    sentences = list(parse_conll(path.read_text(), path))
    items = load("semeval2007/all", [data_dir]).items
    assert len(sentences) == len(items) == 2010
    for item, sentence in zip(items, sentences, strict=True):
        assert item.target.lower() in {token.form for token in sentence}
