"""No frequencies: candidates keep the order their source gives them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexsub.frequency.lists import FormCounts
from lexsub.frequency.registry import FREQUENCIES, Frequencies
from lexsub.resources import Resources


class NoFrequencies:
    """Every word is as frequent as any other."""

    description = "no frequencies: WordNet's own order"

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return nothing: nothing is read."""
        return ()

    def open(self, resources: Resources) -> Frequencies:
        """Return an empty table."""
        return FormCounts({})


FREQUENCIES.register("none")(NoFrequencies())
