"""How close a candidate's vector is to those of the target and of the sentence's words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lexsub.features import FEATURES, Feature
from lexsub.items import Item
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.vectors import Vectors, open_vectors, vectors_folder
from rankers.inflection import lemmas

_WORD = re.compile(r"[^\W\d_][\w'-]*")


@FEATURES.register("vectors")
@dataclass(frozen=True)
class VectorFeatures:
    """Cosines in a space of word vectors, as the measures of Melamud et al. (2015) use them.

    Attributes:
        vectors: vectors, by their name in ``[models]`` or their folder.  Context words are
            compared only where all parts of speech share a space.
        window: tokens on each side that count as near.
    """

    vectors: str = "vectors"
    window: int = 3

    code: ClassVar[tuple[str, ...]] = (
        "rankers.learned.features.vectors", "rankers.inflection", "lexsub.vectors",
    )  # fmt: skip

    def features(self) -> Sequence[Feature]:
        """Return the features."""
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
        ]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the vectors."""
        return [vectors_folder(resources, self.vectors)]

    def open(self, resources: Resources) -> VectorExtractor:
        """Open the vectors."""
        return VectorExtractor(open_vectors(resources, self.vectors), self.window)


@dataclass(frozen=True)
class VectorExtractor:
    """The working family."""

    vectors: Vectors
    window: int

    def values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Return the features; see :class:`VectorFeatures`."""
        vectors = self.vectors
        rows = vectors.rows([c.substitute for c in candidates], item.pos)
        target = vectors.rows([item.lemma], item.pos)
        with_target = vectors.cosines(rows, target)[:, 0]
        near, far = self._context(item)
        everything = np.concatenate([near, far])
        asked = np.concatenate([rows, target])
        cosines = vectors.cosines(asked, everything)
        close = cosines[:, : len(near)]
        of_near, of_all = _mean(close), _mean(cosines)
        known = rows >= 0
        centre = vectors.of(rows)[known].mean(axis=0) if known.any() else None
        to_centre = np.full(len(rows), np.nan)
        if centre is not None:
            to_centre[known] = vectors.of(rows)[known] @ (centre / (np.linalg.norm(centre) + 1e-9))
        both = np.concatenate([with_target[:, None], close[:-1]], axis=1)
        mult = _mean(np.log(np.clip((both + 1) / 2, 1e-6, None)))
        columns = [
            with_target, of_near[:-1], of_near[:-1] - of_near[-1], of_all[:-1],
            of_all[:-1] - of_all[-1], _greatest(close[:-1]), _mean(both), mult, to_centre, known,
        ]  # fmt: skip
        return np.stack(columns, axis=1).astype(np.float32)

    def _context(self, item: Item) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows of the content words near the target, and of those farther away."""
        if not self.vectors.header.joint:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        left = _WORD.findall(item.text[: item.start].lower())
        right = _WORD.findall(item.text[item.end :].lower())
        near = left[-self.window :] + right[: self.window]
        far = left[: -self.window] + right[self.window :]
        found = [[row for word in words if (row := self._row(word)) >= 0] for words in (near, far)]
        return np.array(found[0], np.int64), np.array(found[1], np.int64)

    def _row(self, word: str) -> int:
        if self.vectors.header.keys == "form":
            return self.vectors.row(word)
        rows = [self.vectors.row(lemma, pos) for pos in "nvar" for lemma in lemmas(word, pos)]
        return max(rows, key=lambda row: int(self.vectors.tokens[row]) if row >= 0 else -1,
                   default=-1)  # fmt: skip


def _mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
    known = ~np.isnan(values)
    total = np.where(known, values, 0).sum(axis=1)
    return np.where(known.any(axis=1), total / np.maximum(known.sum(axis=1), 1), np.nan)


def _greatest(values: NDArray[np.float32]) -> NDArray[np.float32]:
    if not values.shape[1]:
        return np.full(len(values), np.nan, np.float32)
    greatest = np.where(np.isnan(values), -np.inf, values).max(axis=1)
    return np.where(np.isinf(greatest), np.nan, greatest)
