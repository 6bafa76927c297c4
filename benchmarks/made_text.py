"""Text made where it is read: pieces of a million words, each by a seed of its own.

Words by Zipf-Mandelbrot over a million forms, sentences of log-normal length with a median of 18.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lexsub.corpus.reader import CorpusReport

FORMS, PIECE = 1_000_000, 1_000_000
SHIFT, EXPONENT = 2.7, 1.05


@lru_cache(maxsize=1)
def _names() -> list[str]:
    """Return the forms, the most frequent first; frequent ones are short, as words are."""
    letters = "etaoinshrdlucmfwypvbgk"
    names = [""]
    for start in range(FORMS):
        names.append(names[start // len(letters)] + letters[start % len(letters)])
    return names[1:]


@dataclass(frozen=True)
class Made:
    """A piece of made text: a million words, the same for the same number."""

    number: int

    def lines(self, report: CorpusReport) -> Iterator[str]:
        names = _names()
        draw = np.random.default_rng([7, self.number])
        # The share of rank r is that of the density (x + SHIFT) ** -EXPONENT between r and r + 1.
        low, high = ((x + SHIFT) ** (1 - EXPONENT) for x in (1, FORMS + 1))
        x = (low + draw.random(PIECE) * (high - low)) ** (1 / (1 - EXPONENT)) - SHIFT
        words = [names[one] for one in (x.astype(np.int64) - 1).clip(0, FORMS - 1).tolist()]
        lengths = np.rint(draw.lognormal(np.log(18), 0.55, PIECE // 10)).clip(1, 120).astype(int)
        at = 0
        for length in lengths.tolist():
            if at >= PIECE:
                break
            report.lines += 1
            yield " ".join(words[at : at + length])
            at += length
