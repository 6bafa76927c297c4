"""Training the bag-of-words model: one pass to number the tokens, one to count, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice
from operator import add
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import LexsubError
from lexsub.languages import language_of
from lexsub.parallel import run
from lexsub.parts.base import ModelBuilder
from lexsub.parts.limits import Natural, Positive
from lexsub.rankers.bow.model import BowHeader, BowModel, write_bow
from lexsub.rankers.lm.array_model import look_up
from lexsub.rankers.lm.counting import BOS, EOS, Vocabulary, encode
from lexsub.rankers.lm.tokens import tokenise
from lexsub.rankers.texts import FromText
from lexsub.resources import Resources
from lexsub.storage.arrays import Lists, spans
from lexsub.storage.files import read_text, text_lines, writing

Ints = NDArray[np.int64]

LINE = BOS
"""Id that stands before every line."""

TOGETHER = 8


@dataclass(frozen=True)
class BowBuilder(FromText, ModelBuilder):
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
    window: Positive = 20
    stop: Natural = 200
    minimum: Positive = 5
    lower: bool = True
    language: str = "en"

    needs_words: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
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
            parts = np.cumsum(sizes)[:-1]
            blocks = (
                block.astype(np.int64) for block in np.split(np.memmap(ids, np.int32, "r"), parts)
            )
            model = self._count(resources, blocks, vocabulary, frequency, words)
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

        def one(ids: Ints) -> Any:
            marks = np.flatnonzero(ids == LINE)
            starts = marks - np.arange(len(marks))
            return count_block(ids[ids != LINE], starts, forms, content, self.window)

        jobs = (partial(one, block) for block in blocks)
        counted = run(jobs, resources.workers, resources.backend)
        # Sums of a few blocks are added to the total, so that it is not copied for every one.
        total = reduce(
            add, (reduce(add, islice(counted, TOGETHER - 1), first) for first in counted)
        )
        columns = np.flatnonzero(content)
        header = BowHeader(
            self.window, self.stop, self.minimum, self.lower, self.language, int(frequency.sum())
        )
        contexts = [names[column] for column in columns]
        seen = total[:, [len(names)]].toarray().ravel()
        return BowModel(header, words, seen, contexts, frequency[columns], total[:, columns])

    def _content(self, names: list[str], frequency: Ints) -> NDArray[np.bool_]:
        content = np.fromiter((name[:1].isalpha() for name in names), bool, len(names))
        content &= frequency >= self.minimum
        by_frequency = sorted(range(len(names)), key=lambda i: (-frequency[i], names[i]))
        content[by_frequency[: self.stop]] = False
        return content


def count_block(
    ids: Ints, line_starts: Ints, forms: Forms, content: NDArray[np.bool_], window: int
) -> Any:
    """Count a block of whole lines; blocks add up in any order.

    Around each occurrence of a word, the ``window`` content tokens on either side in the same
    line are counted; the occurrence itself is not.

    Args:
        ids: the block's token ids.
        line_starts: where its lines begin, first 0.
        forms: the words to look for.
        content: for each token id whether it is a content word.
        window: content tokens on each side.

    Returns:
        Sparse (words, token ids + 1): how often each content token stood near each word, and in
        the last column how often the word itself occurs.
    """
    from scipy.sparse import csr_matrix

    starts, lengths, rows = forms.find(ids)
    is_content = content[ids]
    at_content = np.concatenate([[0], np.cumsum(is_content)])
    tokens = ids[is_content]
    # For each line, where its content tokens begin and end among all content tokens.
    borders = at_content[np.append(line_starts, len(ids))]
    line = np.searchsorted(line_starts, starts, "right") - 1
    before, behind = at_content[starts], at_content[starts + lengths]
    low = np.maximum(before - window, borders[line])
    high = np.minimum(behind + window, borders[line + 1])
    # An occurrence whose tokens run over a line end is none.
    inside = starts + lengths <= np.append(line_starts[1:], len(ids))[line]
    left, right = (before - low) * inside, np.maximum(high - behind, 0) * inside
    near = np.concatenate([spans(low, left), spans(behind, right)])
    owner = np.concatenate([np.repeat(rows, left), np.repeat(rows, right), rows[inside]])
    columns = np.append(tokens[near], np.full(np.count_nonzero(inside), len(content)))
    ones = np.ones(len(owner), dtype=np.int64)
    return csr_matrix((ones, (owner, columns)), shape=(forms.rows, len(content) + 1))


LONGEST = 6
"""Forms of more tokens are not looked for."""


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of all words, as a tree of their tokens.

    Attributes:
        levels: for each length the beginnings of forms, as in
            :class:`lexsub.rankers.lm.array_model.ArrayModel`: (row of the tokens before the last)
            · types + last one, rising; and the rows of the words that each is a form of.
        types: number of token ids.
        rows: number of words.
    """

    levels: Sequence[tuple[Ints, Lists]]
    types: int
    rows: int

    def find(self, ids: Ints) -> tuple[Ints, Ints, Ints]:
        """Return start, length and word row of every occurrence in a stream of token ids."""
        found = [np.zeros((3, 0), np.int64)]
        starts, row = np.arange(len(ids)), np.zeros(len(ids), np.int64)
        for length, (keys, owners) in enumerate(self.levels, start=1):
            inside = starts <= len(ids) - length
            starts, row = starts[inside], row[inside]
            row = look_up(keys, row * self.types + ids[starts + length - 1])
            starts, row = starts[row >= 0], row[row >= 0]
            rows, begins = owners.of(row, starts)
            found.append(np.stack([begins, np.full(len(begins), length), rows]))
        starts, lengths, rows = np.concatenate(found, axis=1)
        return starts, lengths, rows


def make_forms(
    words: Sequence[str], ids: Mapping[str, int], lower: bool = True, language: str = "en"
) -> Forms:
    """Return the forms of words given as ``substitute.pos``.

    Args:
        words: as in ``["glad.a", "give up.v"]``.
        ids: token to id; forms with other tokens cannot occur and are left out.
        lower: whether the stream is lower-cased.
        language: ISO 639-1 code.
    """
    spoken = language_of(language)
    owners: dict[tuple[int, ...], list[int]] = {}
    for row, word in enumerate(words):
        substitute, _, pos = word.rpartition(".")
        forms = (tokenise(form, lower=lower) for form in spoken.all_forms(substitute, pos))
        for text in {tuple(ids.get(token, -1) for token in tokens) for tokens in forms}:
            if text and min(text) >= 0 and len(text) <= LONGEST:
                owners.setdefault(text, []).append(row)
    levels: list[tuple[Ints, Lists]] = []
    rows: dict[tuple[int, ...], int] = {(): 0}
    for length in range(1, max(map(len, owners), default=0) + 1):
        here = sorted({text[:length] for text in owners if len(text) >= length})
        keys = [rows[text[:-1]] * len(ids) + text[-1] for text in here]
        of_each = [owners.get(text, []) for text in here]
        flat = np.array([row for some in of_each for row in some], np.int64)
        lists = Lists(flat, np.array([len(some) for some in of_each]))
        levels.append((np.array(keys, np.int64), lists))
        rows = {text: row for row, text in enumerate(here)}
    return Forms(levels, len(ids), len(words))
