"""How well a candidate fits between its neighbours, by an n-gram model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import MinLen
from numpy.typing import NDArray

from lexsub.datasets import Item
from lexsub.parts.base import Extractor, Feature, FeatureFamily
from lexsub.parts.checked import KEPT
from lexsub.parts.limits import Positive
from lexsub.rankers.lm.header import LanguageModel, Window
from lexsub.rankers.lm.model import open_model
from lexsub.rankers.lm.ranker import Slot, all_slot_scores, fill_slot, slot_scores
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.memory import BoundedCache

SIDES = {"left": (True, False), "right": (False, True), "both": (True, True)}


@dataclass(frozen=True)
class LmFeatures(FeatureFamily):
    """Log probabilities of windows around the slot, less those of the target itself.

    Attributes:
        model: language model, by its name in ``[models]`` or its folder.
        reaches: how many tokens the windows hold on a side; windows of 1 see bigrams only.
            Windows of one side alone have the greatest.
    """

    model: str = "lm"
    reaches: Annotated[tuple[Positive, ...], MinLen(1)] = (1, 2, 4)

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        named = [
            Feature(
                f"{side}-{reach}",
                f"log10 P of the window of {reach} tokens ({side}) with the candidate, less that "
                "with the target",
            )
            for side, reach in self._windows()
        ]
        return [
            *named,
            Feature("alone", "log10 P of the candidate without context, less the target's"),
            Feature("per-token", "the widest window on both sides, a token of the candidate"),
            Feature("gain", "the widest window on both sides, less the candidate's own log10 P"),
            Feature("cohesion", "log10 P of a candidate's tokens together, less each by itself"),
            Feature("unknown", "tokens of the candidate that the model does not know", False),
            Feature("target", "log10 P a token of the target in the widest window", False),
        ]

    def _windows(self) -> list[tuple[str, int]]:
        widest = max(self.reaches)
        return [("left", widest), ("right", widest), *(("both", reach) for reach in self.reaches)]

    reads_models: ClassVar[dict[str, str]] = {"model": "lm"}
    inflected = True

    def open(self, resources: Resources) -> LmExtractor:
        """Open the model."""
        model = open_model(resources.model(self.model, "lm"))
        return LmExtractor(model, self._windows(), max(self.reaches))


@dataclass(frozen=True)
class LmExtractor(Extractor):
    """The working family."""

    model: LanguageModel
    windows: Sequence[tuple[str, int]]
    widest: int
    _kept: BoundedCache[tuple[tuple[str, ...], bool], tuple[NDArray[np.float64], ...]] = field(
        default_factory=lambda: BoundedCache(KEPT)
    )

    def values(self, item: Item, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Return the features; see :class:`LmFeatures`."""
        # The target goes along as the last candidate, so that all can be compared with it.
        asked = [*candidates, Candidate(item.lemma)]
        slots = []
        for side, reach in self.windows:
            back, ahead = (reach if used else 0 for used in SIDES[side])
            slots.append(fill_slot(item, asked, self.model.header, back=back, ahead=ahead))
        columns = all_slot_scores(self.model, slots)
        both = columns[self.windows.index(("both", self.widest))]
        alone, lengths, single, unknown = self._context_free(item, asked)
        columns = [column - column[-1] for column in [*columns, alone]]
        columns += [both / lengths, both - alone, alone - single, unknown]
        columns.append(np.full(len(asked), both[-1] / lengths[-1]))
        return np.stack(columns, axis=1)[:-1].astype(np.float32)

    def reasons(self, item: Item, candidates: Sequence[Candidate]) -> list[list[str]]:
        """Return beside which neighbour each candidate is likelier than the target itself."""
        values = self.values(item, candidates)
        before, behind = (
            self.model.header.tokenise(text)
            for text in (item.text[: item.start], item.text[item.end :])
        )
        beside = [
            f"fits after *{before[-1]}*" if before else "fits at the beginning",
            f"fits before *{behind[0]}*" if behind else "fits at the end",
        ]
        columns = [self.windows.index((side, self.widest)) for side in ("left", "right")]
        return [
            [text for text, column in zip(beside, columns, strict=True) if row[column] > 0]
            for row in values
        ]

    def _context_free(
        self, item: Item, asked: Sequence[Candidate]
    ) -> tuple[NDArray[np.float64], ...]:
        """Return log10 P without context, tokens, log10 P of each by itself, unknown tokens."""
        slot = fill_slot(item, asked, self.model.header, back=0, ahead=0)
        # The sentences of a target mostly ask for the same forms.
        key = (tuple(slot.forms), slot.bos)
        return self._kept.once(key, lambda: self._without_context(slot))

    def _without_context(self, slot: Slot) -> tuple[NDArray[np.float64], ...]:
        alone = slot_scores(self.model, slot)
        tokens = [text.split(" ") for text in slot.texts]
        several = sorted({token for found in tokens if len(found) > 1 for token in found})
        logs = self.model.log10([Window(token) for token in several]).tolist()
        of = dict(zip(several, logs, strict=True))
        single = [
            sum(map(of.__getitem__, found)) if len(found) > 1 else value
            for found, value in zip(tokens, alone.tolist(), strict=True)
        ]
        unknown = [sum(not self.model.knows(token) for token in found) for found in tokens]
        return alone, slot.lengths.astype(float), np.array(single), np.array(unknown, dtype=float)
