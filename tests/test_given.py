"""Golds, answers and rankers as people have them at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lexsub
from lexsub.errors import LexsubError

MEASURES = "best oot GAP P@1"


def figures(gold: Any, answers: Any) -> dict[str, float]:
    scores = lexsub.evaluate(gold, {"mine": answers}, MEASURES, interval=None)
    return {figure.measure: figure.value for figure in scores}


words = st.text("abcdef", min_size=1, max_size=2)
golds = st.dictionaries(
    st.sampled_from(["1", "2", "x3"]),
    st.dictionaries(words, st.integers(1, 5), min_size=1, max_size=4),
    min_size=1,
)
runs = st.dictionaries(
    st.sampled_from(["1", "2", "x3"]),
    st.dictionaries(words, st.integers(-3, 3), min_size=1, max_size=12),
    min_size=1,
)


@given(golds, runs)
def test_all_ways_of_giving_the_same_score_the_same(
    gold: dict[str, dict[str, int]], run: dict[str, dict[str, int]]
) -> None:
    items = {key: lexsub.GoldItem(key, key, value) for key, value in gold.items()}
    ordered = {key: sorted(one, key=lambda word: -one[word]) for key, one in run.items()}
    rankings = [
        lexsub.Ranking(key, key, tuple(lexsub.Ranked(word, run[key][word]) for word in one))
        for key, one in ordered.items()
    ]
    expected = figures(lexsub.Gold("g", items), rankings)
    gold_rows = [(i, word, n) for i, one in gold.items() for word, n in one.items()]
    run_rows = [(i, word, n) for i, one in run.items() for word, n in one.items()]
    columns = ["id", "substitute", "weight"]
    for frame in (pd.DataFrame(gold_rows, columns=columns),
                  pl.DataFrame(gold_rows, schema=columns, orient="row")):  # fmt: skip
        assert figures(frame, run) == pytest.approx(expected, nan_ok=True)
    columns[2] = "score"
    for frame in (pd.DataFrame(run_rows, columns=columns),
                  pl.DataFrame(run_rows, schema=columns, orient="row")):  # fmt: skip
        assert figures(gold, frame) == pytest.approx(expected, nan_ok=True)
    lists = figures(gold, ordered)
    # Lists say nothing of ties, which only a measure of rankings asks for.
    assert {m: v for m, v in lists.items() if m != "GAP"} == pytest.approx(
        {m: v for m, v in expected.items() if m != "GAP"}, nan_ok=True
    )


def test_lexelts_of_a_frame_are_targets() -> None:
    rows = [("1", "run.v", "go", 2), ("2", "run.v", "move", 2), ("3", "dog.n", "hound", 2)]
    frame = pd.DataFrame(rows, columns=["id", "lexelt", "substitute", "weight"])
    scores = lexsub.evaluate(frame, {"m": {"1": ["go"]}}, "best-R", interval=None, by_pos=True)
    assert {figure.pos: figure.items for figure in scores} == {"all": 3, "v": 2, "n": 1}
    compared = lexsub.compare(frame, {"a": {"1": ["go"]}, "b": {"2": ["move"]}}, "best-R")
    assert [row.units for row in compared.rows] == [2]


@pytest.mark.parametrize(
    ("gold", "answers", "message"),
    [
        (3, {}, "the gold is a int; expected a Gold"),
        ({"1": ["a"]}, {}, "the gold of item 1 is a list"),
        ({"1": {"a": "x"}}, {}, "'a' of item 1 has 'x'; expected a number"),
        ({"1": {"a": float("nan")}}, {}, "expected a number"),
        ({"1": {"a": -1}}, {}, "weighs -1; expected 0 or more"),
        (pd.DataFrame({"id": [1], "word": ["a"]}), {}, "a row without substitute; its columns"),
        (pd.DataFrame({"id": [1, 2], "substitute": ["a", None], "weight": 1}), {}, "a row without"),
        ({"1": {"a": 1}}, 3, "system mine is a int; expected a Submission"),
        ({"1": {"a": 1}}, {"1": "a"}, "are a string; expected a list"),
        ({"1": {"a": 1}}, {"1": [1]}, "expected a list of words"),
        ({"1": {"a": 1}}, {"1": 7}, "expected a list of words"),
        ({"1": {"a": 1}}, {"1": {"a": None}}, "has None; expected a number"),
        ({"1": {"a": 1}}, pd.DataFrame({"id": ["1"], "x": 1}), "expected columns id, substitute"),
        ({"1": {"a": 1}}, pd.DataFrame({"id": [None], "substitute": "a"}), "a row without id"),
    ],
)
def test_what_is_wrong_is_said(gold: Any, answers: Any, message: str) -> None:
    with pytest.raises(LexsubError, match=message):
        figures(gold, answers)


def shortest(sentence: str, span: tuple[int, int], candidates: list[str]) -> list[float]:
    assert sentence[slice(*span)]
    return [-len(candidate) for candidate in candidates]


def test_a_plain_function_ranks(tmp_path: Path) -> None:
    data = lexsub.load("tutorial/test")
    rankings = lexsub.rank(data, shortest)
    assert [one.id for one in rankings] == [item.id for item in data.items]
    assert all(
        [len(entry.substitute) for entry in one.ranked]
        == sorted(len(entry.substitute) for entry in one.ranked)
        for one in rankings
    )
    file = tmp_path / "mine.py"
    file.write_text("def shortest(s, span, found):\n    return [-len(one) for one in found]\n")
    assert lexsub.rank("tutorial/test", f"{file}:shortest", workers=2) == rankings
    # The same in a config, where the path starts beside it.
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\ndata = "tutorial/test"\n[[systems]]\nname = "short"\n'
        'candidates = "wordnet"\nranker = "mine.py:shortest"\n'
    )
    out = tmp_path / "run"
    lexsub.run(tmp_path / "mine.toml", out)
    read = lexsub.read_output(out / "rankings/short.jsonl")
    assert [one.top(99) for one in read] == [one.top(99) for one in rankings]
    own = {"101": ["b", "aa", "b"]}
    (first, *others) = lexsub.rank(data, {"name": "function", "call": f"{file}:shortest"}, own)
    assert [entry.substitute for entry in first.ranked] == ["b", "aa"]
    assert not any(one.ranked for one in others)


@pytest.mark.parametrize(
    ("ranker", "candidates", "message"),
    [
        (lambda *_: 1 / 0, "wordnet", "fails on item 101: ZeroDivisionError"),
        (lambda *_: [1], "wordnet", "its scores of item 101 are 1, its candidates"),
        (lambda *_: [float("nan")], {"101": ["a"]}, "the score nan; expected a number"),
        ("none.py:f", "wordnet", "none.py: no such file"),
        ("os:no_such", "wordnet", "os has no function 'no_such'"),
        (":f", "wordnet", "expected a function as my_file.py:my_function"),
        ("oracle", "wordnet", "looks at the gold"),
        (shortest, "wordnt", "did you mean wordnet"),
        (shortest, {"101": "word"}, "are a string; expected a list"),
    ],
)
def test_what_is_wrong_with_a_ranker_is_said(ranker: Any, candidates: Any, message: str) -> None:
    with pytest.raises(LexsubError, match=message):
        lexsub.rank("tutorial/test", ranker, candidates)
