"""The published theory table, to .001, and against sampling."""

from __future__ import annotations

import numpy as np
import pytest

from lexsub.errors import LexsubError
from lexsub.experiments.papers.registers import share_correct

ONE = ((0.08, 0.04, 0.88), (0.03, 0.06, 0.91))
TWO = ((0.10, 0.03, 0.87), (0.02, 0.05, 0.93))


@pytest.mark.parametrize(
    ("shares", "tokens", "published"),
    [
        (ONE, 50, (0.760, 0.842)),
        (ONE, 100, (0.871, 0.899)),
        (ONE, 200, (0.951, 0.959)),
        (ONE, 400, (0.991, 0.992)),
        (TWO, 50, (0.894, 0.920)),
        (TWO, 100, (0.963, 0.975)),
        (TWO, 200, (0.995, 0.997)),
        (TWO, 400, (0.999, 0.999)),
    ],
)
def test_table_1_of_guthrie_and_walker(
    shares: tuple[tuple[float, ...], ...], tokens: int, published: tuple[float, float]
) -> None:
    for true in (0, 1):
        assert share_correct(shares, true, tokens) == pytest.approx(published[true], abs=0.0011)


def test_three_classes_agree_with_sampling() -> None:
    shares = np.array([[0.2, 0.1, 0.1, 0.6], [0.1, 0.2, 0.1, 0.6], [0.05, 0.1, 0.25, 0.6]])
    rng = np.random.default_rng(0)
    for true in range(3):
        counts = rng.multinomial(12, shares[true], size=40_000)
        scores = counts @ np.log(shares).T
        others = np.delete(scores, true, axis=1).max(axis=1)
        # Ties of equal products differ in the last bit.
        sampled = float((scores[:, true] > others + 1e-9).mean())
        exact = share_correct(shares.tolist(), true, 12)
        assert exact == pytest.approx(sampled, abs=0.012)


@pytest.mark.parametrize("shares", [((0.5, 0.6), (0.5, 0.5)), ((1.0, 0.0), (0.5, 0.5))])
def test_shares_must_be_a_distribution(shares: tuple[tuple[float, ...], ...]) -> None:
    with pytest.raises(LexsubError, match="no distribution"):
        share_correct(shares, 0, 5)
