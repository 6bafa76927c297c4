"""Rank candidates by the content words around the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset
from lexsub.errors import LexsubError
from lexsub.items import Item
from lexsub.parts.base import Explained, Ranker
from lexsub.rankers.bow.model import BowModel, open_bow
from lexsub.rankers.explained import ExplainedScorer
from lexsub.rankings import Candidate
from lexsub.resources import Resources

MultiwordRule = Literal["own", "mean"]


@dataclass(frozen=True)
class BowRanker(Ranker):
    """Order candidates by how well the words of the sentence fit them.

    score(w) = Σ log10 P(c | w) / P(c) + λ log10 P(w) over the content words c around the
    target, with multinomials smoothed towards the text as a whole (Jabbari, Allison and
    Guthrie, 2008; Jabbari, Hepple and Guthrie, 2010; reconstructed).

    Attributes:
        model: name of a model in the config's ``[models]``, or a model's folder.
        mu: weight of the whole text in P(c | w), in context tokens.
        prior_weight: λ; 1 is the joint probability, 0 leaves the prior out.  The default
            makes up for the words of a sentence not being independent; it was tuned on the
            trial sentences.
        multiword: ``own``: multiwords have their own counts; ``mean``: they get the mean fit
            of the item's single words.
    """

    model: str = "bow"
    mu: float = 30_000.0
    prior_weight: float = 2.0
    multiword: MultiwordRule = "own"

    needs_gold: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.mu <= 0:
            raise ValueError(f"mu is {self.mu}; expected more than 0")

    reads_models: ClassVar[dict[str, str]] = {"model": "bow"}

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Open the model.

        Raises:
            LexsubError: there is none, it is damaged, or of another language than the data.
        """
        return ExplainedScorer(
            partial(self._explained, open_model_for(resources, self.model, data))
        )

    def _explained(self, model: BowModel, item: Item, candidates: Sequence[Candidate]) -> Explained:
        fit = context_fit(model, item, candidates, self.mu, self.multiword).tolist()
        prior = [model.log_prior(f"{c.substitute}.{item.pos}") for c in candidates]
        scores = [one + self.prior_weight * two for one, two in zip(fit, prior, strict=True)]
        return scores, {"context": fit, "prior": prior}


def open_model_for(resources: Resources, name: str, data: Dataset) -> BowModel:
    """Open a bag-of-words model for some data; see :class:`BowRanker`."""
    model = open_bow(resources.model(name, "bow"))
    if model.header.language != data.language:
        raise LexsubError(
            f"{data.name} is in language {data.language!r}, the bag-of-words model in "
            f"{model.header.language!r}: train one on text of the right language"
        )
    return model


def context_fit(
    model: BowModel, item: Item, candidates: Sequence[Candidate], mu: float, rule: MultiwordRule
) -> NDArray[np.float64]:
    """Return Σ log10 P(c | w) / P(c) for each candidate."""
    context = model.context(item.text[: item.start], item.text[item.end :])
    fit = model.fit([f"{c.substitute}.{item.pos}" for c in candidates], context, mu)
    if rule == "mean":
        multiword = np.array([c.is_multiword for c in candidates], dtype=bool)
        if multiword.any() and not multiword.all():
            fit[multiword] = fit[~multiword].mean()
    return fit
