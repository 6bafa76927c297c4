"""How alike candidate and target look to a sentence encoder in the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Item
from lexsub.encoder import EXTRAS, Encoder, open_encoder, unit
from lexsub.errors import LexsubError
from lexsub.parts.base import Extractor, Feature, FeatureFamily
from lexsub.parts.limits import Positive
from lexsub.rankers.filling import fill_all
from lexsub.rankings import Candidate
from lexsub.resources import Resources

DECIMALS = 2
"""Cosines are rounded to these: trees are to see the same on processors of all kinds."""


@dataclass(frozen=True)
class ContextFeatures(FeatureFamily):
    """Cosines of a candidate's states in the target's place, in one packed pass of an encoder.

    Candidates take the target's form.  Their states are compared with those of the target in the
    same place, and in the last layer with the mask there, the sentence, and the sentence without
    the target.

    Attributes:
        model: the encoder, a model of kind ``encoder`` in ``[models]``, or its folder.
        layers: how many of its layers have states: the embedding counts as one.
    """

    model: str = "encoder"
    layers: Positive = 4

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        each = [
            Feature(f"target-{layer}", f"cosine with the target, state {layer} of those kept")
            for layer in range(self.layers)
        ]
        return [
            *each,
            Feature("mask", "cosine with the mask in the target's place, last layer"),
            Feature("sentence", "cosine with the mean of the sentence, last layer"),
            Feature("context", "cosine with the mean of the sentence without the target"),
        ]

    reads_models: ClassVar[dict[str, str]] = {"model": "encoder"}
    extras = EXTRAS

    def open(self, resources: Resources) -> ContextExtractor:
        """Open the encoder; see :func:`open_encoder`.

        Raises:
            LexsubError: libraries or files are missing, or the encoder keeps other layers.
        """
        folder = resources.model(self.model, "encoder")
        encoder = open_encoder(folder)
        if (kept := len(encoder.header.kept)) != self.layers:
            raise LexsubError(
                f"{folder}: keeps the states of {kept} layers, and feature family context asks for "
                f"{self.layers}: set its option layers"
            )
        return ContextExtractor(encoder, resources.language)


@dataclass(frozen=True)
class ContextExtractor(Extractor):
    """The working family."""

    encoder: Encoder
    language: str

    def values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Return the features; see :class:`ContextFeatures`."""
        filled = fill_all(item, [c.substitute for c in candidates], language=self.language)
        read = self.encoder.read(item.text, item.start, item.end)
        found = unit(self.encoder.fill(read, [one.word for one in filled]))
        last = read.sentence[-1]
        # The tokens that begin and end every sentence say nothing of this one.
        around = last[1:-1][read.context[1:-1]]
        others = [read.mask[-1], last.mean(axis=0), (around if len(around) else last).mean(axis=0)]
        columns = [
            *np.einsum("lwd,ld->lw", found, unit(read.word)),
            *unit(np.stack(others)) @ found[-1].T,
        ]
        return np.round(np.stack(columns, axis=1), DECIMALS).astype(np.float32)
