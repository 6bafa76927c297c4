"""Substitutes in their sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.datasets import Item, Lexelt
from lexsub.rankers.filling import Filled, fill_all, original


def item(text: str, target: str, lexelt: str) -> Item:
    start = text.index(target)
    return Item("1", Lexelt.parse(lexelt), text, start, start + len(target))


@pytest.mark.parametrize(
    ("text", "target", "lexelt", "substitute", "expected"),
    [
        ("A large dog", "large", "large.a", "ample", "An ample dog"),
        ("an  old man", "old", "old.a", "big", "a  big man"),
        ("He helped us", "helped", "help.v", "assist", "He assisted us"),
        ("Strong wine", "Strong", "strong.a", "powerful", "Powerful wine"),
        ("a STRONG wine", "STRONG", "strong.a", "odd", "an ODD wine"),
        ("plan a, strong", "strong", "strong.a", "odd", "plan a, odd"),
        ("points of view", "points", "point.n", "matter of fact", "matters of fact of view"),
    ],
)
def test_fill(text: str, target: str, lexelt: str, substitute: str, expected: str) -> None:
    found = fill_all(item(text, target, lexelt), [substitute])[0]
    assert found.text == expected
    assert found.word.lower() in expected.lower()


words = st.lists(st.text("abc", min_size=1, max_size=3), max_size=6)


@given(
    left=words,
    right=words,
    n=st.integers(0, 7),
    after=st.none() | st.integers(0, 7),
    gap=st.sampled_from([" ", "  ", "\n"]),
)
def test_around(left: list[str], right: list[str], n: int, after: int | None, gap: str) -> None:
    before = "".join(word + gap for word in left)
    behind = "".join(gap + word for word in right)
    place = Filled(f"{before}x y{behind}", len(before), len(before) + 3)
    found = place.around(n, after)
    assert found.word == "x y"
    assert found.text[: found.start].split() == left[max(len(left) - n, 0) :]
    assert found.text[found.end :].split() == right[: n if after is None else after]


def test_around_keeps_what_is_short_as_it_is() -> None:
    place = original(item(' He said "strong" . ', "strong", "strong.a"))
    assert place.around(5) == place
    assert place.around(1).text == '"strong"'
