"""Exact top-k neighbours of all words, against scikit-learn and scipy in the same run.

    python benchmarks/similarity.py [--words 30000] [--contexts 200000] [--nonzeros 20000000]
                                    [--k 200] [--workers 2] [--peers] [--growth] [--zipf]

Makes a synthetic matrix of counts, builds its index and computes the k nearest words of
every word under lin, l1, jaccard, cosine and alpha-skew.  --peers times the same with a
scipy block product (cosine, one process, BLAS-free sparse arithmetic) and scikit-learn's
pairwise distances (cosine, l1) on the first rows, and prints the ratio a row.  --growth
prints how time grows from a tenth of the words to all of them.  --zipf draws contexts by
Zipf's law instead of evenly: what real text is like, and dearer, because the cost goes
with the sum of the squared numbers of words a context has.
"""

from __future__ import annotations

import argparse
import os
import resource
import time

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from lexsub.candidates.distributional.kernel import Kernel, WeightMatrix, compiled_kernel, prepare
from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.distributional.weights import Counts

MEASURES = ("lin", "l1", "jaccard", "cosine", "alpha-skew")
BLOCK = 256


def synthetic(words: int, contexts: int, nonzeros: int, zipf: bool, seed: int = 1) -> Counts:
    """Return random counts; each word has about the same number of different contexts."""
    rng = np.random.default_rng(seed)
    each = nonzeros // words
    weights = 1 / np.arange(1, contexts + 1) if zipf else np.ones(contexts)
    cumulative = np.cumsum(weights / weights.sum())
    rows: list[NDArray[np.int32]] = []
    for _ in range(words):
        draw = np.searchsorted(cumulative, rng.random(each))
        rows.append(np.unique(draw.clip(0, contexts - 1)).astype(np.int32))
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    counts = rng.geometric(0.5, int(starts[-1])).astype(np.uint32)
    return Counts(starts, np.concatenate(rows), counts, np.zeros(contexts, np.int16))


def all_pairs(kernel: Kernel, matrix: WeightMatrix, k: int, workers: int) -> None:
    """Compute every word's neighbours; threads share the matrix, the loop holds no lock."""
    words = len(matrix.sizes)
    spans = [(start, min(start + BLOCK, words)) for start in range(0, words, BLOCK)]
    Parallel(n_jobs=workers, backend="threading")(
        delayed(kernel)(matrix, start, stop, k) for start, stop in spans
    )


def ours(counts: Counts, k: int, workers: int) -> dict[str, tuple[float, float]]:
    """Return seconds of preparing and of comparing, by measure."""
    seconds = {}
    for name in MEASURES:
        measure = parse_measure(name)
        formula = measure.formula()
        start = time.perf_counter()
        matrix = prepare(counts, formula)
        kernel = compiled_kernel(formula, measure.higher_is_closer)
        kernel(matrix, 0, 1, k)  # compiles, or reads what was compiled before
        ready = time.perf_counter()
        cpu = time.process_time()
        all_pairs(kernel, matrix, k, workers)
        done = time.perf_counter()
        seconds[name] = (ready - start, done - ready)
        print(
            f"{name:<11} prepare {ready - start:6.1f} s   top-{k} of {len(matrix.sizes)} words "
            f"{done - ready:6.1f} s ({time.process_time() - cpu:.1f} s of processor time)",
            flush=True,
        )
    return seconds


def peers(counts: Counts, k: int, seconds: dict[str, tuple[float, float]]) -> None:
    """Time scipy and scikit-learn on the first rows and print ratios a row."""
    from scipy.sparse import csr_array, csr_matrix
    from sklearn.metrics import pairwise_distances
    from sklearn.neighbors import NearestNeighbors

    words = len(counts.starts) - 1
    shape = (words, len(counts.relations))
    matrix = prepare(counts, parse_measure("cosine").formula())
    lengths = np.sqrt(np.repeat(matrix.sizes, np.diff(matrix.starts)))
    unit = csr_array((matrix.weights / lengths, matrix.contexts, matrix.starts), shape=shape)
    # scikit-learn takes 32-bit indices alone.
    plain = csr_matrix((matrix.weights, matrix.contexts, matrix.starts.astype(np.int32)), shape)

    def report(peer: str, measure: str, rows: int, start: float) -> None:
        took = (time.perf_counter() - start) / rows
        mine = seconds[measure][1] / words
        print(f"{peer}: {1000 * took:8.2f} ms a word against {1000 * mine:6.2f} ms: "
              f"ratio {took / mine:.1f}", flush=True)  # fmt: skip

    rows = min(512, words)
    transposed = unit.T.tocsr()
    start = time.perf_counter()
    for first in range(0, rows, BLOCK):
        block = (unit[first : first + BLOCK] @ transposed).toarray()
        best = np.argpartition(-block, min(k, words - 1), axis=1)[:, :k]
        np.sort(np.take_along_axis(block, best, axis=1), axis=1)
    report("scipy block product, cosine      ", "cosine", rows, start)
    neighbours = NearestNeighbors(n_neighbors=min(k + 1, words), metric="cosine", algorithm="brute")
    neighbours.fit(plain)
    start = time.perf_counter()
    neighbours.kneighbors(plain[:rows])
    report("scikit-learn NearestNeighbors, cos", "cosine", rows, start)
    few = min(8, words)
    start = time.perf_counter()
    found = pairwise_distances(plain[:few], plain, metric="manhattan")
    np.argpartition(found, min(k, words - 1), axis=1)
    report("scikit-learn pairwise, l1         ", "l1", few, start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=30_000)
    parser.add_argument("--contexts", type=int, default=200_000)
    parser.add_argument("--nonzeros", type=int, default=20_000_000)
    parser.add_argument("--k", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--zipf", action="store_true")
    given = parser.parse_args()
    print(f"machine: {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the start")
    parts = (10, 3, 1) if given.growth else (1,)
    for part in parts:
        words, nonzeros = given.words // part, given.nonzeros // part
        counts = synthetic(words, given.contexts, nonzeros, given.zipf)
        squares = float((np.bincount(counts.contexts).astype(np.float64) ** 2).sum())
        print(f"\n{words} words, {given.contexts} contexts, {len(counts.counts):,} nonzeros, "
              f"{squares:.2e} products")  # fmt: skip
        seconds = ours(counts, given.k, given.workers)
    if given.peers:
        peers(counts, given.k, seconds)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"peak memory {peak:.2f} GB")


if __name__ == "__main__":
    main()
