"""What is kept for the next sentence has a bound."""

from __future__ import annotations

from lexsub.storage import memory
from lexsub.storage.memory import BoundedCache


def test_the_first_goes_first_and_nothing_before_it_must() -> None:
    kept: BoundedCache[int, str] = BoundedCache()
    for number in range(memory.MOST):
        kept[number] = ""
    kept[5] = "again"
    assert len(kept) == memory.MOST
    assert 0 in kept
    kept[-1] = "new"
    assert len(kept) == memory.MOST
    assert 0 not in kept
    assert (kept[5], kept[-1]) == ("again", "new")


def test_what_was_made_is_returned_though_it_is_kept_no_longer() -> None:
    """With the backend ``threading`` others keep things meanwhile, in as little room."""

    class Shared(BoundedCache[str, int]):
        def __setitem__(self, key: str, value: int) -> None:
            super().__setitem__(key, value)
            if key != "theirs":
                self["theirs"] = 0

    kept = Shared(1)
    assert kept.once("mine", lambda: 1) == 1
    assert kept.once("mine", lambda: 2) == 2
    assert list(kept) == ["theirs"]
