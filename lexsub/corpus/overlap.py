"""Which sentences of a data set stand in a corpus, in whole or in part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.corpus.reader import Corpus, CorpusReport
from lexsub.datasets import Item

# Signs and apostrophes differ from edition to edition and are no words here; "do n't" of a
# tokenised text is "don't" of running text.
_CLITIC = re.compile(r"\s+(?=n['’]t\b|['’](?:s|re|ve|ll|d|m)\b)")
_APOSTROPHES = str.maketrans("", "", "'’`´")
_WORDS = re.compile(r"[^\W_]+")

BLOCK = 1 << 18
"""Words looked at together."""

_FACTOR = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


def words_of(text: str) -> list[str]:
    """Return the words by which texts are compared: lower-cased, no signs, no apostrophes."""
    return _WORDS.findall(_CLITIC.sub("", text.lower()).translate(_APOSTROPHES))


@dataclass(slots=True)
class Shared:
    """A sentence that shares n-grams with the corpus.

    Attributes:
        items: ids of the items that have this sentence.
        text: the sentence.
        ngrams: how many n-grams it has.
        places: for each shared n-gram, by its place in the sentence, where it was met first
            (file and line on which it begins).
        words: the sentence's words.
    """

    items: tuple[str, ...]
    text: str
    ngrams: int
    places: dict[int, tuple[Path, int]]
    words: list[str]

    def longest(self, n: int) -> tuple[int, int]:
        """Return start and length, in words, of the longest stretch of shared n-grams."""
        best, start, last = (0, 0), -1, -2
        for place in sorted(self.places):
            start = place if place != last + 1 else start
            last = place
            if place - start + n > best[1]:
                best = start, place - start + n
        return best


@dataclass(frozen=True, slots=True)
class Overlap:
    """What a corpus and a data set share.

    Attributes:
        n: words of an n-gram.
        sentences: different sentences of the data set.
        short: sentences of fewer than ``n`` words, of which nothing can be said.
        words: words of the corpus.
        shared: the sentences with shared n-grams, in the data set's order.
        report: what was met in reading the corpus.
    """

    n: int
    sentences: int
    short: int
    words: int
    shared: tuple[Shared, ...]
    report: CorpusReport


def find_overlap(corpus: Corpus, items: Iterable[Item], n: int = 10) -> Overlap:
    """Find the n-grams of words that a corpus shares with the sentences of items.

    Each file is read as running text: line ends part nothing, so that a sentence broken over
    lines is found.  Held are the sentences and a block of the corpus, whatever its size.

    Raises:
        LexsubError: the corpus cannot be read.
    """
    sentences: dict[str, list[str]] = {}
    for item in items:
        sentences.setdefault(item.text, []).append(item.id)
    wanted = _Wanted.of(
        [Shared(tuple(ids), text, 0, {}, words_of(text)) for text, ids in sentences.items()], n
    )
    report = CorpusReport()
    total = 0
    for path in corpus.files():
        for words, lines, fresh in _stretches(Corpus((path,)), n, report):
            total += fresh
            wanted.look_up(words, lines, path)
    short = sum(len(one.words) < n for one in wanted.sentences)
    shared = tuple(one for one in wanted.sentences if one.places)
    return Overlap(n, len(sentences), short, total, shared, report)


def _stretches(
    corpus: Corpus, n: int, report: CorpusReport
) -> Iterator[tuple[list[str], list[int], int]]:
    """Yield words with their line numbers, each stretch after the last n - 1 of the one before.

    The third number says how many of the words are new.
    """
    words: list[str] = []
    lines: list[int] = []
    held, before = 0, report.lines + report.blank
    for line in corpus.lines(report):
        found = words_of(line)
        words += found
        lines += [report.lines + report.blank - before] * len(found)
        if len(words) >= BLOCK:
            yield words, lines, len(words) - held
            kept = max(len(words) - n + 1, 0)
            words, lines = words[kept:], lines[kept:]
            held = len(words)
    yield words, lines, len(words) - held


@dataclass(frozen=True)
class _Wanted:
    """The n-grams of all sentences, by hash."""

    n: int
    sentences: Sequence[Shared]
    ids: Mapping[str, int]
    places: Mapping[tuple[str, ...], list[tuple[int, int]]]
    hashes: NDArray[np.uint64]
    met: set[tuple[str, ...]] = field(default_factory=set)

    @classmethod
    def of(cls, sentences: Sequence[Shared], n: int) -> _Wanted:
        ids: dict[str, int] = {}
        places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for number, sentence in enumerate(sentences):
            words = sentence.words
            sentence.ngrams = max(len(words) - n + 1, 0)
            for word in words:
                ids.setdefault(word, len(ids) + 1)
            for start in range(sentence.ngrams):
                places.setdefault(tuple(words[start : start + n]), []).append((number, start))
        numbers = np.array([[ids[w] for w in ngram] for ngram in places], np.uint64)
        hashes = _hashes(numbers.ravel(), n)[::n] if len(numbers) else np.zeros(0, np.uint64)
        return cls(n, sentences, ids, places, np.unique(hashes))

    def look_up(self, words: list[str], lines: list[int], path: Path) -> None:
        """Note the n-grams of a stretch of text that are ours."""
        if len(words) < self.n or not len(self.hashes):
            return
        get = self.ids.get
        found = _hashes(np.array([get(word, 0) for word in words], np.uint64), self.n)
        at = np.searchsorted(self.hashes, found)
        hits = np.flatnonzero(self.hashes[np.minimum(at, len(self.hashes) - 1)] == found)
        for start in hits.tolist():
            ngram = tuple(words[start : start + self.n])
            # Equal hashes may be of different words: the words are compared.
            if ngram in self.met or ngram not in self.places:
                continue
            self.met.add(ngram)
            for number, place in self.places[ngram]:
                self.sentences[number].places[place] = path, lines[start]


def _hashes(ids: NDArray[np.uint64], n: int) -> NDArray[np.uint64]:
    """Return a hash of every n-gram, shape (words - n + 1,)."""
    found = np.zeros(len(ids) - n + 1, np.uint64)
    factor = 1
    for place in range(n):
        found += ids[place : place + len(found)] * np.uint64(factor)
        factor = factor * _FACTOR & _MASK
    return found
