"""The embedded tutorial set is what its README says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lexsub.data.catalogue import BUNDLED, load, locate
from lexsub.datasets import Dataset
from lexsub.formats.semeval_lines import PATTERNS, lines_of

FOLDER = BUNDLED / "tutorial"


@pytest.fixture(scope="module")
def test_split() -> Dataset:
    return load("tutorial/test", ())


@pytest.fixture(scope="module")
def trial_split() -> Dataset:
    return load("tutorial/trial", ())


def test_is_found_without_any_folder() -> None:
    assert locate("tutorial", ()) == FOLDER


def test_another_release_is_not_taken_for_it(tmp_path: Path) -> None:
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "lexsub_test.xml").touch()
    assert locate("tutorial", [tmp_path]) == FOLDER


def test_test_split_counts(test_split: Dataset) -> None:
    lexelts = {str(item.lexelt) for item in test_split.items}
    assert len(test_split.items) == 100
    assert len(test_split.gold.items) == 99
    assert len(lexelts) == 26
    assert len({item.lemma for item in test_split.items}) == 25
    assert Counter(lexelt.split(".")[1] for lexelt in lexelts) == {"n": 8, "v": 7, "a": 6, "r": 5}
    assert "draft.n.v" in lexelts
    assert len(test_split.gold.multiwords) == 10
    assert len(test_split.gold.multiword_ids) == 9
    assert len(test_split.gold.manual_words) == 9


def test_trial_split_counts(trial_split: Dataset) -> None:
    assert len(trial_split.items) == len(trial_split.gold.items) == 22
    assert len({item.lemma for item in trial_split.items}) == 6
    assert len(trial_split.gold.multiwords) == 2


def test_all_is_both(test_split: Dataset, trial_split: Dataset) -> None:
    both = load("tutorial/all", ())
    assert both.items == trial_split.items + test_split.items
    assert len(both.gold.items) == 121


@pytest.mark.parametrize("name", ["tutorial/test", "tutorial/trial"])
def test_gold_is_as_five_people_could_have_given_it(name: str) -> None:
    data = load(name, ())
    targets = {item.id: item for item in data.items}
    for gold in (*data.gold.items.values(), *data.gold.multiwords.values()):
        counts = list(gold.weights.values())
        assert counts == sorted(counts, reverse=True), f"{gold.id}: not sorted by count"
        assert max(counts) <= 5, f"{gold.id}: more than five people"
        assert gold.total <= 15, f"{gold.id}: more than three answers a head"
        assert str(targets[gold.id].lexelt) == gold.lexelt
        assert targets[gold.id].lemma not in gold.weights, f"{gold.id}: the target itself"


def test_holds_the_hard_cases(test_split: Dataset) -> None:
    gold = test_split.gold.items
    assert sum(item.mode is None for item in gold.values()) >= 10, "ties"
    assert sum(item.total == 1 for item in gold.values()) >= 1, "a single response"
    assert gold["164"].mode == "razor-edged", "a hyphenated mode"
    assert sum(" " in sub for item in gold.values() for sub in item.weights) >= 20, "multiwords"
    assert any(item.target != item.lemma for item in test_split.items), "inflected targets"
    assert any(item.target[0].isupper() for item in test_split.items), "capitalised targets"


@pytest.mark.parametrize(
    ("relative", "task"),
    [
        ("scoring/gold", "best"),
        ("trial/gold.trial", "best"),
        ("scoring/mwgold", "mw"),
        ("trial/mwgold.trial", "mw"),
    ],
)
def test_official_patterns_read_every_line(relative: str, task: str) -> None:
    lines = lines_of((FOLDER / relative).read_text(encoding="utf-8"))
    assert lines
    for line in lines:
        assert PATTERNS[task].fullmatch(line), line  # type: ignore[index]


def test_files_say_what_they_are() -> None:
    for relative in ("test/tutorial_test.xml", "trial/tutorial_trial.xml", "README.md"):
        assert "not a benchmark" in (FOLDER / relative).read_text(encoding="utf-8").lower()
