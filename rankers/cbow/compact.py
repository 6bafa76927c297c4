"""A trained model in little place: the model kind ``compact-cbow``."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from lexsub.files import writing
from lexsub.parts import model_folder
from lexsub.rankers.cbow.model import Scaled, open_cbow, write_cbow
from lexsub.rankers.registry import BUILDERS
from lexsub.resources import Resources


@BUILDERS.register("compact-cbow")
@dataclass(frozen=True)
class CompactCbowBuilder:
    """Takes the most frequent words of a CBOW model, and a byte for each number of their vectors.

    Attributes:
        cbow: model of kind ``cbow``, by its name in ``[models]`` or its folder.
        words: how many words, the most frequent first; 0 for all.
    """

    cbow: str = "cbow"
    words: int = 40_000

    def __post_init__(self) -> None:
        if self.words < 0:
            raise ValueError(f"words is {self.words}; expected 0 or more")

    inputs = model_folder("cbow", "cbow")

    def build(self, resources: Resources, folder: Path) -> None:
        """Write the smaller model into a folder.

        Raises:
            LexsubError: there is no such model, or the disk refuses.
        """
        (source,) = self.inputs(resources)
        model = open_cbow(source)
        size = min(self.words or len(model.words), len(model.words))
        rows = np.arange(size)
        header = model.header.model_copy(
            update={
                "words": size,
                "numbers": "int8",
                "parameters": {**model.header.parameters, "kept": size},
            }
        )
        arrays = (
            Scaled.of(model.outputs[rows]),
            Scaled.of(model.contexts[rows]),
            np.array(model.places),
        )
        with writing(folder):
            write_cbow(folder, header, list(islice(model.words, size)), arrays)
