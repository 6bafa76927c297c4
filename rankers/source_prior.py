"""A prior from the candidate source's own order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def place_prior(candidates: int) -> NDArray[np.float64]:
    """Return -log10 of each place in a list of so many candidates, the first 0.

    Sources give what they hold most likely first (frequent senses, synonyms before relatives);
    that a place is taken with a probability that falls as its inverse is Zipf's law.
    """
    return -np.log10(np.arange(1, candidates + 1))
