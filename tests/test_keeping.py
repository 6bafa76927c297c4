"""What is kept for the next sentence has a bound."""

from __future__ import annotations

from lexsub import keeping
from lexsub.keeping import Kept


def test_the_first_goes_first_and_nothing_before_it_must() -> None:
    kept: Kept[int, str] = Kept()
    for number in range(keeping.MOST):
        kept[number] = ""
    kept[5] = "again"
    assert len(kept) == keeping.MOST
    assert 0 in kept
    kept[-1] = "new"
    assert len(kept) == keeping.MOST
    assert 0 not in kept
    assert (kept[5], kept[-1]) == ("again", "new")
