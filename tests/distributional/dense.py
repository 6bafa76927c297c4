"""The measures written out over full vectors, as the papers print them: slow and obvious."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def probabilities(counts: NDArray[np.int64]) -> Vector:
    totals = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, totals, out=np.zeros(counts.shape), where=totals > 0)


def information(counts: NDArray[np.int64]) -> Vector:
    """I(f, w) where positive, else 0."""
    p = probabilities(counts)
    marginal = counts.sum(axis=0) / max(counts.sum(), 1)
    ratio = np.divide(p, marginal, out=np.ones(p.shape), where=(p > 0) & (marginal > 0))
    return np.log(np.maximum(ratio, 1.0))


def information_within(counts: NDArray[np.int64], relations: NDArray[np.int16]) -> Vector:
    """Lin's I(w, r, w') where positive, cell by cell."""
    result = np.zeros(counts.shape)
    for w in range(counts.shape[0]):
        for f in range(counts.shape[1]):
            if counts[w, f]:
                same = relations == relations[f]
                over = int(counts[w, f]) * int(counts[:, same].sum())
                under = int(counts[w, same].sum()) * int(counts[:, f].sum())
                result[w, f] = max(0.0, math.log(over / under)) if over > under else 0.0
    return result


def kl(p: Vector, q: Vector) -> float:
    return sum(a * math.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def lin(x: Vector, y: Vector) -> float:
    both = (x > 0) & (y > 0)
    return float((x[both] + y[both]).sum() / (x.sum() + y.sum()))


def cosine(x: Vector, y: Vector) -> float:
    return float(x @ y / math.sqrt((x @ x) * (y @ y)))


def jaccard(x: Vector, y: Vector) -> float:
    return float(((x > 0) & (y > 0)).sum() / ((x > 0) | (y > 0)).sum())


def weighted_jaccard(x: Vector, y: Vector) -> float:
    return float(np.minimum(x, y).sum() / np.maximum(x, y).sum())


def l1(p: Vector, q: Vector) -> float:
    return float(np.abs(p - q).sum())


def skew(p: Vector, q: Vector, alpha: float = 0.99) -> float:
    return kl(p, alpha * q + (1 - alpha) * p)


def jensen_shannon(p: Vector, q: Vector) -> float:
    return (kl(p, (p + q) / 2) + kl(q, (p + q) / 2)) / 2


Pair = Callable[[Vector, Vector], float]

# name → (weights, value of a pair (target, candidate), higher is closer)
MEASURES: dict[str, tuple[str, Pair, bool]] = {
    "lin": ("information", lin, True),
    "lin(marginals=relation)": ("within", lin, True),
    "l1": ("probabilities", l1, False),
    "jaccard": ("probabilities", jaccard, True),
    "jaccard(contexts=ppmi)": ("information", jaccard, True),
    "weighted-jaccard": ("information", weighted_jaccard, True),
    "weighted-jaccard(weights=probability)": ("probabilities", weighted_jaccard, True),
    "cosine": ("probabilities", cosine, True),
    "cosine(weights=ppmi)": ("information", cosine, True),
    "alpha-skew": ("probabilities", skew, False),
    "alpha-skew(direction=candidate)": ("probabilities", lambda t, c: skew(c, t), False),
    "alpha-skew(alpha=0.5)": ("probabilities", lambda t, c: skew(t, c, 0.5), False),
    "jensen-shannon": ("probabilities", jensen_shannon, False),
}


def neighbours(
    counts: NDArray[np.int64], relations: NDArray[np.int16], measure: str
) -> list[dict[int, float]]:
    """Return the value of every pair that shares a context, by target and candidate."""
    kind, value, _ = MEASURES[measure]
    if kind == "within":
        weights = information_within(counts, relations)
    else:
        weights = {"information": information, "probabilities": probabilities}[kind](counts)
    return [
        {
            c: value(weights[t], weights[c])
            for c in range(len(counts))
            if c != t and ((weights[t] > 0) & (weights[c] > 0)).any()
        }
        for t in range(len(counts))
    ]
