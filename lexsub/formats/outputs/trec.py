"""Runs and qrels of TREC, for trec_eval, ir_measures and ranx: an item a topic, a word a document.

A line of a run is ``id Q0 word rank score tag``, of qrels ``id 0 word weight``; the fields are
parted by blanks, so a blank inside a word is written ``_``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from lexsub.datasets import Gold
from lexsub.errors import LexsubError, Place
from lexsub.formats.outputs.common import Collector, number, short_enough, written
from lexsub.formats.semeval_lines import placed_lines
from lexsub.matching.seen import SeenGold, SeenItem, gold_under
from lexsub.rankings import Ranked, Ranking

TAG = "lexsub"
_LARGEST_FACTOR = 10_000


def read_run(text: str, path: Path) -> list[Ranking]:
    """Read a run; the order of its lines is that of falling scores, ties as in the file.

    Raises:
        FormatError: a line that is not six fields, or a score that is no number.
    """
    answers: dict[str, list[tuple[str, float]]] = {}
    for at, raw in placed_lines(text, path):
        fields = raw.split()
        if len(fields) != 6:
            raise at.fault(f"{len(fields)} fields; expected six: id Q0 word rank score tag")
        score = number(fields[4], at)
        answers.setdefault(fields[0], []).append((fields[2].replace("_", " "), score))
    collector = Collector(path)
    for item_id, pairs in answers.items():
        names, scores = zip(*pairs, strict=True)
        collector.add(Place(path), item_id, "", names, scores)
    return collector.rankings("lines 'id Q0 word rank score tag'")


def format_run(rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return a run.

    Scores that do not fall from each answer to the next, to the precision that trec_eval reads,
    are replaced by the number of answers from there on: tools put ties in an order of their own.

    Raises:
        LexsubError: an id or a word that a field cannot hold.
    """
    lines = []
    for ranking, entries in written(rankings, top):
        scores = falling([entry.score for entry in entries])
        for rank, (entry, score) in enumerate(zip(entries, scores, strict=True), start=1):
            line = f"{_head(ranking, 'Q0', entry)} {rank} {float(score)!r} {TAG}"
            lines.append(short_enough(line) + "\n")
    return "".join(lines)


def _head(ranking: Ranking, between: str, entry: Ranked) -> str:
    """Return the first three fields of a line."""
    word = entry.substitute.replace(" ", "_")
    for text in (ranking.id, word):
        if text.split() != [text]:
            raise LexsubError(f"item {ranking.id!r}: {text!r} holds what parts the fields of TREC")
    if "_" in entry.substitute:
        raise LexsubError(
            f"item {ranking.id!r}: {entry.substitute!r} holds '_', which stands for a blank in TREC"
        )
    return f"{ranking.id} {between} {word}"


def falling(scores: Sequence[float]) -> Sequence[float]:
    """Return scores that fall from each to the next, in single precision too: these, or places."""
    with np.errstate(over="ignore"):
        single = np.asarray(scores, np.float32)
    if np.isfinite(single).all() and (single[1:] < single[:-1]).all():
        return scores
    return [float(place) for place in range(len(scores), 0, -1)]


def seen_by_others(gold: Gold) -> SeenGold:
    """Return a gold under its own policy, in one spelling of each word.

    In place of ``official`` it is ``clean``: other tools cannot read as the official scorer does.
    """
    policy = gold.normalisation
    return gold_under(gold, "clean" if policy == "official" else policy)


def respelled(seen: SeenGold, rankings: Iterable[Ranking]) -> list[Ranking]:
    """Return rankings in the spelling of a gold under a policy, every answer once."""
    return [replace(one, ranked=tuple(_respelled(seen[one.id], one.ranked))) for one in rankings]


def _respelled(seen: SeenItem, entries: Sequence[Ranked]) -> Iterable[Ranked]:
    kept: dict[str, Ranked] = {}
    for entry in entries:
        if form := seen.form(entry.substitute):
            kept.setdefault(form, entry._replace(substitute=form))
    return kept.values()


def spelled(
    seen: SeenItem, answers: Sequence[str], scores: Sequence[float] | None
) -> dict[str, float]:
    """Return an item's answers in that spelling, every answer once, with scores that fall."""
    values = scores or [0.0 - place for place in range(len(answers))]
    kept = list(_respelled(seen, list(map(Ranked, answers, values))))
    found = falling([entry.score for entry in kept])
    return {entry.substitute: float(score) for entry, score in zip(kept, found, strict=True)}


def relevance(seen: SeenGold) -> dict[str, dict[str, int]]:
    """Return whole weights by item and word, those of refused words 0; items without gold not.

    Weights that are not whole are all multiplied by the same number, which changes neither nDCG
    nor what asks for right or wrong alone.

    Raises:
        LexsubError: no number up to 10,000 makes them whole.
    """
    found = {item_id: one.row for item_id, one in seen.items() if one.row.weights}
    weights = {weight for row in found.values() for weight in row.weights.values()}
    factor = math.lcm(*(Fraction(one).limit_denominator(1000).denominator for one in weights))
    off = max((abs(one * factor - round(one * factor)) for one in weights), default=0.0)
    if factor > _LARGEST_FACTOR or off > 1e-6:
        raise LexsubError(
            f"the weights of {seen.gold.name} are no whole numbers, nor {_LARGEST_FACTOR}ths; the "
            "format has whole numbers alone"
        )
    return {
        item_id: dict.fromkeys(sorted(row.judged - row.weights.keys()), 0)
        | {word: round(weight * factor) for word, weight in row.weights.items()}
        for item_id, row in found.items()
    }


def format_qrels(weights: Mapping[str, Mapping[str, int]]) -> str:
    """Return qrels.

    Raises:
        LexsubError: an id or a word that a field cannot hold, or no weight at all.
    """
    rankings = [
        Ranking(item_id, "", tuple(Ranked(word, 0.0) for word in of_item))
        for item_id, of_item in weights.items()
    ]
    return "".join(
        f"{_head(ranking, '0', entry)} {weights[ranking.id][entry.substitute]}\n"
        for ranking, entries in written(rankings, None)
        for entry in entries
    )
