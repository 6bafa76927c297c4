"""The mw baseline: what it detects in sentences of our own, and what on the real data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lexsub.candidates.wordnet import MultiwordDetector, WordNetMultiwords
from lexsub.data.catalogue import load
from lexsub.datasets import Item, Lexelt
from lexsub.evaluation.official.report import official
from lexsub.formats.semeval_lines import format_submission
from lexsub.frequency.lists import FormCounts
from lexsub.rankings import Answer
from lexsub.resources import Resources
from lexsub.wordnet import open_wordnet


def item(text: str, lexelt: str, target: str) -> Item:
    start = text.index(target)
    return Item("1", Lexelt.parse(lexelt), text, start, start + len(target))


def detected(text: str, lexelt: str, target: str, **options: object) -> str | None:
    detector = WordNetMultiwords(**options).open(Resources())  # type: ignore[arg-type]
    return detector.multiword(item(text, lexelt, target))


@pytest.mark.parametrize(
    ("text", "lexelt", "target", "expected"),
    [
        ("She took part in every race .", "take.v", "took", "take part"),
        ("They looked forward to the fair .", "look.v", "looked", "look forward"),
        ("A pair of candy bars lay there .", "bar.n", "bars", "candy bar"),
        ("Bright", "bright.a", "Bright", None),
        ("We painted the bright old barn .", "bright.a", "bright", None),
    ],
)
def test_multiwords_are_found_through_base_forms(
    text: str, lexelt: str, target: str, expected: str | None
) -> None:
    assert detected(text, lexelt, target) == expected


def test_the_longest_wins() -> None:
    text = "He pulled out all the stops ."
    assert detected(text, "pull.v", "pulled", after=4) == "pull out all the stops"
    assert detected(text, "pull.v", "pulled", after=4, longest=2) == "pull out"


def test_the_window_ends_where_it_says() -> None:
    text = "She took part in every race ."
    assert detected(text, "take.v", "took", after=0) is None
    assert detected("Some candy bars lay there .", "bar.n", "bars", before=0) is None


@pytest.mark.parametrize(
    ("counts", "expected"), [({}, "side street"), ({"street corner": 5}, "street corner")]
)
def test_of_equally_long_ones_the_more_frequent_wins_then_the_leftmost(
    counts: dict[str, int], expected: str
) -> None:
    options = WordNetMultiwords()
    wordnet = open_wordnet(Resources())
    detector = MultiwordDetector(options, wordnet, wordnet.multiwords(), FormCounts(counts))
    text = "We met at the side street corner ."
    # WordNet has no "street corner": lend it one.
    detector.multiwords = {**wordnet.multiwords(), "street_corner": "n"}
    assert detector.multiword(item(text, "street.n", "street")) == expected


def test_part_of_speech_and_base_forms_can_be_narrowed() -> None:
    text = "She took part in every race ."
    assert detected(text, "take.n", "took") == "take part"
    assert detected(text, "take.n", "took", pos="target") is None
    parts = "Those candy bars lay there ."
    assert detected(parts, "bar.n", "bars", lemmatise="target") == "candy bar"
    assert detected("The bars of candies lay there .", "candy.n", "candies") is None


@pytest.mark.parametrize("option", ["before", "after", "longest"])
def test_sizes_are_checked(option: str) -> None:
    with pytest.raises(ValueError, match=option):
        WordNetMultiwords(**{option: -1})


@pytest.mark.data
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # Detection precision, recall, identification precision, recall; the paper has
        # 43.64, 36.92, 40.00, 33.85 (48 of 110 found are multiword items, 44 are right).
        ({}, [43.75, 59.23, 41.48, 56.15]),
        ({"pos": "target"}, [45.24, 43.85, 43.65, 42.31]),
        (
            {"pos": "target", "lemmatise": "target", "before": 1, "after": 1},
            [45.05, 38.46, 43.24, 36.92],
        ),
    ],
)
def test_figures_on_the_test_split(
    data_dir: Path, options: dict[str, object], expected: list[float]
) -> None:
    data = load("semeval2007/test", (data_dir,))
    detector = WordNetMultiwords(**options).open(Resources())  # type: ignore[arg-type]
    answers = [
        Answer(str(entry.lexelt), entry.id, (multiword,))
        for entry in data.items
        for multiword in [detector.multiword(entry)]
        if multiword
    ]
    gold = (data_dir / "semeval2007/scoring/mwgold").read_bytes()
    printed = official(format_submission(answers, "mw").encode(), gold, "mw").stdout.decode()
    assert [float(value) for value in re.findall(r"\d+\.\d+", printed)][-4:] == expected
