"""Tests of vectors."""

from __future__ import annotations

import numpy as np

from lexsub.vectors.vectors import Vectors


def similarity(
    vectors: Vectors, word: str, other: str, pos: str = "", other_pos: str = ""
) -> float | None:
    """Return the cosine of two words, None where one is unknown or they do not compare."""
    here, there = vectors.rows([word], pos), vectors.rows([other], other_pos or pos)
    value = float(vectors.cosines(here, there)[0, 0])
    return None if np.isnan(value) else value
