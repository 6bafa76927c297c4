"""A few words of a thesaurus, weighted, without weighing all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from candidates.distributional.logarithm import ln
from candidates.distributional.measures.base import Formula, Weights
from candidates.distributional.model import Space
from candidates.distributional.weights import Counts

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Row:
    """One word: its contexts and their weights."""

    contexts: NDArray[np.int32]
    weights: NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Rows of a part of speech by word id, with the weights of its whole matrix.

    Attributes:
        space: the part of speech.
    """

    space: Space

    @cached_property
    def _of_context(self) -> NDArray[np.float64]:
        counts: Counts = self.space.counts
        amount = counts.counts.astype(np.float64)
        return np.bincount(counts.contexts, amount, len(counts.relations)).astype(np.float64)

    @cached_property
    def _total(self) -> float:
        return float(self._of_context.sum())

    @cached_property
    def _of_relation(self) -> NDArray[np.float64]:
        return np.bincount(self.space.counts.relations, self._of_context).astype(np.float64)

    def priors(self, contexts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return P(f) of some contexts, over all words of the part of speech."""
        return self._of_context[contexts] / self._total

    def count(self, word: int) -> Row:
        """Return a word's counts."""
        counts = self.space.counts
        span = slice(int(counts.starts[word]), int(counts.starts[word + 1]))
        return Row(counts.contexts[span], counts.counts[span].astype(np.float64))

    def row(self, word: int, kind: Weights) -> Row:
        """Return a word's weights, those that would be 0 left out."""
        contexts, amount = (raw := self.count(word)).contexts, raw.weights
        if kind == "presence":
            return Row(contexts, np.ones(len(contexts)))
        if kind == "ppmi-relation":
            relation = self.space.counts.relations[contexts].astype(np.int64)
            of_word = np.bincount(relation, amount)[relation] if len(relation) else amount
            ratio = amount * self._of_relation[relation] / (of_word * self._of_context[contexts])
        else:
            probability = amount / max(amount.sum(), 1.0)
            if kind == "probability":
                return Row(contexts, probability)
            ratio = probability / (self._of_context[contexts] / self._total)
        kept = ratio > 1.0
        weights = np.ones(int(kept.sum())) if kind == "ppmi-presence" else ln(ratio[kept])
        return Row(contexts[kept], weights)

    def compare(self, target: int, others: Sequence[int], formula: Formula) -> NDArray[np.float64]:
        """Return a measure's value of a word with some others; NaN where they share nothing."""
        mine = self.row(target, formula.weights)
        dense = np.zeros(len(self.space.counts.relations))
        dense[mine.contexts] = mine.weights
        size = float(np.sum(formula.size(mine.weights)))
        values = np.full(len(others), np.nan)
        for place, other in enumerate(others):
            theirs = self.row(other, formula.weights)
            x = dense[theirs.contexts]
            both = x > 0
            if both.any():
                total = formula.shared(x[both], theirs.weights[both], formula.constant).sum()
                reach = float(np.sum(formula.size(theirs.weights)))
                values[place] = formula.value(total, size, reach, formula.constant)
        return values
