"""The bag-of-words counts, against a slow twin."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lexsub.languages.english.inflection import all_forms
from lexsub.rankers.bow.model import BowModel, open_bow
from lexsub.rankers.bow.training import TOGETHER, BowBuilder
from lexsub.rankers.lm import counting
from lexsub.rankers.lm.tokens import tokenise
from lexsub.resources import Resources

pytest.importorskip("lemminflect")

LINES = (Path(__file__).parent / "village.txt").read_text().splitlines()
WORDS = ["mill.n", "horse.n", "carry.v", "old.a", "unheard.n"]


def count(folder: Path, lines: list[str], **options: int) -> BowModel:
    folder.mkdir()
    text, words = folder / "text.txt", folder / "words.txt"
    text.write_text("\n".join(lines) + "\n")
    words.write_text("".join(f"{word}\n" for word in WORDS))
    settings = {"window": 3, "stop": 0, "minimum": 1, **options}
    model = folder / "model"
    model.mkdir()
    BowBuilder((str(text),), words=str(words), **settings).build(Resources(), model)
    return open_bow(model)


def cells(model: BowModel) -> dict[tuple[str, str], int]:
    near = model.near.tocoo()
    return {
        (model.words[row], model.contexts[column]): int(number)
        for row, column, number in zip(near.row, near.col, near.data, strict=True)
    }


@pytest.mark.parametrize("block", [1, counting.BLOCK])
def test_counts_are_those_of_a_slow_count(
    block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "BLOCK", block)
    expected: Counter[tuple[str, str]] = Counter()
    seen: Counter[str] = Counter()
    for line in LINES:
        tokens = tokenise(line)
        content = [token for token in tokens if token[:1].isalpha()]
        for word in WORDS:
            forms = all_forms(word[:-2], word[-1])
            for place, token in enumerate(tokens):
                if token in forms:
                    seen[word] += 1
                    before = sum(t[:1].isalpha() for t in tokens[:place])
                    around = content[max(0, before - 3) : before] + content[before + 1 :][:3]
                    expected.update((word, other) for other in around)
    model = count(tmp_path / "all", LINES)
    assert seen["mill.n"] > 3
    assert len(LINES) > 2 * TOGETHER, "a line a block: sums of a few are added up"
    assert dict(zip(model.words, model.seen.tolist(), strict=True)) == {
        w: seen[w] for w in model.words
    }
    assert cells(model) == expected


def test_a_fit_does_not_depend_on_the_other_words(tmp_path: Path) -> None:
    model = count(tmp_path / "all", LINES)
    context = model.context("the tired horse carried", "to the mill")
    words = [*WORDS, "unseen.n"]
    fits = model.fit(words, context, 50.0)
    assert any(fits)
    alone = [float(model.fit([word], context, 50.0)[0]) for word in words]
    assert fits.tolist() == alone
    assert alone[-1] == 0


def test_a_model_is_kept_open_until_there_is_another(tmp_path: Path) -> None:
    first = count(tmp_path / "a", LINES)
    folder = tmp_path / "a" / "model"
    assert open_bow(folder) is first
    context = first.context("the", "of the village")
    fit = first.fit(WORDS, context, 10.0)
    assert fit.any()
    first.fit(WORDS, context, 10.0)[:] = 0  # what was returned is the caller's
    assert (first.fit(WORDS, context, 10.0) == fit).all()
    assert (first.fit(WORDS, context, 20.0) != fit).any()
    count(tmp_path / "b", LINES[:5])
    folder.rename(tmp_path / "old")
    (tmp_path / "b" / "model").rename(folder)
    assert (open_bow(folder).seen != first.seen).any()
