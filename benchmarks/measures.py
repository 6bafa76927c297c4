"""How fast a ranking is scored by every measure of every family, against ir-measures.

    python benchmarks/measures.py [--rounds N]

Makes 1,696 items of 171 targets with about twenty candidates each.  Times all measures of all
families together (aim: under 0.5 s), and for nDCG@10, AP and P@5, which ir-measures has too,
the two side by side (with their agreement).
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from lexsub.datasets import Gold, GoldItem
from lexsub.evaluation.measure import GROUPS, MEASURES, parse_measures
from lexsub.evaluation.scoring import evaluate

ITEMS, TARGETS, CANDIDATES = 1696, 171, 20
SHARED = {"nDCG@10": "nDCG@10", "AP": "AP", "P@5": "P@5"}


def make(seed: int = 1, ratios: bool = False) -> tuple[Gold, dict[str, list[str]]]:
    """Return a gold and a ranking of candidates."""
    rng = random.Random(seed)
    pools = [[f"word{t}x{i}" for i in range(CANDIDATES)] for t in range(TARGETS)]
    items, ranking = {}, {}
    for number in range(ITEMS):
        target, item_id = number % TARGETS, str(number)
        substitutes = rng.sample(pools[target], rng.randint(2, 7))
        weights = {s: rng.randint(1, 10) / 10 if ratios else float(rng.randint(1, 5))
                   for s in substitutes}  # fmt: skip
        items[item_id] = GoldItem(item_id, f"t{target}.{'nvar'[target % 4]}", weights)
        ranking[item_id] = rng.sample(pools[target], CANDIDATES)
    return Gold("made", items), ranking


def seconds(work: Callable[[], Any], rounds: int) -> float:
    """Return the least wall time of some work (the one least disturbed)."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    gold, ranking = make()
    families = [name for name in GROUPS if name not in ("mw", "swords")]
    chosen = parse_measures(
        [*(GROUPS[name] for name in families), "F@1..10 coverage-F@1..10 rank-reconstruction",
         "GAP(ties=name) GAP(ties=expected)"]
    )  # fmt: skip
    everything = seconds(lambda: evaluate(gold, {"s": ranking}, chosen, interval=None), rounds)
    with_intervals = seconds(lambda: evaluate(gold, {"s": ranking}, chosen), 3)
    ratio_gold, ratio_ranking = make(ratios=True)
    swords = seconds(
        lambda: evaluate(ratio_gold, {"s": ratio_ranking}, "swords", interval=None), rounds
    )
    print(f"{ITEMS} items, {CANDIDATES} candidates each; {len(MEASURES)} kinds of measures")
    print(f"{len(chosen)} measures of all families on counts   {everything:.3f} s")
    print(f"6 measures of SWORDS on label ratios     {swords:.3f} s")
    print(f"the {len(chosen)} with 10,000-fold intervals           {with_intervals:.3f} s")

    import ir_measures

    qrels = {
        item.id: {s: int(weight) for s, weight in item.weights.items()}
        for item in gold.items.values()
    }
    run = {
        item_id: {answer: float(-place) for place, answer in enumerate(answers)}
        for item_id, answers in ranking.items()
    }
    theirs = [ir_measures.parse_measure(name) for name in SHARED.values()]
    found = ir_measures.calc_aggregate(theirs, qrels, run)
    scores = evaluate(gold, {"s": ranking}, " ".join(SHARED), interval=None)
    for (name, other), measure in zip(SHARED.items(), theirs, strict=True):
        difference = abs(scores.value("s", name) - found[measure])
        print(f"{name:8} = {other:8} of ir-measures to {difference:.1e}")
    ours = seconds(lambda: evaluate(gold, {"s": ranking}, " ".join(SHARED), interval=None), rounds)
    peer = seconds(lambda: ir_measures.calc_aggregate(theirs, qrels, run), rounds)
    print(f"these three: lexsub {ours:.3f} s, ir-measures {peer:.3f} s, {peer / ours:.1f} times")


if __name__ == "__main__":
    main()
