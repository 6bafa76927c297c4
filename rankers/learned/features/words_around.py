"""How well a candidate fits the words around the target: models ``bow`` and ``cbow``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Item
from lexsub.encoder import unit
from lexsub.languages.english.inflection import inflect, tag_of
from lexsub.parts.base import Extractor, Feature, FeatureFamily
from lexsub.parts.checked import KEPT, ByItem
from lexsub.parts.limits import AboveZero
from lexsub.rankers.bow.model import BowModel, open_bow
from lexsub.rankers.cbow.model import Cbow, open_cbow
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.memory import BoundedCache


@dataclass(frozen=True)
class BowFeatures(FeatureFamily):
    """Fit of the sentence's content words, as ranker ``bow`` has it.

    Attributes:
        model: bag-of-words model, by its name in ``[models]`` or its folder.
        mu: weight of the whole text in P(c | w), in context tokens.
    """

    model: str = "bow"
    mu: AboveZero = 30_000.0

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("fit", "Σ log10 P(c | w) / P(c) over the content words, less the target's"),
            Feature("mean", "the same, a content word"),
            Feature("prior", "log10 P(w) of the candidate, less the target's"),
        ]

    reads_models: ClassVar[dict[str, str]] = {"model": "bow"}

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


Floats = NDArray[np.float32]


@dataclass(frozen=True)
class CbowFeatures(FeatureFamily):
    """Candidate, target and slot in the vectors of a model of kind ``cbow``.

    The slot's vector is what a word's output vector was trained to be near.  Candidates take
    the form of the target; multiwords go where their words go together.

    Attributes:
        model: CBOW model, by its name in ``[models]`` or its folder.
    """

    model: str = "cbow"

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("fit", "product with the slot's vector"),
            Feature("gain", "the same, less the target's"),
            Feature("cosine", "cosine with the slot's vector"),
            Feature("target", "cosine of the forms of candidate and target"),
            Feature("lemma", "cosine of candidate and target"),
            Feature("context", "cosine of the two forms where they predict other words"),
            Feature("both", "mean of lemma and cosine"),
            Feature("both-gain", "sum of lemma and cosine, less the target's cosine"),
        ]

    reads_models: ClassVar[dict[str, str]] = {"model": "cbow"}

    def open(self, resources: Resources) -> CbowExtractor:
        """Open the model."""
        return CbowExtractor(open_cbow(resources.model(self.model, "cbow")))


@dataclass(frozen=True)
class CbowExtractor(Extractor):
    """The working family; it keeps what does not depend on the sentence."""

    model: Cbow
    _kept: BoundedCache[tuple[str, ...], tuple[Floats, Floats]] = field(
        default_factory=lambda: BoundedCache(KEPT)
    )

    def values(self, item: Item, candidates: Sequence[Candidate]) -> Floats:
        """Return the features; see :class:`CbowFeatures`."""
        texts = [candidate.substitute for candidate in candidates]
        tag = tag_of(item)
        forms = (*(inflect(text, item.pos, tag) for text in texts), item.target)
        key = (*texts, item.lemma, "", *forms)
        own, known = self._kept.once(key, lambda: self._compared([*texts, item.lemma], forms))
        result = np.full((len(forms), 8), np.nan, np.float32)
        result[:, 3:6] = known
        slot = self.model.expected(item.text[: item.start], item.text[item.end :])
        if slot is not None:
            fit = own @ slot
            cosine = unit(own) @ unit(slot)
            lemma = known[:, 1]
            result[:, :3] = np.stack([fit, fit - fit[-1], cosine], axis=1)
            result[:, 6:] = np.stack([(lemma + cosine) / 2, lemma + cosine - cosine[-1]], axis=1)
        return result[:-1]

    def _compared(self, lemmas: Sequence[str], forms: Sequence[str]) -> tuple[Floats, Floats]:
        """Return outputs of forms, and the cosines of forms, lemmas and contexts with the last."""
        model = self.model
        of_forms, of_lemmas = model.all_rows(forms), model.all_rows(lemmas)
        own = model.mean(model.outputs, of_forms)
        sides = (own, model.mean(model.outputs, of_lemmas), model.mean(model.contexts, of_forms))
        units = map(unit, sides)
        return own, np.stack([one @ one[-1] for one in units], axis=1)
