"""From counts to vectors: positive pointwise mutual information, factorised."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.distributional.weights import positive_pmi
from lexsub.errors import needing

OVERSAMPLES = 20


def ppmi(counts: Any, alpha: float = 1.0, shift: float = 0.0) -> Any:
    """Return the positive PMI of words and contexts, sparse, of the same shape.

    max(0, ln P(w, c) / (P(w) P_α(c)) - shift), where P_α(c) is proportional to the count of
    the context to the power α (Levy, Goldberg and Dagan, 2015, sections 2.1 and 3.2).

    Args:
        counts: sparse (words, contexts), every stored count at least 1.
        alpha: 1 leaves the contexts' distribution as counted; .75 is kinder to rare ones.
        shift: ln k stands for k negative samples.
    """
    from scipy.sparse import csr_array

    counts = csr_array(counts, dtype=np.float64)
    of_word = np.asarray(counts.sum(1)).ravel()
    of_context = np.asarray(counts.sum(0)).ravel()
    smoothed = np.where(of_context > 0, of_context, 1.0) ** alpha * (of_context > 0)
    prior = smoothed / smoothed.sum() if smoothed.sum() else smoothed
    words = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    weights = positive_pmi(counts.data / (of_word[words] * prior[counts.indices]), shift)
    found = csr_array((weights, counts.indices, counts.indptr), shape=counts.shape).copy()
    found.eliminate_zeros()
    return found


def factorise(
    matrix: Any, dimensions: int, power: float, iterations: int, seed: int
) -> NDArray[np.float64]:
    """Return U Σ^power of the strongest ``dimensions`` singular values, one row a word.

    Words without weights get zeros, and fewer dimensions come out where the matrix has no
    more; see :func:`decompose`.
    """
    left, values, _ = decompose(matrix, dimensions, iterations, seed)
    return left * values**power


def decompose(
    matrix: Any, dimensions: int, iterations: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return U, Σ and V of the strongest ``dimensions`` singular values, a row a word or context.

    Randomised subspace iteration (Halko, Martinsson and Tropp, 2011, algorithms 4.4 and 5.1)
    as scikit-learn has it.  The bytes repeat: the start is seeded, the number of threads
    is one, and of each dimension the word's number furthest from 0 is positive.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    with needing("scikit-learn", "learn", "building vectors"):
        from sklearn.utils.extmath import randomized_svd
        from threadpoolctl import threadpool_limits
    size = min(dimensions, *matrix.shape)
    with threadpool_limits(1):
        left, values, right = randomized_svd(
            matrix, size, n_oversamples=OVERSAMPLES, n_iter=iterations,
            power_iteration_normalizer="LU", flip_sign=False, random_state=seed,
        )  # fmt: skip
    kept = values > values[0] * 1e-10 if len(values) else values > 0
    left, values, right = left[:, kept], values[kept], right[kept].T
    signs = np.sign(left[np.abs(left).argmax(0), np.arange(left.shape[1])])
    left = left * signs
    # Words without weights come out near 0, in a direction that rounding decides.
    left[np.diff(matrix.indptr) == 0] = 0.0
    return left, values, right * signs
