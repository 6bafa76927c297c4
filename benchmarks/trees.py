"""Time for one candidate in a LambdaMART model: our trees, walked and as bits, against LightGBM.

    python benchmarks/trees.py [--leaves 15] [--trees 150] [--models 5]

The model is trained on random numbers first; all three must give the same bits.  One thread each.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import lightgbm
import numpy as np
from numpy.typing import NDArray

from lexsub.rankers.learned.learners import Examples
from lexsub.rankers.learned.learners.forest import bit_trees
from lexsub.rankers.learned.learners.lambdarank import BORDER, LambdaRank
from lexsub.rankers.learned.learners.trees import parse_trees
from lexsub.rankers.learned.training import fit_all
from lexsub.resources import Resources

ITEMS, EACH, COLUMNS = 400, 250, 320


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leaves", type=int, default=15)
    parser.add_argument("--trees", type=int, default=150)
    parser.add_argument("--models", type=int, default=5)
    options = parser.parse_args()
    random = np.random.default_rng(1)
    values = random.normal(size=(ITEMS * EACH, COLUMNS)).astype(np.float32)
    values[random.random(values.shape) < 0.1] = np.nan
    shares = np.clip(np.nan_to_num(values[:, 0] * values[:, 1]), 0, 1).astype(float)
    names = [f"c{number}" for number in range(COLUMNS)]
    examples = Examples(values, shares, np.full(ITEMS, EACH, np.int64), names)
    learner = LambdaRank(trees=options.trees, leaves=options.leaves, models=options.models)
    fitted = fit_all(learner, examples, {"all": range(ITEMS)}, Resources(seed=1))["all"]
    texts = fitted.text.split(BORDER)  # type: ignore[attr-defined]
    boosters = [lightgbm.Booster(model_str=text) for text in texts]
    trees = [parse_trees(text) for text in texts]
    bits = bit_trees(trees)
    assert bits is not None, "expected at most 64 leaves"
    items = [values[start : start + EACH] for start in range(0, len(values), EACH)]
    peer = timed(
        "LightGBM", items, lambda x: np.array([b.predict(x, num_threads=1) for b in boosters])
    )
    for name, ask in (
        ("ours, walked", lambda x: np.array([one.predict(x) for one in trees])),
        ("ours, as bits", bits.predict),
    ):
        seconds = timed(name, items, ask)
        print(f"  {peer / seconds:.1f} times as fast as LightGBM")
        same = all(np.array_equal(ask(x), [b.predict(x) for b in boosters]) for x in items[:20])
        print(f"  the same bits: {same}")


def timed(
    name: str,
    items: list[NDArray[np.float32]],
    ask: Callable[[NDArray[np.float32]], NDArray[np.float64]],
) -> float:
    ask(items[0])
    begin = time.process_time()
    for values in items:
        ask(values)
    seconds = time.process_time() - begin
    print(f"{name:<15} {seconds / (ITEMS * EACH) * 1e6:6.2f} us a candidate")
    return seconds


if __name__ == "__main__":
    main()
