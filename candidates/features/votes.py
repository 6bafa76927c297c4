"""What a thesaurus says of target and candidate together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from candidates.thesaurus_file import ThesaurusFile
from candidates.thesaurus_index import ThesaurusIndex, open_index
from lexsub.features import FEATURES, ByTarget, Feature
from lexsub.resources import Resources


@FEATURES.register("votes")
@dataclass(frozen=True)
class VoteFeatures:
    """Entries of a thesaurus that list the candidate, the target, or both.

    Attributes:
        file: the thesaurus, or its name in ``[resources]``.
        format: see candidate source ``thesaurus-file``.
    """

    file: str
    format: Literal["mythes", "moby", "roget", "tsv"]

    code: ClassVar[tuple[str, ...]] = (
        "candidates.features.votes",
        "candidates.thesaurus_file",
        "candidates.thesaurus_formats",
        "candidates.thesaurus_index",
    )

    def features(self) -> Sequence[Feature]:
        """Return the features."""
        return [
            Feature("listed", "whether the target's entry lists it", False),
            Feature("lists", "whether its own entry lists the target", False),
            Feature("common", "ln (1 + entries that list both)"),
            Feature("cosine", "entries that list both, over the root of the product of both"),
            Feature("shared", "Jaccard coefficient of the two entries' lists"),
            Feature("listed-entries", "ln (1 + entries that list it)"),
            Feature("entry", "ln (1 + words in its own entry)", False),
        ]

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the thesaurus."""
        return [ThesaurusFile(self.file, self.format).path(resources)]

    def open(self, resources: Resources) -> ByTarget:
        """Open the thesaurus's index, which is written first where there is none.

        Raises:
            FormatError: it is not of the format; names the line.
        """
        path = ThesaurusFile(self.file, self.format).path(resources)
        return ByTarget(Votes(open_index(path, self.format, resources.cache)))


class Votes:
    """Computes the family's values for a target."""

    def __init__(self, index: ThesaurusIndex) -> None:
        self._index = index

    def __call__(self, lemma: str, pos: str, substitutes: tuple[str, ...]) -> NDArray[np.float32]:
        """Return the features, shape (substitutes, features)."""
        del pos
        target = lemma.lower()
        own, above = self._index.listed(target), self._index.lists(target)
        rows = []
        for text in map(str.lower, substitutes):
            theirs, over = self._index.listed(text), self._index.lists(text)
            both = len(above & over)
            rows.append([
                text in own, target in theirs, np.log1p(both),
                both / max(len(above) * len(over), 1) ** 0.5,
                len(own & theirs) / max(len(own | theirs), 1),
                np.log1p(len(over)), np.log1p(len(theirs)),
            ])  # fmt: skip
        return np.array(rows, np.float32).reshape(len(rows), 7)
