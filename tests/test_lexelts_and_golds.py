"""Lexelts with blanks; golds written and read back."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.datasets import GoldItem, Lexelt
from lexsub.errors import FormatError, LexsubError
from lexsub.formats.semeval_lines import format_gold, parse_gold

HERE = Path("mine.gold")


@pytest.mark.parametrize(
    ("text", "lemma", "original", "pos"),
    [
        ("bright.a", "bright", "a", "a"),
        ("bar.n.v", "bar", "n", "v"),
        ("fourth quarter.n", "fourth quarter", "n", "n"),
        ("p.m..r", "p.m.", "r", "r"),
        ("arrêter.v", "arrêter", "v", "v"),
        ("Straße.n", "Straße", "n", "n"),
    ],
)
def test_lexelts(text: str, lemma: str, original: str, pos: str) -> None:
    lexelt = Lexelt.parse(text)
    assert (lexelt.lemma, lexelt.original_pos, lexelt.pos) == (lemma, original, pos)
    assert str(lexelt) == text


@pytest.mark.parametrize("text", ["bright", "bright.x", " bright.a", "bright.a\n", ".a", "", "a b"])
def test_other_strings_are_no_lexelts(text: str) -> None:
    with pytest.raises(ValueError, match="is not a lexelt"):
        Lexelt.parse(text)


def test_a_gold_line_may_have_a_lemma_with_a_blank() -> None:
    gold = parse_gold("fourth quarter.n 233 :: last quarter 2;end 1;\n", HERE)
    assert gold["233"].lexelt == "fourth quarter.n"
    assert gold["233"].weights == {"last quarter": 2, "end": 1}


@pytest.mark.parametrize("line", ["a b c 12 :: x 1;", "bright.a :: x 1;", "bright.a 1 : x 1;"])
def test_other_gold_lines_are_refused(line: str) -> None:
    with pytest.raises(FormatError, match="expected 'lexelt id :: substitute count;…'"):
        parse_gold(line, HERE)


WORD = st.text(string.ascii_lowercase + "éü' -", min_size=1, max_size=8).map(str.strip)
WEIGHTS = st.dictionaries(
    WORD.filter(bool),
    st.integers(0, 9) | st.integers(1, 3_000_000).map(lambda n: n / 1_000_000),
    max_size=5,
)


@given(st.lists(WEIGHTS, min_size=1, max_size=4))
def test_golds_come_back_as_they_were(all_weights: list[dict[str, float]]) -> None:
    items = [
        GoldItem(str(number), "fourth quarter.n" if number % 2 else "bright.a", weights)
        for number, weights in enumerate(all_weights)
    ]
    kept = {item.id: item.positive for item in items if item.positive}
    text = format_gold(items)
    if not kept:
        assert text == ""
        return
    back = parse_gold(text, HERE)
    assert {key: dict(item.weights) for key, item in back.items()} == kept
    for item in back.values():
        weights = list(item.weights.values())
        assert weights == sorted(weights, reverse=True)


def test_a_semicolon_cannot_be_written() -> None:
    with pytest.raises(LexsubError, match="item 7: substitute 'a;b' holds a semicolon"):
        format_gold([GoldItem("7", "x.n", {"a;b": 1})])


@pytest.mark.parametrize(
    ("item_id", "lexelt", "weights"),
    [("1 2", "x.n", {"a": 1}), ("7", "", {"a": 1}), ("7", "x y", {"a": 1}), ("7", "x.n", {"": 1}),
     ("7", "x.n", {"a\nb.n 8 :: c": 1}), ("7\n", "x.n", {"a": 1}), ("7", "x.n", {"a ": 1}),
     ("7", "x.n", {"a\r": 1}), ("7", "x.n", {"a": 10**9}), ("::", "x.n", {"a": 1})],
)  # fmt: skip
def test_what_a_gold_cannot_say(item_id: str, lexelt: str, weights: dict[str, float]) -> None:
    with pytest.raises(LexsubError, match="gold file"):
        format_gold([GoldItem(item_id, lexelt, weights)])
