"""Learners, a file each, and what each must offer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lexsub.parts.base import Part, registry_of
from lexsub.parts.registry import Registry


@dataclass(frozen=True)
class Examples:
    """What is learned from: candidates of items, item after item.

    Attributes:
        values: shape (candidates, columns).
        shares: each candidate's share of the item's human answers, 0..1.
        sizes: number of candidates of each item.
        names: of the columns.
        weights: of each item; None where all weigh the same.
    """

    values: NDArray[np.float32]
    shares: NDArray[np.float64]
    sizes: NDArray[np.int64]
    names: Sequence[str]
    weights: NDArray[np.float64] | None = None

    def row_weights(self) -> NDArray[np.float64] | None:
        """Return the weight of each candidate: its item's."""
        return None if self.weights is None else np.repeat(self.weights, self.sizes)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places of the candidates of some items, given by rising numbers."""
        return np.flatnonzero(np.repeat(np.isin(np.arange(len(self.sizes)), items), self.sizes))


class Learnt(Protocol):
    """A trained model."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return scores, shape (candidates,); the higher the better within an item."""
        ...

    def gains(self, columns: int) -> NDArray[np.float64]:
        """Return how much the model gained by each of so many columns while it learned."""
        ...

    def save(self, path: Path) -> None:
        """Write the model, in a form that can run no code when it is read."""
        ...


class Learner(Part, ABC):
    """A registered learner: a frozen dataclass whose fields are its options."""

    models: int
    """Models whose scores are averaged, each from a seed of its own."""

    @abstractmethod
    def prepare(self, examples: Examples) -> Any:
        """Return what all models of all folds share; every process does this once.

        Only what needs no answer may come from items that a fold must not see.
        """

    @abstractmethod
    def fit(self, shared: Any, items: NDArray[np.int64], seed: int) -> Learnt:
        """Learn one model on one thread: the same examples and seed give the same.

        Args:
            shared: what :meth:`prepare` returned.
            items: numbers of the items to learn from, rising.
            seed: of everything random.
        """

    @abstractmethod
    def join(self, models: Sequence[Learnt]) -> Learnt:
        """Make one of several models, whose scores are averaged."""

    @abstractmethod
    def load(self, path: Path) -> Learnt:
        """Read a model that :meth:`Learnt.save` wrote.

        Raises:
            FormatError: it is not one.
        """


LEARNERS: Registry[type[Learner]] = registry_of("learner", Learner, "learn.md")
