"""Training the bag-of-words model: one pass to number the tokens, one to count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import accumulate, islice
from operator import add
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import LexsubError
from lexsub.languages import language_of
from lexsub.parallel import run
from lexsub.rankers.bow.counting import BlockCounts, count_block, make_forms
from lexsub.rankers.bow.model import BowHeader, BowModel, write_bow
from lexsub.rankers.lm.counting import BOS, EOS, Vocabulary, encode
from lexsub.rankers.texts import FromText
from lexsub.resources import Resources
from lexsub.storage.files import read_text, text_lines, writing

Ints = NDArray[np.int64]

LINE = BOS
"""Id that stands before every line."""

TOGETHER = 8


@dataclass(frozen=True)
class BowBuilder(FromText):
    """Counts which content words stand near the words that candidates need.

    Content words begin with a letter, occur at least ``minimum`` times and are not among the
    ``stop`` most frequent words of the text (function words, with no list for a language).

    Attributes:
        words: file with a word a line, as ``give up.v``; "" for the candidates of the run.
        window: content tokens counted on each side of a word, in the same line.
        stop: how many of the most frequent words are left out.
        minimum: words seen less often are left out.
        lower: lower-case the text.
        language: ISO 639-1 code of the text.
    """

    words: str = ""
    window: int = 20
    stop: int = 200
    minimum: int = 5
    lower: bool = True
    language: str = "en"

    needs_words: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.window < 1 or self.stop < 0 or self.minimum < 1:
            raise ValueError("window and minimum must be at least 1, stop at least 0")
        language_of(self.language)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the corpus files, and the list of words where one is named."""
        listed = [self._list(resources)] if self.words else []
        return [*self.text(resources).files(), *listed]

    def _list(self, resources: Resources) -> Path:
        return resources.here(Path(resources.paths.get(self.words, self.words)))

    def build(self, resources: Resources, folder: Path) -> None:
        """Count the corpus into a folder.

        Raises:
            LexsubError: no text, no words to count, or the disk refuses.
        """
        words = self._words(resources)
        ids = folder / "ids"
        with writing(folder):
            vocabulary, frequency, sizes = self._number(resources, ids)
            model = self._count(resources, _blocks(ids, sizes), vocabulary, frequency, words)
            ids.unlink()
            write_bow(folder, model)

    def _words(self, resources: Resources) -> list[str]:
        if self.words:
            lines = text_lines(read_text(self._list(resources)))
            words = sorted({line.strip() for line in lines if line.strip()})
            odd = next((word for word in words if word[-2:-1] != "." or word[-1] not in "nvar"), "")
            if odd:
                raise LexsubError(
                    f"{self._list(resources)}: {odd!r}; expected word.pos, as in 'give up.v'"
                )
        else:
            words = sorted(resources.words)
        if not words:
            raise LexsubError("there are no words to count; name a file of them (option words)")
        return words

    def _number(self, resources: Resources, path: Path) -> tuple[Vocabulary, Ints, list[int]]:
        """Write the corpus as token ids; return the ids, how often each occurs, and block sizes."""
        vocabulary, sizes = Vocabulary(), []
        frequency: Ints = np.zeros(0, dtype=np.int64)
        with path.open("wb") as file:
            for sentences in encode(self.text(resources).lines(), vocabulary, lower=self.lower):
                block = sentences[sentences != EOS]
                block.tofile(file)
                sizes.append(len(block))
                counts = np.bincount(block, minlength=len(vocabulary))
                counts[: len(frequency)] += frequency
                frequency = counts
        if not len(frequency):
            raise LexsubError("the corpus holds no words; expected text to count")
        frequency[LINE] = 0
        return vocabulary, frequency, sizes

    def _count(
        self,
        resources: Resources,
        blocks: Iterator[Ints],
        vocabulary: Vocabulary,
        frequency: Ints,
        words: list[str],
    ) -> BowModel:
        names = list(vocabulary)
        content = self._content(names, frequency)
        forms = make_forms(words, vocabulary, self.lower, self.language)

        def one(ids: Ints) -> BlockCounts:
            marks = np.flatnonzero(ids == LINE)
            starts = marks - np.arange(len(marks))
            return count_block(ids[ids != LINE], starts, forms, content, self.window)

        jobs = (partial(one, block) for block in blocks)
        counted = run(jobs, resources.workers, resources.backend)
        # Sums of a few blocks are added to the total, so that it is not copied for every one; a
        # few, not held together, are a block and their sum so far.
        few = (reduce(add, islice(counted, TOGETHER - 1), first) for first in counted)
        total = reduce(add, few)
        columns = np.flatnonzero(content)
        header = BowHeader(
            self.window, self.stop, self.minimum, self.lower, self.language, int(frequency.sum())
        )
        return BowModel(
            header,
            words,
            total.seen,
            [names[column] for column in columns],
            frequency[columns],
            total.near[:, columns],
        )

    def _content(self, names: list[str], frequency: Ints) -> NDArray[np.bool_]:
        content = np.fromiter((name[:1].isalpha() for name in names), bool, len(names))
        content &= frequency >= self.minimum
        by_frequency = sorted(range(len(names)), key=lambda i: (-frequency[i], names[i]))
        content[by_frequency[: self.stop]] = False
        return content


def _blocks(path: Path, sizes: Sequence[int]) -> Iterator[Ints]:
    """Yield the blocks of a file of ids."""
    ids = np.memmap(path, dtype=np.int32, mode="r")
    for stop, size in zip(accumulate(sizes), sizes, strict=True):
        yield ids[stop - size : stop].astype(np.int64)
