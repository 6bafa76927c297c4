"""How common a candidate is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.frequency import FREQUENCIES
from lexsub.parts.features import ByTarget, Feature
from lexsub.resources import Resources


@dataclass(frozen=True)
class FrequencyFeatures:
    """Log frequencies of the candidate and their ratio to the target's.

    Attributes:
        lists: frequency lists to look in; a multiword that a list does not have counts as
            its rarest word.
    """

    lists: tuple[str, ...] = ("bnc-lemmas", "ukwac", "semcor")

    def __post_init__(self) -> None:
        for name in self.lists:
            FREQUENCIES[name]

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        named = []
        for name in self.lists:
            named += [
                Feature(name, f"ln (1 + frequency) in {name}"),
                Feature(f"{name}-ratio", f"the same, less the target's, in {name}", False),
            ]
        return named

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the lists' files."""
        return [path for name in self.lists for path in FREQUENCIES[name].inputs(resources)]

    def open(self, resources: Resources) -> ByTarget:
        """Read the lists."""
        opened = [FREQUENCIES[name].open(resources) for name in self.lists]

        def compute(lemma: str, pos: str, substitutes: tuple[str, ...]) -> NDArray[np.float32]:
            columns = []
            for one in opened:
                raw = [_of(one.frequency, text, pos) for text in (*substitutes, lemma)]
                logs = np.log1p(np.array(raw))
                columns += [logs, logs - logs[-1]]
            return np.stack(columns, axis=1)[:-1].astype(np.float32)

        return ByTarget(compute)


def _of(frequency: Callable[[str, str], float], text: str, pos: str) -> float:
    found = float(frequency(text, pos))
    if found or " " not in text:
        return found
    return min(float(frequency(word, pos)) for word in text.split(" ") if word)
