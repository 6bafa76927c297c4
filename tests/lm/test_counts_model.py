"""Additive and one-count models against their formulas, computed by plain counting."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from lexsub.rankers.lm.header import LanguageModel, Window
from lexsub.rankers.lm.model import open_model
from lexsub.rankers.lm.training import LanguageModelBuilder
from lexsub.resources import Resources

HERE = Path(__file__).parent
ORDER = 3


def train(tmp_path: Path, smoothing: str, **options: float) -> LanguageModel:
    builder = LanguageModelBuilder(
        (str(HERE / "village.txt"),), order=ORDER, smoothing=smoothing, **options
    )
    builder.build(Resources(), tmp_path)
    return open_model(tmp_path)


@pytest.fixture(scope="module")
def sentences(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    header = train(tmp_path_factory.mktemp("model"), "additive").header
    lines = (HERE / "village.txt").read_text().splitlines()
    return [["<s>", *header.tokenise(line), "</s>"] for line in lines]


def grams(sentences: list[list[str]]) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(s[end - n : end])
        for s in sentences
        for n in range(1, ORDER + 1)
        for end in range(max(n, 2), len(s) + 1)
    )


def continuations(counts: Counter[tuple[str, ...]], context: tuple[str, ...]) -> list[int]:
    size = len(context) + 1
    return [c for gram, c in counts.items() if len(gram) == size and gram[:-1] == context]


def check(model: LanguageModel, prob: Callable[[tuple[str, ...], str], float]) -> None:
    for line in (HERE / "held_out.txt").read_text().splitlines():
        tokens = model.header.tokenise(line)
        padded = [w if model.knows(w) else "<unk>" for w in ["<s>", *tokens, "</s>"]]
        expected = math.fsum(
            math.log10(prob(tuple(padded[max(0, i - ORDER + 1) : i]), padded[i]))
            for i in range(1, len(padded))
        )
        window = Window(" ".join(tokens), bos=True, eos=True)
        assert model.log10([window])[0] == pytest.approx(expected, abs=1e-9)


def test_additive(tmp_path: Path, sentences: list[list[str]]) -> None:
    model = train(tmp_path, "additive", delta=0.3)
    counts = grams(sentences)
    size = len({w for s in sentences for w in s} | {"<unk>"}) - 1

    def prob(context: tuple[str, ...], word: str) -> float:
        total = sum(continuations(counts, context))
        return (counts[*context, word] + 0.3) / (total + 0.3 * size)

    check(model, prob)


def test_one_count(tmp_path: Path, sentences: list[list[str]]) -> None:
    model = train(tmp_path, "one-count", k=0.7)
    counts = grams(sentences)
    size = len({w for s in sentences for w in s} | {"<unk>"}) - 1

    def prob(context: tuple[str, ...], word: str) -> float:
        followers = continuations(counts, context)
        if not context:
            return (counts[word,] + 1) / (sum(followers) + size)
        lower = prob(context[1:], word)
        weight = max(1.0, 0.7 * followers.count(1))
        if not followers:
            return lower
        return (counts[*context, word] + weight * lower) / (sum(followers) + weight)

    check(model, prob)


def test_a_window_is_scored_alike_alone_and_among_others(tmp_path: Path) -> None:
    model = train(tmp_path, "one-count")
    windows = [Window("the old mill"), Window(""), Window("the zebra"), Window("mill", bos=True)]
    together = model.log10(windows)
    assert [model.log10([window])[0] for window in windows] == list(together)
    assert together[1] == 0.0


def test_a_model_is_kept_open_until_there_is_another(tmp_path: Path) -> None:
    window = [Window("the mill", bos=True)]
    folder, other = tmp_path / "model", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    first = train(folder, "one-count", k=1.0)
    assert open_model(folder) is first
    again = first.log10_alike(["the mill"], True, False)
    again += 1  # what was returned is the caller's
    assert first.log10_alike(["the mill"], True, False) == first.log10(window)
    train(other, "one-count", k=5.0)
    folder.rename(tmp_path / "old")
    other.rename(folder)
    assert open_model(folder).log10(window) != first.log10(window)
