"""Ranker ``simplicity``, and the forms that a model suggests."""

from __future__ import annotations

import math
import statistics

import pytest

from lexsub.datasets import Dataset, Gold, Item, Lexelt
from lexsub.errors import ConfigError
from lexsub.frequency import FREQUENCIES
from lexsub.parts.base import RANKERS, SOURCES
from lexsub.parts.build import build_part
from lexsub.rankings import Candidate
from lexsub.resources import Resources

TEXT = "They procured the tickets for us ."
ITEM = Item("1", Lexelt.parse("procure.v"), TEXT, 5, 13)
WORDS = ["get", "obtain", "get hold", "buy", "zzyzx"]
NO_DATA = Dataset("none", (), Gold("none", {}))


def z(values: list[float]) -> list[float]:
    mean, deviation = statistics.fmean(values), statistics.pstdev(values)
    return [(one - mean) / deviation for one in values]


def test_scores_are_frequency_against_length() -> None:
    look_up = FREQUENCIES["semcor"].open(Resources()).frequency
    counts = [min(look_up(part, "v") for part in word.split()) for word in WORDS]
    least = min(math.log10(one) for one in counts if one) - 1
    logs = z([math.log10(one) if one else least for one in counts])
    letters = z([float(len(word)) for word in WORDS])
    scorer = RANKERS["simplicity"](frequency="semcor", length=0.5).open(Resources(), NO_DATA)  # type: ignore[call-arg]
    candidates = list(map(Candidate, WORDS))
    expected = [log - 0.5 * length for log, length in zip(logs, letters, strict=True)]
    assert scorer.scores(ITEM, candidates) == pytest.approx(expected)
    parts = scorer.parts(ITEM, candidates)
    assert [sum(pair) for pair in zip(*parts.values(), strict=True)] == pytest.approx(expected)
    assert list(scorer.scores(ITEM, [])) == []


def test_words_that_no_list_has_are_told_by_their_length() -> None:
    table = {"name": "simplicity", "frequency": "none", "length": 1.0}
    scorer = build_part(RANKERS, table, "ranker").open(Resources(), NO_DATA)
    short, long = scorer.scores(ITEM, [Candidate("ab"), Candidate("abcd")])
    assert short > long
    with pytest.raises(ConfigError, match=r"length: found -1\.0; expected at least 0"):
        build_part(RANKERS, {"name": "simplicity", "length": -1.0}, "ranker")


def test_suggested_forms_are_those_of_the_suggester() -> None:
    import lexsub

    found = build_part(SOURCES, {"name": "suggested", "n": 5}, "x").open(Resources())
    candidates = found.candidates(ITEM)
    asked = lexsub.open_suggester(model="english")(TEXT, span=(5, 13), pos="v", n=5)
    assert [one.substitute for one in candidates] == [one.form for one in asked.best]
    assert [one.origins[0].score for one in candidates] == [one.score for one in asked.best]
    assert "obtained" in [one.substitute for one in candidates]
    assert not [one for one in candidates if one.substitute == "procured"]
    with pytest.raises(ConfigError, match="n: found 0; expected at least 1"):
        build_part(SOURCES, {"name": "suggested", "n": 0}, "x")
