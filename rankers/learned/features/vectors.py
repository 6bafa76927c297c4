"""How close a candidate's vector is to those of the target and of the sentence's words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Item
from lexsub.languages.english.inflection import inflect, lemmas, tag_of
from lexsub.parts.base import Extractor, Feature, FeatureFamily
from lexsub.parts.limits import Natural
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.vectors.vectors import DECIMALS, Vectors, open_vectors

GOES = 0.5
"""Cosine from which on two words are said to go together."""

_WORD = re.compile(r"[^\W\d_][\w'-]*")


@dataclass(frozen=True)
class VectorFeatures(FeatureFamily):
    """Cosines in a space of word vectors, as the measures of Melamud et al. (2015) use them.

    Attributes:
        vectors: vectors, by their name in ``[models]`` or their folder.  Context words are
            compared only where all parts of speech share a space.
        window: tokens on each side that count as near.
        reach: tokens on each side that count at all; 0 for the whole sentence.
        stop: the first so many words of vectors of forms are no context and are not counted as
            tokens: function words, where a file has the frequent words first, as GloVe's.
        inflected: whether to compare the forms that stand, or would stand, in the sentence,
            too; for vectors of forms.
    """

    vectors: str = "vectors"
    window: Natural = 3
    reach: Natural = 0
    stop: Natural = 0
    inflected: bool = False

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        form = [Feature("form", "cosine of their forms in the sentence")] if self.inflected else []
        return [
            Feature("target", "cosine with the target"),
            Feature("near", "mean cosine with the words near the target"),
            Feature("near-gain", "the same, less that of the target"),
            Feature("sentence", "mean cosine with all content words of the sentence"),
            Feature("sentence-gain", "the same, less that of the target"),
            Feature("closest", "greatest cosine with a word near the target"),
            Feature("add", "mean of the cosines with target and near words (measure Add)"),
            Feature("mult", "geometric mean of those cosines, shifted to 0..1 (measure Mult)"),
            Feature("centre", "cosine with the mean vector of the candidates", True),
            Feature("known", "whether it has a vector", False),
            *form,
        ]

    reads_models: ClassVar[dict[str, str]] = {"vectors": "vectors"}

    def open(self, resources: Resources) -> VectorExtractor:
        """Open the vectors."""
        return VectorExtractor(open_vectors(resources, self.vectors), self)


@dataclass(frozen=True)
class VectorExtractor(Extractor):
    """The working family."""

    vectors: Vectors
    options: VectorFeatures

    def values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Return the features; see :class:`VectorFeatures`."""
        texts = [candidate.substitute for candidate in candidates]
        found, target = self._of(texts, item.pos), self._of([item.lemma], item.pos)
        known = ~np.isnan(found).any(axis=1)
        near, far = self._context(item)
        cosines = _cosines(np.concatenate([found, target]), np.concatenate([near, far]))
        with_target, close = _cosines(found, target)[:, 0], cosines[:, : len(near)]
        of_near, of_all = _mean(close), _mean(cosines)
        to_centre = np.full(len(found), np.nan)
        if known.any():
            centre = found[known].mean(axis=0)
            to_centre[known] = found[known] @ (centre / (np.linalg.norm(centre) + 1e-9))
        both = np.concatenate([with_target[:, None], close[:-1]], axis=1)
        mult = _mean(np.log(np.clip((both + 1) / 2, 1e-6, None)))
        columns: list[NDArray[Any]] = [with_target]
        for mean in (of_near, of_all):
            columns += [mean[:-1], mean[:-1] - mean[-1]]
        closest = np.fmax.reduce(close[:-1], axis=1, initial=np.nan)
        columns += [closest, _mean(both), mult, to_centre, np.asarray(known)]
        if self.options.inflected:
            tag = tag_of(item)
            forms = self._of([inflect(text, item.pos, tag) for text in texts], item.pos)
            columns.append(_cosines(forms, self._of([item.target.lower()], item.pos))[:, 0])
        return np.stack(columns, axis=1).astype(np.float32)

    def reasons(self, item: Item, candidates: Sequence[Candidate]) -> list[list[str]]:
        """Return with which content word of the sentence each candidate goes, if it does so."""
        said: dict[str, int] = {}
        if self.vectors.header.joint:
            for word in _WORD.findall(f"{item.text[: item.start]} {item.text[item.end :]}".lower()):
                row = self._row(word)
                if len(word) > 3 and row >= max(self.options.stop, 0):
                    said.setdefault(word, row)
        if not said:
            return [[] for _ in candidates]
        texts = [candidate.substitute for candidate in candidates]
        words = self.vectors.of(np.array(list(said.values()), np.int64))
        cosines = np.nan_to_num(_cosines(self._of(texts, item.pos), words), nan=-1.0)
        names = list(said)
        return [
            [f"goes with *{names[int(row.argmax())]}*"] if row.max() >= GOES else []
            for row in cosines
        ]

    def _of(self, texts: Sequence[str], pos: str) -> NDArray[np.float32]:
        """Return vectors of length 1, shape (texts, dimensions); nan for unknown words."""
        vectors = self.vectors
        rows = vectors.rows(texts, pos)
        found = vectors.of(rows)
        found[rows < 0] = np.nan
        if vectors.header.keys == "form":
            # A file of forms has few multiwords: the mean of their words' vectors stands for them.
            for place in np.flatnonzero(rows < 0).tolist():
                words = vectors.rows(texts[place].split(" "))
                if (words >= 0).any():
                    whole = vectors.of(words).sum(axis=0)
                    found[place] = whole / (np.linalg.norm(whole) + 1e-9)
        return found

    def _context(self, item: Item) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the vectors of the content words near the target, and of those farther away."""
        window, reach = self.options.window, self.options.reach
        if not self.vectors.header.joint:
            left, right = [], []
        else:
            left, right = (
                [
                    row
                    for row in map(self._row, _WORD.findall(text.lower()))
                    if not 0 <= row < self.options.stop
                ]
                for text in (item.text[: item.start], item.text[item.end :])
            )
        left.reverse()
        near = left[:window][::-1] + right[:window]
        far = left[window : reach or None][::-1] + right[window : reach or None]
        return tuple(  # type: ignore[return-value]
            self.vectors.of(np.array([row for row in rows if row >= 0], np.int64))
            for rows in (near, far)
        )

    def _row(self, word: str) -> int:
        if self.vectors.header.keys == "form":
            return self.vectors.row(word)
        rows = [self.vectors.row(lemma, pos) for pos in "nvar" for lemma in lemmas(word, pos)]
        return max(
            rows, key=lambda row: int(self.vectors.tokens[row]) if row >= 0 else -1, default=-1
        )


def _cosines(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosine of every vector with every other, nan for unknown ones."""
    return np.round(one @ other.T, DECIMALS)


def _mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
    known = ~np.isnan(values)
    total = np.where(known, values, 0).sum(axis=1)
    return np.where(known.any(axis=1), total / np.maximum(known.sum(axis=1), 1), np.nan)
