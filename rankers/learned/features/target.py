"""What all candidates of an item share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexsub.items import PARTS_OF_SPEECH
from lexsub.parts.build import no_files
from lexsub.parts.features import ByTarget, Feature
from lexsub.resources import Resources


@dataclass(frozen=True)
class TargetFeatures:
    """Part of speech of the target and number of candidates."""

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        named = [Feature(name, f"whether the target is {name}", False)
                 for name in PARTS_OF_SPEECH.values()]  # fmt: skip
        return [*named, Feature("candidates", "ln of the number of candidates", False)]

    inputs = no_files

    def open(self, resources: Resources) -> ByTarget:
        """Return the working family."""
        return ByTarget(_compute)


def _compute(lemma: str, pos: str, substitutes: tuple[str, ...]) -> NDArray[np.float32]:
    del lemma
    row = [float(pos == one) for one in PARTS_OF_SPEECH] + [float(np.log1p(len(substitutes)))]
    return np.tile(np.array(row, dtype=np.float32), (len(substitutes), 1))
