"""What a part of the user's opens is looked at before it is used: one line, no stack trace."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from lexsub.datasets import Item, Lexelt
from lexsub.errors import LexsubError
from lexsub.experiments.pipeline.makers import answers, candidates
from lexsub.parts.base import BoundaryContext
from lexsub.rankings import Candidate, Ranked, Ranking
from lexsub.resources import Resources

ITEM = Item("7", Lexelt("bright", "a", "a"), "a bright boy", 2, 8)
DATA: Any = SimpleNamespace(items=[ITEM])
RANKING = Ranking("7", "bright.a", (Ranked("clever", 2.0), Ranked("smart", 1.0)))


def opening(**methods: Any) -> Any:
    opened = SimpleNamespace(**methods)
    return SimpleNamespace(open=lambda *given: opened, fit=lambda context: opened)


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (["clever"], r"its candidates of item 7 are \['clever'\]; expected a list of Candidate"),
        (None, "its candidates of item 7 are None; expected a list of Candidate"),
        (3, "its candidates of item 7 are 3; expected a list of Candidate"),
    ],
)
def test_candidates(found: Any, problem: str) -> None:
    good = [Candidate("clever", ())]
    part = opening(candidates=lambda item: good)
    assert candidates.generate(part, Resources(), DATA) == [("7", good)]
    with pytest.raises(LexsubError, match=problem):
        candidates.generate(opening(candidates=lambda item: found), Resources(), DATA)


@pytest.mark.parametrize("number", [-3, "x", None, 1.5])
def test_cuts(number: Any) -> None:
    kept = [len(answers.cut(opening(cut=lambda ranking, n=n: n), BoundaryContext(), [RANKING]))
            for n in (0, 1, 9)]  # fmt: skip
    assert kept == [0, 1, 1]
    problem = f"leaves item 7 {number!r} answers; expected a whole number from 0"
    with pytest.raises(LexsubError, match=problem):
        answers.cut(opening(cut=lambda ranking: number), BoundaryContext(), [RANKING])


def test_a_method_that_is_missing() -> None:
    nothing = opening()
    with pytest.raises(LexsubError, match="has no method candidates; expected one"):
        candidates.generate(nothing, Resources(), DATA)
    with pytest.raises(LexsubError, match="has no method cut; expected one"):
        answers.cut(nothing, BoundaryContext(), [RANKING])
    with pytest.raises(LexsubError, match="has no method multiword; expected one"):
        answers.detect(nothing, Resources(), DATA)
