"""Training continuous bags of words with negative sampling: the model kind ``cbow``."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from annotated_types import Le
from numpy.typing import NDArray

from lexsub.compiling import compiled
from lexsub.errors import LexsubError, needing
from lexsub.parts.base import ModelBuilder
from lexsub.parts.limits import AboveZero, Positive
from lexsub.progress import track
from lexsub.rankers.cbow.model import CbowHeader, write_cbow
from lexsub.rankers.lm.counting import BOS, EOS, Vocabulary, encode
from lexsub.rankers.texts import FromText
from lexsub.resources import Resources
from lexsub.storage.files import writing

NEEDS = ("numba", "thesaurus", "training CBOW vectors")

AT_ONCE = 1 << 21
"""Tokens between two steps of the bar."""

DRAWN = 10_000_000
"""Length of the list from which wrong words are drawn."""


@dataclass(frozen=True)
class CbowBuilder(FromText, ModelBuilder):
    """Learns vectors by predicting every word of a text from the words around it.

    Continuous bag of words with negative sampling (Mikolov et al., 2013), where each place
    around the word weighs each dimension in its own way (Mikolov et al., 2018, "Advances in
    pre-training distributed word representations", section 2.2).  Words that predict and words
    that are predicted have vectors of their own, so that a word can be compared with what a
    slot expects.  It runs on one thread: the bytes repeat on one kind of processor.

    Attributes:
        dimensions: numbers a vector.
        window: tokens on each side that predict.
        negatives: wrong words for each right one.
        sample: frequent words are thinned out as if none had more than this share of the text.
        rate: learning rate at the beginning; it falls to 0.
        epochs: passes over the text.
        minimum: words seen less often are left out.
        lower: lower-case the text.
    """

    dimensions: Annotated[Positive, Le(100_000)] = 200
    window: Positive = 10
    negatives: Positive = 10
    sample: AboveZero = 1e-4
    rate: AboveZero = 0.05
    epochs: Positive = 2
    minimum: Positive = 5
    lower: bool = True

    extras = (("numba", *NEEDS),)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the corpus files."""
        return self.text(resources).files()

    def build(self, resources: Resources, folder: Path) -> None:
        """Train into a folder.

        Raises:
            LexsubError: no text, numba is not installed, or the disk refuses.
        """
        with needing(*NEEDS):
            learn = learning()
        ids, words, counts = self._numbered(resources)
        random = np.random.default_rng(resources.seed)
        shape = (len(words), self.dimensions)
        contexts = ((random.random(shape, np.float32) - 0.5) / self.dimensions).astype(np.float32)
        outputs = np.zeros(shape, np.float32)
        places = np.ones((2 * self.window + 1, self.dimensions), np.float32)
        share = counts / counts.sum()
        kept = np.minimum(np.sqrt(self.sample / share) + self.sample / share, 1.0)
        chances = counts**0.75 / (counts**0.75).sum()
        times = np.maximum(np.rint(chances * DRAWN), 1).astype(np.int64)
        drawn = np.repeat(np.arange(len(words), dtype=np.int32), times)
        given = np.rint(kept * 65536), drawn, outputs, contexts, places
        state = np.array([resources.seed + 1], np.uint64)
        total, done = len(ids) * self.epochs, 0
        steps = [step for _ in range(self.epochs) for step in _portions(ids)]
        for step in track(steps, "training"):
            learn(step, *given, self.negatives, self.rate, done, total, state)
            done += len(step)
        header = CbowHeader(
            words=len(words),
            dimensions=self.dimensions,
            window=self.window,
            lower=self.lower,
            tokens=int(counts.sum()),
            parameters=asdict(self) | {"seed": resources.seed},
        )
        with writing(folder):
            write_cbow(folder, header, words, (outputs, contexts, places))

    def _numbered(
        self, resources: Resources
    ) -> tuple[NDArray[np.int32], list[str], NDArray[np.float64]]:
        """Return the text as numbers of words, the words by falling frequency, and these."""
        vocabulary = Vocabulary()
        lines = self.text(resources).lines()
        blocks = [block.astype(np.int32) for block in encode(lines, vocabulary, lower=self.lower)]
        ids = np.concatenate([np.zeros(0, np.int32), *blocks])
        names, counts = list(vocabulary), np.bincount(ids, minlength=len(vocabulary))
        counts[[BOS, EOS]] = 0
        order = [word for word in range(len(names)) if counts[word] >= self.minimum]
        order.sort(key=lambda word: (-counts[word], names[word]))
        if not order:
            raise LexsubError(
                f"no word of the corpus occurs {self.minimum} times; expected more text"
            )
        numbers = np.full(len(names), -1, np.int32)
        numbers[order] = np.arange(len(order))
        numbers[BOS] = LINE
        words = [names[word] for word in order]
        return numbers[ids[ids != EOS]], words, counts[order].astype(np.float64)


def _portions(ids: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
    """Yield portions of whole lines."""
    marks = np.flatnonzero(ids == LINE)
    starts = np.searchsorted(marks, np.arange(0, len(ids), AT_ONCE))
    edges = sorted({int(marks[at]) for at in starts if at < len(marks)} | {len(ids)})
    return (ids[start:stop] for start, stop in pairwise(edges))


LINE = -2
"""Stands before every line in place of a token's number."""

LONGEST = 100_000
"""Tokens of a line that are looked at."""


@cache
def learning() -> Any:
    """Return the compiled loop; see :func:`_learn`.

    Raises:
        ImportError: numba is not installed.
    """
    return compiled(_learn)


def _learn(  # type: ignore[no-untyped-def]  # pragma: no cover - runs compiled
    ids, kept, drawn, words, contexts, places, negatives, rate, done, total, state
):
    """Learn from whole lines, in place, and leave the state of the draws behind.

    Args:
        ids: (tokens,) numbers of tokens, :data:`LINE` before every line, -1 for unknown ones.
        kept: (words,) chance that a token stays, of 65536 (subsampling).
        drawn: numbers of words as often as they are to be drawn as wrong ones.
        words: (words, dimensions) vectors of words that are predicted.
        contexts: (words, dimensions) vectors of words that predict.
        places: (2 × window + 1, dimensions) weights of the places around a word.
        negatives: wrong words for each right one.
        rate: learning rate at the beginning; it falls to 0 with the text.
        done: tokens before these.
        total: tokens of all passes.
        state: (1,) uint64, of a linear congruential generator (Knuth's MMIX).
    """
    window, width = len(places) // 2, words.shape[1]
    middle, error = np.zeros(width, np.float32), np.zeros(width, np.float32)
    # Products are added up by halves, each half a plain loop that runs on vectors of any width:
    # a sum from left to right would not, and one in an order of its own differs by processor.
    whole = 1
    while whole < width:
        whole *= 2
    products = np.zeros(whole, np.float32)
    line = np.empty(LONGEST, np.int32)
    seed, multiplier = state[0], np.uint64(6364136223846793005)
    increment, number = np.uint64(1442695040888963407), np.uint64(len(drawn))
    place = 0
    while place < len(ids):
        size, place = 0, place + 1
        while place < len(ids) and ids[place] != LINE:
            word = ids[place]
            place += 1
            if word >= 0 and size < LONGEST:
                seed = seed * multiplier + increment
                if seed >> np.uint64(48) < kept[word]:
                    line[size] = word
                    size += 1
        step = np.float32(rate * max(1 - (done + place) / total, 1e-4))
        for at in range(size):
            low, high = max(0, at - window), min(size, at + window + 1)
            if high - low < 2:
                continue
            share = np.float32(1 / (high - low - 1))
            middle[:] = 0
            error[:] = 0
            for other in range(low, high):
                if other != at:
                    context, weights = contexts[line[other]], places[other - at + window]
                    for k in range(width):
                        middle[k] += context[k] * weights[k] * share
            for draw in range(negatives + 1):
                word, wanted = line[at], np.float32(1)
                if draw:
                    seed = seed * multiplier + increment
                    word, wanted = drawn[(seed >> np.uint64(33)) % number], np.float32(0)
                    if word == line[at]:
                        continue
                own, half = words[word], whole // 2
                for k in range(width):
                    products[k] = own[k] * middle[k]
                while half:
                    for k in range(half):
                        products[k] += products[k + half]
                    half //= 2
                score = min(max(products[0], np.float32(-8)), np.float32(8))
                gain = step * (wanted - np.float32(1 / (1 + math.exp(-score))))
                for k in range(width):
                    error[k] += gain * own[k]
                    own[k] += gain * middle[k]
            for other in range(low, high):
                if other != at:
                    context, weights = contexts[line[other]], places[other - at + window]
                    for k in range(width):
                        before = context[k]
                        # As in word2vec, the error goes to each context word undivided.
                        context[k] += error[k] * weights[k]
                        weights[k] += error[k] * before * share
    state[0] = seed
