"""How well a candidate fits the grammatical slots of the target, by vectors of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.distributional.parsed import check_parser, load_parser
from lexsub.candidates.features.selection import Parsing
from lexsub.candidates.vectors.slots import Slots, open_slots
from lexsub.items import Item
from lexsub.parts.base import Extractor, Feature, FeatureFamily
from lexsub.rankings import Candidate
from lexsub.resources import Resources


@dataclass(frozen=True)
class SlotFeatures(FeatureFamily):
    """Products and cosines of a candidate's vector and those of the target's slots.

    Attributes:
        model: model of kind ``slots``, by its name in ``[models]`` or its folder.
        parser: spaCy model that parses the sentences.
    """

    model: str = "slots"
    parser: str = "en_core_web_sm"

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("sum", "sum of the products with the target's slots"),
            Feature("mean", "their mean"),
            Feature("best", "the greatest"),
            Feature("gain", "the sum, less that of the target"),
            Feature("cosine", "mean cosine with the target's slots"),
            Feature("target", "cosine with the target"),
            Feature("both", "sum of these two"),
        ]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the model."""
        check_parser(self.parser, resources)
        return [resources.model(self.model, "slots")]

    def open(self, resources: Resources) -> SlotExtractor:
        """Open model and parser."""
        model = open_slots(*self.inputs(resources))
        return SlotExtractor(load_parser(self.parser), model=model)


@dataclass(kw_only=True)
class SlotExtractor(Parsing, Extractor):
    """The working family."""

    model: Slots

    def values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Return the features; see :class:`SlotFeatures`."""
        relations = self.relations(item)
        texts = [*(candidate.substitute for candidate in candidates), item.lemma]
        words, slots = self.model.words_of(texts, item.pos), self.model.slots_of(relations)
        units = _unit(words)
        result = np.full((len(texts), 7), np.nan, np.float32)
        result[:, 5] = result[:, 6] = units @ units[-1]
        if len(slots):
            products, cosine = words @ slots.T, (units @ _unit(slots).T).mean(axis=1)
            total = products.sum(axis=1)
            result[:, :5] = np.stack(
                [total, products.mean(axis=1), products.max(axis=1), total - total[-1], cosine],
                axis=1,
            )
            result[:, 6] += cosine
        return result[:-1]


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    scaled: NDArray[np.float32] = vectors / np.maximum(
        np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9
    )
    return scaled
