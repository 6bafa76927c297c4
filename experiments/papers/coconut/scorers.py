"""What may answer coconuts, and how well it finds the real sentences.

Scorers are n-gram models, rankers, files of scores, and any function of text.  To try a model of
your own, give an object with one method::

    class Mine:
        def scores(self, utterances):
            return [my_model(utterance.text) for utterance in utterances]

and hand it to :func:`judge` (or name it to the command as ``--scorer my_module:Mine``).  In other
languages, read the TSV of the set and write one with the columns coconut, sentence and score.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Protocol

from lexsub.datasets import Dataset, Gold, Item, Lexelt
from lexsub.errors import FormatError, LexsubError, cut
from lexsub.experiments.papers.coconut.sets import Coconut, Kind, Utterance, read_tsv
from lexsub.parts.base import Scorer
from lexsub.rankers.lm.header import LanguageModel, Window
from lexsub.rankings import Candidate

Context = Literal["window", "window-sentence", "full", "full-per-token"]

SCORE_COLUMNS = ("coconut", "sentence", "score")


class UtteranceScorer(Protocol):
    """Says how plausible sentences are."""

    def scores(self, utterances: Sequence[Utterance]) -> Sequence[float]:
        """Return a score for each sentence, the higher the more plausible."""
        ...


@dataclass(frozen=True)
class NgramScorer:
    """Scores sentences by the log10 probability an n-gram model gives them.

    Attributes:
        model: an opened language model; its own tokenisation is applied.
        context: ``full``: the whole sentence with its ends, not divided by its length, as in
            the paper (so that short sentences win); ``full-per-token``: divided by the number
            of tokens, ``</s>`` included; ``window``: all n-grams that contain the slot, that
            is the 2n - 1 tokens around it; ``window-sentence``: those tokens as if they were a
            sentence (another reading of the paper).
    """

    model: LanguageModel
    context: Context = "full"

    def scores(self, utterances: Sequence[Utterance]) -> Sequence[float]:
        """Return the log10 probability of each sentence or of its slot."""
        if not self.context.startswith("window"):
            return self._whole(utterances)
        reach = self.model.header.order - 1
        wholes, lefts = [], []
        for utterance in utterances:
            left = self._tokens(utterance.tokens[: utterance.slot])
            right = self._tokens(utterance.tokens[utterance.slot + 1 :])
            bos, eos = len(left) <= reach, len(right) < reach
            if self.context == "window-sentence":
                bos = eos = True
            before = " ".join(left[max(len(left) - reach, 0) :])
            word = " ".join(self._tokens([utterance.word])) or "<unk>"
            text = f"{before} {word} {' '.join(right[:reach])}".strip()
            wholes.append(Window(text, bos, eos))
            lefts.append(Window(before, bos))
        scores = self.model.log10(wholes)
        if self.context == "window":
            scores = scores - self.model.log10(lefts)
        result: list[float] = scores.tolist()
        return result

    def _whole(self, utterances: Sequence[Utterance]) -> Sequence[float]:
        sentences = [self._tokens(utterance.tokens) for utterance in utterances]
        scores = self.model.log10([Window(" ".join(s), True, True) for s in sentences])
        per_token = self.context == "full-per-token"
        sizes = [len(sentence) + 1 if per_token else 1 for sentence in sentences]
        return [float(score) / size for score, size in zip(scores, sizes, strict=True)]

    def _tokens(self, tokens: Sequence[str]) -> list[str]:
        return self.model.header.tokenise(" ".join(tokens))


@dataclass(frozen=True)
class FunctionUtteranceScorer:
    """Scores sentences by a function of their text."""

    function: Callable[[str], float]

    def scores(self, utterances: Sequence[Utterance]) -> Sequence[float]:
        """Return the function's value for each text."""
        return [float(self.function(utterance.text)) for utterance in utterances]


@dataclass(frozen=True)
class RankerScorer:
    """Scores sentences by a ranker of lexsub: the word in the slot is its one candidate.

    It serves rankers whose scores compare across sentences (lm, ku, bow, cmlc).

    Attributes:
        ranker: the opened ranker.
        pos: part of speech of the words in the slots.
    """

    ranker: Scorer
    pos: str = "n"

    def scores(self, utterances: Sequence[Utterance]) -> Sequence[float]:
        """Return the ranker's score of each slot's word in its sentence."""
        return [
            self.ranker.scores(as_item(utterance, self.pos), [Candidate(utterance.word.lower())])[0]
            for utterance in utterances
        ]


def as_item(utterance: Utterance, pos: str, name: str = "") -> Item:
    """Return an utterance as an item whose target is the word in the slot."""
    start = len(" ".join(utterance.tokens[: utterance.slot])) + bool(utterance.slot)
    lexelt = Lexelt(utterance.word.lower(), pos, pos)
    return Item(name, lexelt, utterance.text, start, start + len(utterance.word))


def as_dataset(coconuts: Iterable[Coconut], pos: str, language: str) -> Dataset:
    """Return the real sentences as a data set without gold, for rankers to be opened on."""
    items = tuple(as_item(c.utterances[c.real], pos, c.id) for c in coconuts)
    return Dataset("coconuts/set", items, Gold("coconuts/set", {}, ""), {}, language)


def load_scorer(name: str) -> UtteranceScorer:
    """Return a scorer of the user's own by ``module:object``.

    The object may be a scorer, a class of scorers (made without arguments), or a function from
    text to number.

    Raises:
        LexsubError: no such module or object, or it is none of these.
    """
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute):
        raise LexsubError(f"--scorer {name!r}; expected module:object")
    try:
        found: Any = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise LexsubError(f"--scorer {name!r}: {error}; is its folder on PYTHONPATH?") from error
    if isinstance(found, type):
        found = found()
    if hasattr(found, "scores"):
        scorer: UtteranceScorer = found
        return scorer
    if callable(found):
        return FunctionUtteranceScorer(found)
    raise LexsubError(f"--scorer {name!r} is neither a scorer nor a function of text")


def read_scores(path: Path, coconuts: Sequence[Coconut]) -> dict[str, list[float]]:
    """Read the scores of an external scorer: the scores of each coconut's sentences, in order.

    Raises:
        FormatError: a line of another shape, a score that is no number, one that is given
            twice, missing, or of no sentence of the set.
    """
    sizes = {coconut.id: len(coconut.utterances) for coconut in coconuts}
    found: dict[str, dict[int, float]] = {name: {} for name in sizes}
    for number, (name, sentence, text) in read_tsv(path, SCORE_COLUMNS):
        if name not in sizes or not (
            sentence.isascii() and sentence.isdecimal() and 1 <= int(sentence) <= sizes[name]
        ):
            raise FormatError(path, number, f"the set has no sentence {sentence!r} of {name!r}")
        if int(sentence) in found[name]:
            raise FormatError(path, number, f"sentence {sentence} of {name!r} is scored twice")
        try:
            score = float(text)
        except ValueError:
            score = math.nan
        if math.isnan(score):
            raise FormatError(path, number, f"score {cut(text)!r}; expected a number")
        found[name][int(sentence)] = score
    for name, size in sizes.items():
        missing = [str(n) for n in range(1, size + 1) if n not in found[name]]
        if missing:
            raise FormatError(
                path, None, f"has no score for sentence {', '.join(missing)} of {name!r}"
            )
    return {name: [found[name][n] for n in range(1, size + 1)] for name, size in sizes.items()}


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
    rest = iter(scores)
    return {coconut.id: list(islice(rest, len(coconut.utterances))) for coconut in coconuts}


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
