"""How well a scorer finds the real sentences: average rank, standard error, chance."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lexsub.errors import LexsubError
from lexsub.experiments.papers.coconut.scorers import UtteranceScorer
from lexsub.experiments.papers.coconut.sets import Coconut, Kind


@dataclass(frozen=True, slots=True)
class Rank:
    """The rank of a real sentence among its fakes, 1 being the best.

    Attributes:
        best: if ties are broken in its favour.
        worst: if they are broken against it.
    """

    best: int
    worst: int

    @property
    def mean(self) -> float:
        """The mean rank of those it is tied with."""
        return (self.best + self.worst) / 2


@dataclass(frozen=True, slots=True)
class Figures:
    """How a scorer did on the coconuts of one kind.

    Attributes:
        scorer: its name.
        kind: of the coconuts.
        number: how many there are.
        mean: average rank of the real sentence, ties on their mean rank.
        error: standard error of that average (the sample's), NaN for a single coconut.
        optimistic: the average if ties went to the real sentence.
        pessimistic: the average if they went against it.
        first: share of coconuts whose real sentence is first alone.
        chance: expected average of a scorer that guesses.
        chance_error: its standard error.
        p: two-sided, of the hypothesis that it guesses (normal approximation).
    """

    scorer: str
    kind: Kind
    number: int
    mean: float
    error: float
    optimistic: float
    pessimistic: float
    first: float
    chance: float
    chance_error: float
    p: float


def rank_of(scores: Sequence[float], real: int) -> Rank:
    """Return the rank of one score among all."""
    own = scores[real]
    above = sum(score > own for score in scores)
    return Rank(above + 1, above + sum(score == own for score in scores))


def score_set(scorer: UtteranceScorer, coconuts: Sequence[Coconut]) -> dict[str, list[float]]:
    """Return a scorer's scores of each coconut's sentences.

    Raises:
        LexsubError: it returns another number of scores, or one that is no number.
    """
    utterances = [utterance for coconut in coconuts for utterance in coconut.utterances]
    scores = [float(score) for score in scorer.scores(utterances)]
    if len(scores) != len(utterances) or any(map(math.isnan, scores)):
        raise LexsubError(
            f"the scorer returned {len(scores)} scores for {len(utterances)} sentences"
            + (", some not a number" if any(map(math.isnan, scores)) else "")
        )
    result, start = {}, 0
    for coconut in coconuts:
        end = start + len(coconut.utterances)
        result[coconut.id] = scores[start:end]
        start = end
    return result


def judge(name: str, scorer: UtteranceScorer, coconuts: Sequence[Coconut]) -> list[Figures]:
    """Return a scorer's figures on a set, one for each kind of coconut in it."""
    return figures(name, score_set(scorer, coconuts), coconuts)


def figures(
    name: str, scores: Mapping[str, Sequence[float]], coconuts: Sequence[Coconut]
) -> list[Figures]:
    """Return the figures of scores that are there already."""
    kinds = dict.fromkeys(coconut.kind for coconut in coconuts)
    return [_figures(name, kind, scores, [c for c in coconuts if c.kind == kind]) for kind in kinds]


def chance(sizes: Sequence[int]) -> tuple[float, float]:
    """Return mean and standard error of the average rank of guesses.

    A rank drawn evenly from 1 … k has mean (k + 1) / 2 and variance (k² - 1) / 12.
    """
    mean = sum((size + 1) / 2 for size in sizes) / len(sizes)
    variance = sum((size * size - 1) / 12 for size in sizes)
    return mean, math.sqrt(variance) / len(sizes)


def _figures(
    name: str, kind: Kind, scores: Mapping[str, Sequence[float]], coconuts: Sequence[Coconut]
) -> Figures:
    ranks = [rank_of(scores[coconut.id], coconut.real) for coconut in coconuts]
    means = [rank.mean for rank in ranks]
    expected, deviation = chance([len(coconut.utterances) for coconut in coconuts])
    mean = statistics.fmean(means)
    size = len(ranks)
    return Figures(
        scorer=name,
        kind=kind,
        number=size,
        mean=mean,
        error=statistics.stdev(means) / math.sqrt(size) if size > 1 else math.nan,
        optimistic=statistics.fmean(rank.best for rank in ranks),
        pessimistic=statistics.fmean(rank.worst for rank in ranks),
        first=sum(rank.worst == 1 for rank in ranks) / size,
        chance=expected,
        chance_error=deviation,
        p=math.erfc(abs(mean - expected) / deviation / math.sqrt(2)),
    )
