"""How fast two systems are compared, against scipy's paired bootstrap.

    python benchmarks/comparison.py [--resamples N]

Compares two rankings of 1,696 items of 171 targets under all measures of all families, both
tests with 10,000 resamples (aim: under 5 s on two cores); and, for one measure resampled over
items, lexsub and scipy.stats.bootstrap side by side.  Prints the greatest memory that the draws
took for 10,000 and for 40,000 resamples.
"""

from __future__ import annotations

import argparse
import time
import tracemalloc

import numpy as np
from measures import make, seconds
from scipy.stats import bootstrap

from lexsub.evaluation.comparison import compare
from lexsub.evaluation.measure import GROUPS, parse_measures
from lexsub.evaluation.resampling import Interval
from lexsub.evaluation.scoring import evaluate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--resamples", type=int, default=10_000)
    resamples = parser.parse_args().resamples
    gold, first = make(1)
    _, second = make(2)
    systems = {"A": first, "B": {item_id: second[item_id] for item_id in first}}
    chosen = parse_measures(
        [*(GROUPS[name] for name in GROUPS if name not in ("mw", "swords")),
         "F@1..10 coverage-F@1..10 rank-reconstruction"]
    )  # fmt: skip
    for unit in ("target", "item"):
        start = time.perf_counter()
        resampling = Interval(resamples, unit)  # type: ignore[arg-type]
        rows = compare(gold, systems, chosen, resampling=resampling).rows
        print(
            f"{len(rows)} measures, {resamples} resamples of both tests over {unit}s: "
            f"{time.perf_counter() - start:.2f} s"
        )
    for many in (resamples, 4 * resamples):
        tracemalloc.start()
        compare(gold, systems, "best-P", resampling=Interval(many, "item"))
        peak = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        print(f"one measure, {many} resamples over items: {peak:.0f} MB at most")

    scores = evaluate(gold, systems, "best-R", interval=None, per_item=True)
    values = [one.values for one in scores.per_item]

    def peer() -> None:
        bootstrap(
            (values[0], values[1]), lambda a, b, axis: np.mean(a, axis) - np.mean(b, axis),
            paired=True, vectorized=True, n_resamples=resamples, method="percentile",
            batch=1000, rng=1,
        )  # fmt: skip

    ours = seconds(
        lambda: compare(gold, systems, "best-R", resampling=Interval(resamples, "item")), 3
    )
    theirs = seconds(peer, 3)
    print(
        f"best-R over items: lexsub (bootstrap and randomisation, scoring included) {ours:.2f} s, "
        f"scipy.stats.bootstrap (bootstrap alone) {theirs:.2f} s, {theirs / ours:.1f} times"
    )


if __name__ == "__main__":
    main()
