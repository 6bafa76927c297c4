"""Training: the model kind ``cbow``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import LexsubError, needing
from lexsub.progress import track
from lexsub.rankers.cbow.loop import LINE, learning
from lexsub.rankers.cbow.model import Header, write_cbow
from lexsub.rankers.lm.counting import BOS, EOS, Vocabulary, encode
from lexsub.rankers.texts import FromText
from lexsub.resources import Resources
from lexsub.storage.files import writing

AT_ONCE = 1 << 21
"""Tokens between two steps of the bar."""

DRAWN = 10_000_000
"""Length of the list from which wrong words are drawn."""


@dataclass(frozen=True)
class CbowBuilder(FromText):
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

    dimensions: int = 200
    window: int = 10
    negatives: int = 10
    sample: float = 1e-4
    rate: float = 0.05
    epochs: int = 2
    minimum: int = 5
    lower: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.dimensions, self.window, self.negatives, self.epochs, self.minimum) < 1:
            raise ValueError("dimensions, window, negatives, epochs and minimum must be at least 1")
        if self.sample <= 0 or self.rate <= 0:
            raise ValueError("sample and rate must be above 0")

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the corpus files."""
        return self.text(resources).files()

    def build(self, resources: Resources, folder: Path) -> None:
        """Train into a folder.

        Raises:
            LexsubError: no text, numba is not installed, or the disk refuses.
        """
        with needing("numba", "thesaurus", "training CBOW vectors"):
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
        drawn = np.repeat(np.arange(len(words), dtype=np.int32),
                          np.maximum(np.rint(chances * DRAWN), 1).astype(np.int64))  # fmt: skip
        state = np.array([resources.seed + 1], np.uint64)
        total, done = len(ids) * self.epochs, 0
        steps = [step for _ in range(self.epochs) for step in _portions(ids)]
        for step in track(steps, "training"):
            learn(
                step, np.rint(kept * 65536), drawn, outputs, contexts, places, self.negatives,
                self.rate, done, total, state,
            )  # fmt: skip
            done += len(step)
        header = Header(
            words=len(words), dimensions=self.dimensions, window=self.window, lower=self.lower,
            tokens=int(counts.sum()), parameters=asdict(self) | {"seed": resources.seed},
        )  # fmt: skip
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
        return (numbers[ids[ids != EOS]], [names[word] for word in order],
                counts[order].astype(np.float64))  # fmt: skip


def _portions(ids: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
    """Yield portions of whole lines."""
    marks = np.flatnonzero(ids == LINE)
    starts = np.searchsorted(marks, np.arange(0, len(ids), AT_ONCE))
    edges = sorted({int(marks[at]) for at in starts if at < len(marks)} | {len(ids)})
    return (ids[start:stop] for start, stop in pairwise(edges))
