"""Feature values beside those of the item's other candidates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

SUFFIXES = ("", ":rank", ":z", ":gap")
"""The value, its place among the candidates, its z-score, its distance to the best."""


def column_names(names: Sequence[str], within: Sequence[bool]) -> list[str]:
    """Return the names of the columns that :func:`with_comparisons` makes."""
    return [
        *names,
        *(f"{name}{suffix}" for suffix in SUFFIXES[1:] for name, used in zip(names, within,
          strict=True) if used),
    ]  # fmt: skip


def column_features(within: Sequence[bool]) -> list[int]:
    """Return the feature that each column of :func:`with_comparisons` is made of."""
    compared = [place for place, used in enumerate(within) if used]
    return [*range(len(within)), *(place for _ in SUFFIXES[1:] for place in compared)]


def with_comparisons(values: Floats, within: NDArray[np.bool_]) -> Floats:
    """Return an item's values with rank, z-score and gap of those that are to be compared.

    Args:
        values: shape (candidates, features); NaN where nothing is known.
        within: which features are compared, shape (features,).

    Returns:
        Shape (candidates, features + 3 × compared): the values, then for each compared
        feature the share of candidates that are better (ties share their mean place), (x -
        mean) / standard deviation, and x - max; NaN stays NaN.
    """
    compared = values[:, within].astype(np.float64)
    if not len(compared):
        return np.zeros((0, values.shape[1] + 3 * compared.shape[1]), np.float32)
    known = ~np.isnan(compared)
    number = np.maximum(known.sum(axis=0), 1)
    filled = np.where(known, compared, 0.0)
    mean = filled.sum(axis=0) / number
    centred = np.where(known, compared - mean, 0.0)
    deviation = np.sqrt((centred**2).sum(axis=0) / number)
    z = np.where(known, centred / np.maximum(deviation, 1e-9), np.nan)
    best = np.where(known, compared, -np.inf).max(axis=0)
    gap = np.where(known, compared - np.where(np.isinf(best), 0.0, best), np.nan)
    places = _places(values[:, within], known)
    return np.concatenate([values, places, z, gap], axis=1).astype(np.float32)


def _places(values: Floats, known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the share of known candidates with a greater value, equal ones counting half."""
    columns = np.ascontiguousarray(values.T)
    order = np.argsort(columns, axis=1)
    ordered = np.take_along_axis(columns, order, axis=1)  # nan at the end
    index = np.arange(columns.shape[1])
    # A run of equal values begins where one differs from that before it.
    differs = ordered[:, 1:] != ordered[:, :-1]
    edge = np.ones((len(columns), 1), bool)
    first = np.maximum.accumulate(np.where(np.hstack([edge, differs]), index, 0), axis=1)
    last = np.where(np.hstack([differs, edge]), index, columns.shape[1])
    last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    number = known.sum(axis=0)[:, None]
    shares = np.full(columns.shape, np.nan)
    # Behind the run values are greater; from its beginning on they are greater or equal.
    above, atleast = number - (last + 1), number - first
    np.put_along_axis(shares, order, (above + atleast - 1) / 2 / np.maximum(number, 1), axis=1)
    return np.where(known, shares.T, np.nan)
