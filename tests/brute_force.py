"""Every measure once more: readable, slow, item by item, straight from the definitions.

Written for the tests alone and sharing nothing with ``evaluation``.  An item is a dict of gold
weights (all above 0) and a list of answers without duplicates; multiword filters and cuts are
the caller's, except where a measure is defined by them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import permutations

Weights = dict[str, float]
Answers = Sequence[str]


def best(gold: Weights, answers: Answers) -> float:
    if not answers:
        return 0.0
    return sum(gold.get(a, 0) for a in answers) / sum(gold.values()) / len(answers)


def oot(gold: Weights, answers: Answers) -> float:
    return sum(gold.get(a, 0) for a in answers[:10]) / sum(gold.values())


def mode(gold: Weights) -> str | None:
    ranked = sorted(gold.values(), reverse=True)
    if len(ranked) > 1 and ranked[0] == ranked[1]:
        return None
    return max(gold, key=lambda substitute: gold[substitute])


def best_prime(gold: Weights, answers: Answers) -> float:
    if not answers:
        return 0.0
    return sum(gold.get(a, 0) for a in answers) / max(gold.values()) / len(answers)


def coverage(gold: Weights, answers: Answers, k: float = 1) -> tuple[float, float, float]:
    right = sum(gold.get(a, 0) for a in answers[:10])
    wrong = sum(a not in gold for a in answers[:10])
    if right == 0:
        return 0.0, 0.0, 0.0
    precision, recall = right / (right + k * wrong), right / sum(gold.values())
    return precision, recall, 2 * precision * recall / (precision + recall)


def optimal_f(gold: Weights, answers: Answers) -> float:
    cuts = range(1, min(len(answers), 10) + 1)
    return max((coverage(gold, answers[:n])[2] for n in cuts), default=0.0)


def rank_reconstruction(gold: Weights, answers: Answers) -> float:
    def cumulative(order: Answers) -> float:
        return sum(sum(gold.get(a, 0) for a in order[:j]) for j in range(1, len(gold) + 1))

    return cumulative(answers) / cumulative(sorted(gold, key=lambda s: -gold[s]))


def semdis_best(gold: Weights, answers: Answers, normalised: bool) -> float:
    if not answers:
        return 0.0
    return gold.get(answers[0], 0) / (max(gold.values()) if normalised else sum(gold.values()))


def semdis_oot(gold: Weights, answers: Answers, normalised: bool) -> float:
    whole = sorted(gold.values(), reverse=True)[: 10 if normalised else None]
    return sum(gold.get(a, 0) for a in answers[:10]) / sum(whole)


def gap(gold: Weights, answers: Answers) -> float:
    def total(gains: Sequence[float]) -> float:
        return sum(sum(gains[: i + 1]) / (i + 1) for i in range(len(gains)) if gains[i] > 0)

    gains = [gold.get(a, 0) for a in answers]
    return total(gains) / total(sorted(gold.values(), reverse=True))


def average_precision(gold: Weights, answers: Answers) -> float:
    hits = [a in gold for a in answers]
    precisions = [sum(hits[: i + 1]) / (i + 1) for i in range(len(hits)) if hits[i]]
    return sum(precisions) / len(gold)


def ndcg(gold: Weights, answers: Answers, k: int = 10) -> float:
    def discounted(gains: Sequence[float]) -> float:
        return sum(gain / math.log2(i + 2) for i, gain in enumerate(gains[:k]))

    return discounted([gold.get(a, 0) for a in answers]) / discounted(
        sorted(gold.values(), reverse=True)
    )


def precision_at(gold: Weights, answers: Answers, k: int) -> float:
    return sum(a in gold for a in answers[:k]) / k


def recall_at(gold: Weights, answers: Answers, k: int) -> float:
    return sum(a in gold for a in answers[:k]) / len(gold)


def f_at(gold: Weights, answers: Answers, k: int) -> float:
    precision, recall = precision_at(gold, answers, k), recall_at(gold, answers, k)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def credit_at(gold: Weights, answers: Answers, k: int) -> float:
    return sum(gold.get(a, 0) for a in answers[:k]) / sum(gold.values())


def over_ties(
    measure: Callable[[Weights, Answers], float], gold: Weights, groups: Sequence[Answers]
) -> float:
    """The mean of a measure over every order of every tie group."""
    orders: list[list[str]] = [[]]
    for group in groups:
        orders = [done + list(order) for done in orders for order in permutations(group)]
    return sum(measure(gold, order) for order in orders) / len(orders)


def swords(
    items: Sequence[tuple[Weights, set[str], Answers]], threshold: float, lenient: bool, k: int
) -> tuple[float, float, float]:
    """Pooled P, R and F of (label ratios, judged candidates, answers) triples."""
    hits = given = possible = 0
    for gold, judged, answers in items:
        kept = [a for a in answers if not lenient or a in judged][:k]
        reference = {s for s, ratio in gold.items() if ratio >= threshold}
        hits += sum(a in reference for a in kept)
        given += len(kept)
        possible += min(len(reference), k)
    precision = hits / given if given else 0.0
    recall = hits / possible if possible else 0.0
    f = 2 * precision * recall / (precision + recall) if hits else 0.0
    return precision, recall, f
