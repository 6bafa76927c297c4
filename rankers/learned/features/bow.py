"""How well a candidate fits the content words of the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from lexsub.items import Item
from lexsub.parts.build import model_folder
from lexsub.parts.features import ByItem, Feature
from lexsub.rankers.bow.model import BowModel, open_bow
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class BowFeatures:
    """Fit of the sentence's content words, as ranker ``bow`` has it.

    Attributes:
        model: bag-of-words model, by its name in ``[models]`` or its folder.
        mu: weight of the whole text in P(c | w), in context tokens.
    """

    model: str = "bow"
    mu: float = 30_000.0

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("fit", "Σ log10 P(c | w) / P(c) over the content words, less the target's"),
            Feature("mean", "the same, a content word"),
            Feature("prior", "log10 P(w) of the candidate, less the target's"),
        ]

    inputs = model_folder("model", "bow")

    def open(self, resources: Resources) -> ByItem:
        """Open the model."""
        return ByItem(partial(self._values, open_bow(resources.model(self.model, "bow"))))

    def _values(
        self, model: BowModel, item: Item, candidates: Sequence[Candidate]
    ) -> NDArray[np.float32]:
        context = model.context(item.text[: item.start], item.text[item.end :])
        words = [f"{text}.{item.pos}" for text in (*(c.substitute for c in candidates), item.lemma)]
        fit = model.fit(words, context, self.mu)
        prior = np.array([model.log_prior(word) for word in words])
        columns = [fit - fit[-1], fit / max(len(context), 1), prior - prior[-1]]
        return np.stack(columns, axis=1)[:-1].astype(np.float32)
