"""A ranker for each register, weighted by how well the sentence fits the register."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from lexsub.datasets import Dataset
from lexsub.errors import LexsubError
from lexsub.items import Item
from lexsub.parts.base import RANKERS, Explained, Ranker, Scorer
from lexsub.parts.build import build_part
from lexsub.rankers.explained import ExplainedScorer
from lexsub.rankers.registers.model import RegisterModel, open_registers
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class RegisterRanker:
    """Order candidates by log10 Σ_r P(r | sentence) 10^score_r, a mixture over registers r.

    The scores of each register's ranker are log10 probabilities (``lm``, ``bow``, ``cmlc``,
    ``ku``), made with models of text of that register.

    Attributes:
        rankers: register to its ranker, a name or a table.
        model: the register model, by its name in ``[models]`` or its folder.
        weights: ``posterior`` weighs registers by the classifier of distinguishing words on
            the sentence; ``equal`` is the same mixture without looking at it.
    """

    rankers: dict[str, str | dict[str, Any]]
    model: str = "registers"
    weights: Literal["posterior", "equal"] = "posterior"

    needs_gold: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if any(part.needs_gold for part in self.parts().values()):
            raise ValueError("rankers: one looks at the gold; expected models of registers")

    def parts(self) -> dict[str, Ranker]:
        """Return the ranker of each register.

        Raises:
            ConfigError: one of them is not as declared.
        """
        return {
            register: build_part(RANKERS, table, f"rankers.{register}")
            for register, table in self.rankers.items()
        }

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the models of the registers and of their rankers."""
        paths = [path for part in self.parts().values() for path in part.inputs(resources)]
        return [resources.model(self.model, "registers"), *paths]

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Open all models.

        Raises:
            LexsubError: a model is missing or damaged, or knows other registers.
        """
        registers = open_registers(resources.model(self.model, "registers"))
        if set(registers.registers) != set(self.rankers):
            raise LexsubError(
                f"ranker registers has rankers for {', '.join(sorted(self.rankers))}; model "
                f"{self.model!r} knows {', '.join(sorted(registers.registers))}"
            )
        parts = self.parts()
        scorers = [parts[name].open(resources, data) for name in registers.registers]
        return ExplainedScorer(partial(self._explained, registers, scorers))

    def _explained(
        self,
        registers: RegisterModel,
        scorers: Sequence[Scorer],
        item: Item,
        candidates: Sequence[Candidate],
    ) -> Explained:
        """Return the mixture, and the weight of each register and its ranker's score."""
        names = registers.registers
        equal = np.full(len(names), 1 / len(names))
        weights = registers.posterior(item.text) if self.weights == "posterior" else equal
        own = np.array([scorer.scores(item, candidates) for scorer in scorers], np.float64)
        parts: dict[str, Sequence[float]] = {}
        for name, weight, scores in zip(names, weights.tolist(), own.tolist(), strict=True):
            parts |= {f"P({name})": [weight] * len(candidates), name: scores}
        if not candidates:
            return [], parts
        # Registers that are out of the question must not take part, however good their score.
        with np.errstate(divide="ignore"):
            shares = own + np.log10(weights)[:, None]
        top = shares.max(axis=0)
        return (top + np.log10((10.0 ** (shares - top)).sum(axis=0))).tolist(), parts
