"""Some words of a thesaurus, weighted and compared, without weighing all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.distributional.kernel import shared_sums
from lexsub.candidates.distributional.measures import Formula, Weights
from lexsub.candidates.distributional.model import Space
from lexsub.candidates.distributional.weights import Sums, add_up, entry_weights, tokens_within
from lexsub.storage.arrays import spans


class Entries(NamedTuple):
    """The counts of some words, one behind the other, or a part of them.

    Attributes:
        owners: for each count, the place of its word among the words asked for.
        contexts: its context.
        amounts: the count.
    """

    owners: NDArray[np.int64]
    contexts: NDArray[np.int32]
    amounts: NDArray[np.float64]

    def chosen(self, which: NDArray[np.bool_] | NDArray[np.int64] | slice) -> Entries:
        """Return some of them."""
        return Entries(self.owners[which], self.contexts[which], self.amounts[which])


@dataclass(frozen=True)
class Rows:
    """Rows of a part of speech by word id, with the weights of its whole matrix.

    Attributes:
        space: the part of speech.
        sizes: what measures, by their weights and size, found of the words by id, nan for those
            not met so far; kept, because words come again as candidates of other targets.
    """

    space: Space
    sizes: dict[tuple[Weights, Callable[..., object]], NDArray[np.float64]] = field(
        default_factory=dict
    )

    @cached_property
    def _sums(self) -> Sums:
        return add_up([self.space.counts])

    def find(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the ids of words, -1 for those the thesaurus does not know; shape (words,)."""
        return np.array(self.space.words.find_all(words), np.int64)

    def priors(self, contexts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return P(f) of some contexts, over all words of the part of speech."""
        return self._sums.of_context[contexts] / self._sums.of_all

    def entries(self, words: NDArray[np.int64]) -> tuple[Entries, NDArray[np.float64]]:
        """Return the counts of words by id, and the context tokens of each; -1 has none."""
        counts, known = self.space.counts, words >= 0
        starts = np.where(known, np.asarray(counts.starts)[words], 0)
        lengths = np.where(known, np.asarray(counts.starts)[words + 1] - starts, 0)
        owners = np.repeat(np.arange(len(words)), lengths)
        at = spans(starts, lengths)
        amounts = np.asarray(counts.counts)[at].astype(np.float64)
        totals = np.bincount(owners, amounts, len(words)).astype(np.float64)
        return Entries(owners, np.asarray(counts.contexts)[at], amounts), totals

    def seen(self, entries: Entries, words: int, contexts: Sequence[int]) -> NDArray[np.float64]:
        """Return how often words were seen in contexts, shape (words, contexts)."""
        place = np.full(len(self.space.counts.relations), -1)
        place[contexts] = np.arange(len(contexts))
        columns = place[entries.contexts]
        here = np.flatnonzero(columns >= 0)
        found = np.zeros((words, len(contexts)))
        found[entries.owners[here], columns[here]] = entries.amounts[here]
        return found

    def weights(
        self,
        kind: Weights,
        entries: Entries,
        totals: NDArray[np.float64],
        at: NDArray[np.int64] | slice = slice(None),
    ) -> NDArray[np.float64]:
        """Return the weights of entries, 0 for those that have none.

        Args:
            kind: which weights.
            entries: all entries of some words.
            totals: the words' context tokens.
            at: which entries; all by default.
        """
        chosen = entries.chosen(at)
        of_context = self._sums.of_context[chosen.contexts]
        if kind != "ppmi-relation":
            of_word = np.maximum(totals, 1.0)[chosen.owners]
            return entry_weights(kind, chosen.amounts, of_word, of_context, self._sums.of_all)
        relations = np.asarray(self.space.counts.relations)[entries.contexts].astype(np.int64)
        within = tokens_within(entries.owners, relations, entries.amounts)
        of_relation = self._sums.of_relation[relations[at]]
        return entry_weights(kind, chosen.amounts, within[at], of_context, of_relation)


@dataclass(frozen=True)
class Comparison:
    """A word beside some others, whose counts are looked up once for all measures.

    Attributes:
        rows: the part of speech.
        words: ids of the others, and of the word itself as the last one.
        entries: all their entries.
        totals: their context tokens.
        theirs: which entries are of contexts that the word shares with another, by other.
        mine: for each of these, which entry is the word's own.
    """

    rows: Rows
    words: NDArray[np.int64]
    entries: Entries
    totals: NDArray[np.float64]
    theirs: NDArray[np.int64]
    mine: NDArray[np.int64]

    @classmethod
    def of(cls, rows: Rows, target: int, others: NDArray[np.int64]) -> Comparison:
        """Look the counts up."""
        words = np.append(others, target)
        entries, totals = rows.entries(words)
        own = np.flatnonzero(entries.owners == len(others))
        place = np.full(len(rows.space.counts.relations), -1, np.int64)
        place[entries.contexts[own]] = own
        mine = place[entries.contexts]
        theirs = np.flatnonzero((mine >= 0) & (entries.owners < len(others)))
        return cls(rows, words, entries, totals, theirs, mine[theirs])

    def values(self, formula: Formula) -> NDArray[np.float64]:
        """Return a measure's value with each of the others; NaN where they share nothing."""
        kind = formula.weights
        x, y = (
            self.rows.weights(kind, self.entries, self.totals, at)
            for at in (self.mine, self.theirs)
        )
        both = (x > 0) & (y > 0)
        x, y, theirs = x[both], y[both], self.theirs[both]
        owners, number = self.entries.owners[theirs], len(self.words) - 1
        found = np.bincount(owners, minlength=number) > 0
        total = shared_sums(formula, x, y, owners, number)[found]
        sizes = self._sizes(formula)
        values = np.full(number, np.nan)
        values[found] = formula.value(total, sizes[-1], sizes[:-1][found], formula.constant)
        return values

    def _sizes(self, formula: Formula) -> NDArray[np.float64]:
        none = np.full(len(self.rows.space.words), np.nan)
        kept = self.rows.sizes.setdefault((formula.weights, formula.size), none)
        missing = np.isnan(kept[self.words])
        if missing.any():
            own = self.entries.chosen(missing[self.entries.owners])
            weights = self.rows.weights(formula.weights, own, self.totals)
            # A weight of 0 adds nothing to any size.
            found = np.bincount(own.owners, formula.size(weights), len(self.words))
            kept[self.words[missing]] = found[missing]
        return kept[self.words]

    def tokens(self, at: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the tokens of the contexts that the word shares with each of the others.

        Args:
            at: ``mine`` for those of the word, ``theirs`` for those of the other.
        """
        owners = self.entries.owners[self.theirs]
        tokens = np.bincount(owners, self.entries.amounts[at], len(self.words) - 1)
        return tokens.astype(np.float64)
