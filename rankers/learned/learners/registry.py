"""What a learner must offer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lexsub.registry import Registry


@dataclass(frozen=True)
class Examples:
    """What is learned from: candidates of items, item after item.

    Attributes:
        values: shape (candidates, columns).
        shares: each candidate's share of the item's human answers, 0..1.
        sizes: number of candidates of each item.
        names: of the columns.
    """

    values: NDArray[np.float32]
    shares: NDArray[np.float64]
    sizes: NDArray[np.int64]
    names: Sequence[str]


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


class Learner(Protocol):
    """A registered learner: a frozen dataclass whose fields are its options."""

    def fit(self, examples: Examples, seed: int, threads: int) -> Learnt:
        """Learn; the same examples and seed give the same model, whatever ``threads``."""
        ...

    def load(self, path: Path) -> Learnt:
        """Read a model that :meth:`Learnt.save` wrote.

        Raises:
            FormatError: it is not one.
        """
        ...


LEARNERS: Registry[type[Learner]] = Registry(
    "learner",
    {
        "rankers.learned.learners.histogram": "histogram",
        "rankers.learned.learners.lambdarank": "lambdarank",
    },
)
