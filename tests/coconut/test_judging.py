"""Ranks and figures, scorers of every kind, and whether a planted signal is found."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from lexsub.cli.papers import coconut as command
from lexsub.errors import FormatError, LexsubError
from lexsub.experiments.papers.coconut.generation import Recipe, gather, make_coconuts
from lexsub.experiments.papers.coconut.scorers import (
    FunctionUtteranceScorer,
    NgramScorer,
    RankerScorer,
    as_item,
    chance,
    judge,
    load_scorer,
    rank_of,
    read_scores,
)
from lexsub.experiments.papers.coconut.sets import Coconut, Utterance, read_coconuts
from lexsub.rankers.lm.header import LanguageModel
from lexsub.rankers.lm.model import open_model
from lexsub.rankers.lm.ranker import SlotScorer
from lexsub.rankers.lm.training import LanguageModelBuilder
from lexsub.resources import Resources
from tests.coconut.texts import as_brown, as_text, sentences


@given(st.lists(st.integers(0, 5), min_size=1, max_size=9), st.data())
def test_mean_rank_is_scipys(scores: list[int], data: st.DataObject) -> None:
    real = data.draw(st.integers(0, len(scores) - 1))
    rank = rank_of([float(score) for score in scores], real)
    negative = [-score for score in scores]
    assert rank.mean == rankdata(negative)[real]
    assert rank.best == rankdata(negative, "min")[real]
    assert rank.worst == rankdata(negative, "max")[real]


def test_chance_of_the_paper() -> None:
    mean, error = chance([8] * 46)
    assert mean == 4.5
    assert round(error, 3) == 0.338


def utterances(texts: Sequence[str]) -> tuple[Utterance, ...]:
    return tuple(Utterance(tuple(text.split()), 0) for text in texts)


def test_figures_by_hand() -> None:
    coconuts = [
        Coconut("a", "word", utterances(["x", "xx", "xxx"]), 0),
        Coconut("b", "word", utterances(["xx", "xx x", "xxx"]), 0),
    ]
    (figures,) = judge("short", FunctionUtteranceScorer(lambda text: -len(text.split())), coconuts)
    # a: all three tie (rank 2, 1 to 3); b: tie of two (rank 1.5, 1 to 2).
    assert figures.mean == 1.75
    assert (figures.optimistic, figures.pessimistic) == (1, 2.5)
    assert figures.first == 0
    assert figures.error == pytest.approx(0.25)
    assert figures.chance == 2
    assert figures.chance_error == pytest.approx(math.sqrt(2 * 8 / 12) / 2)


@pytest.mark.parametrize("scores", [[1.0], [1.0, math.nan]])
def test_scorers_that_misbehave_are_named(scores: list[float]) -> None:
    class Bad:
        def scores(self, utterances: Sequence[Utterance]) -> list[float]:
            return scores

    with pytest.raises(LexsubError, match="returned"):
        judge("bad", Bad(), [Coconut("a", "word", utterances(["x", "y"]), 0)])


def model(folder: Path, text: str, smoothing: str, order: int) -> LanguageModel:
    folder.mkdir()
    (folder.parent / "text.txt").write_text(text)
    builder = LanguageModelBuilder(
        (str(folder.parent / "text.txt"),), order=order, smoothing=smoothing, engine="embedded"  # type: ignore[arg-type]
    )  # fmt: skip
    builder.build(Resources(cache=folder.parent / "cache"), folder)
    return open_model(folder)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[bool, str], LanguageModel]:
    pytest.importorskip("kenlm")
    models = {}
    for shuffled in (False, True):
        text = as_text(sentences(3000, seed=10, shuffled=shuffled))
        for smoothing in ("additive", "kneser-ney"):
            folder = tmp_path_factory.mktemp("models") / "model"
            models[shuffled, smoothing] = model(folder, text, smoothing, 3)
    return models


@pytest.mark.parametrize("smoothing", ["additive", "kneser-ney"])
def test_a_planted_signal_is_found_and_a_shuffled_one_is_not(
    trained: dict[tuple[bool, str], LanguageModel], smoothing: str
) -> None:
    for shuffled in (False, True):
        recipe = Recipe(kind="word", number=200, seed=5)
        corpus = sentences(600, seed=20, shuffled=shuffled)
        coconuts = make_coconuts(gather(corpus, recipe), recipe)
        for context in ("window", "full-per-token"):
            scorer = NgramScorer(trained[shuffled, smoothing], context)  # type: ignore[arg-type]
            (figures,) = judge("lm", scorer, coconuts)
            if shuffled:
                # Four standard errors: a guess strays so far once in 16,000.
                assert abs(figures.mean - 4.5) < 4 * figures.chance_error, context
            else:
                assert figures.mean < 2, context
                assert figures.p < 1e-6


def test_sentence_coconuts_are_solved_too(trained: dict[tuple[bool, str], LanguageModel]) -> None:
    recipe = Recipe(kind="sentence", number=100)
    coconuts = make_coconuts(gather(sentences(300, seed=2), recipe), recipe)
    (figures,) = judge("lm", NgramScorer(trained[False, "additive"], "window"), coconuts)
    assert figures.mean < 2


def test_contexts_add_up(trained: dict[tuple[bool, str], LanguageModel]) -> None:
    lm = trained[False, "additive"]
    line = sentences(1, seed=4)[0].words
    tokens = [token.lower() for token in line]
    utterance = Utterance(line, 5)
    from lexsub.rankers.lm.header import Window

    def score(text: str, bos: bool = False, eos: bool = False) -> float:
        return float(lm.log10([Window(text, bos, eos)])[0])

    whole = score(" ".join(tokens), True, True)
    assert NgramScorer(lm, "full").scores([utterance])[0] == pytest.approx(whole)
    per_token = NgramScorer(lm, "full-per-token").scores([utterance])[0]
    assert per_token == pytest.approx(whole / (len(tokens) + 1))
    # Order 3: the n-grams that hold token 5 end at 5, 6 and 7; each sees two tokens before.
    grams = sum(
        score(" ".join(tokens[end - 2 : end + 1])) - score(" ".join(tokens[end - 2 : end]))
        for end in (5, 6, 7)
    )
    assert NgramScorer(lm, "window").scores([utterance])[0] == pytest.approx(grams)
    as_sentence = score(" ".join(tokens[3:8]), True, True)
    assert NgramScorer(lm, "window-sentence").scores([utterance])[0] == pytest.approx(as_sentence)


def test_the_lm_ranker_agrees_with_the_window(
    trained: dict[tuple[bool, str], LanguageModel],
) -> None:
    pytest.importorskip("lemminflect")
    lm = trained[False, "additive"]
    recipe = Recipe(kind="word", number=20)
    # The ranker fits a and an before the slot to each word; the window reads what stands there.
    plain = [
        replace(one, words=tuple("the" if word in ("a", "an") else word for word in one.words))
        for one in sentences(200, seed=6)
    ]
    coconuts = make_coconuts(gather(plain, recipe), recipe)
    rows = [
        judge("x", scorer, coconuts)[0].mean
        for scorer in (NgramScorer(lm, "window"), RankerScorer(SlotScorer(lm, False, "sum")))
    ]
    assert rows[0] == rows[1]


def test_the_target_of_an_item_is_the_word_in_the_slot() -> None:
    for slot, word in enumerate(("A", "small", "house")):
        item = as_item(Utterance(("A", "small", "house"), slot), "n")
        assert item.target == word


def test_own_scorers_by_name() -> None:
    assert load_scorer("math:fabs").scores is not None
    for name, message in (("math", "module:object"), ("nowhere:f", "PYTHONPATH"),
                          ("math:pi", "neither")):  # fmt: skip
        with pytest.raises(LexsubError, match=message):
            load_scorer(name)


def made_set(folder: Path) -> Path:
    (folder / "text").write_text(as_brown(sentences(300, seed=1)))
    out = folder / "set.tsv"
    arguments = [str(folder / "text"), "-o", str(out), "--number", "30"]
    result = CliRunner().invoke(command, ["make", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return out


def run(*arguments: str) -> list[dict[str, float]]:
    result = CliRunner().invoke(command, ["run", *arguments, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    rows: list[dict[str, float]] = json.loads(result.stdout)
    return rows


def test_scores_of_another_program(tmp_path: Path) -> None:
    path = made_set(tmp_path)
    coconuts = read_coconuts(path)
    lines = ["coconut\tsentence\tscore"]
    lines += (
        f"{coconut.id}\t{number}\t{float(number - 1 == coconut.real)}"
        for coconut in coconuts
        for number in range(8, 0, -1)
    )
    scores = tmp_path / "scores.tsv"
    scores.write_text("\n".join(lines) + "\n")
    rows = run(str(path), "--scores", str(scores))
    assert [(row["kind"], row["number"], row["mean"]) for row in rows] == [
        ("word", 30, 1.0),
        ("sentence", 30, 1.0),
    ]
    for changed, message in (
        (lines[:-1], "no score for sentence 1"),
        ([*lines, lines[-1]], "scored twice"),
        ([*lines[:-1], lines[-1] + "x"], "expected a number"),
        ([*lines, "other\t1\t2"], "has no sentence"),
    ):
        scores.write_text("\n".join(changed) + "\n")
        with pytest.raises(FormatError, match=message):
            read_scores(scores, coconuts)


def test_training_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("kenlm")
    monkeypatch.setenv("LEXSUB_CACHE", str(tmp_path / "cache"))
    path = made_set(tmp_path)
    text = tmp_path / "train.txt"
    text.write_text(as_text(sentences(2000, seed=8)))
    rows = run(str(path), "--train", str(text), "--orders", "2,3", "--context", "window")
    assert [row["scorer"] for row in rows[::2]] == [
        f"{order}-gram {smoothing}, window" for smoothing in ("additive", "KN") for order in (2, 3)
    ]
    assert all(row["mean"] < 3 for row in rows)
    assert run(str(path), "--train", str(text), "--orders", "2,3", "--context", "window") == rows


def test_figures_are_printed_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pipe no table is cropped, however long the name of a scorer."""
    monkeypatch.setenv("COLUMNS", "60")
    path, scores = made_set(tmp_path), tmp_path / ("long-name-" * 9 + ".tsv")
    coconuts = read_coconuts(path)
    lines = [
        f"{coconut.id}\t{number}\t{-number}"
        for coconut in coconuts
        for number in range(1, len(coconut.utterances) + 1)
    ]
    scores.write_text("\n".join(["coconut\tsentence\tscore", *lines]) + "\n")
    result = CliRunner().invoke(
        command, ["run", str(path), "--scores", str(scores)], catch_exceptions=False
    )
    rows = [line for line in result.stdout.splitlines() if scores.name in line]
    assert len(rows) == len({coconut.kind for coconut in coconuts})
    figure = r"\d\.\d\d"
    for row in rows:
        assert re.search(rf" {figure} ± {figure} +{figure}-{figure} +[\d.e-]+ *$", row)


def test_nothing_to_test_is_said(tmp_path: Path) -> None:
    path = made_set(tmp_path)
    with pytest.raises(LexsubError, match="nothing to test"):
        CliRunner().invoke(command, ["run", str(path)], catch_exceptions=False)
