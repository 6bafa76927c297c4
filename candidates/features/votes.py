"""What a thesaurus says of target and candidate together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.thesaurus_file import place_of
from lexsub.candidates.thesaurus_index import Longs, ThesaurusIndex, open_index
from lexsub.parts.base import Feature, FeatureFamily
from lexsub.parts.checked import ByTarget
from lexsub.resources import Resources


@dataclass(frozen=True)
class VoteFeatures(FeatureFamily):
    """Entries of a thesaurus that list the candidate, the target, or both.

    Attributes:
        file: the thesaurus, or its name in ``[resources]``.
        format: see candidate source ``thesaurus-file``.
    """

    file: str
    format: Literal["mythes", "moby", "roget", "tsv"]

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
        return [place_of(self.file, resources)]

    def open(self, resources: Resources) -> ByTarget:
        """Open the thesaurus's index, which is written first where there is none.

        Raises:
            FormatError: it is not of the format; names the line.
        """
        path = place_of(self.file, resources)
        return ByTarget(Votes(open_index(path, self.format, resources.cache)))


@dataclass(frozen=True)
class Votes:
    """Computes the family's values for a target."""

    index: ThesaurusIndex

    def __call__(self, lemma: str, pos: str, substitutes: tuple[str, ...]) -> NDArray[np.float32]:
        """Return the features, shape (substitutes, features)."""
        if not substitutes:
            return np.zeros((0, 7), np.float32)
        index = self.index
        numbers = index.numbers([text.lower() for text in (*substitutes, lemma)])
        listed, listed_of = index.listed(numbers)
        above, above_of = index.listing(numbers)
        own, own_both, inside = _beside_last(listed, listed_of, index.size, len(numbers))
        lists, both, _ = _beside_last(above, above_of, index.size, len(numbers))
        listing = np.bincount(listed_of[listed == numbers[-1]], minlength=len(numbers))
        others = numbers[:-1]
        columns = [
            (others >= 0) & inside[others],
            listing[:-1] > 0,
            np.log1p(both),
            both / np.sqrt(np.maximum(lists[-1] * lists[:-1], 1)),
            own_both / np.maximum(own[-1] + own[:-1] - own_both, 1),
            np.log1p(lists[:-1]),
            np.log1p(own[:-1]),
        ]
        return np.stack(columns, axis=1).astype(np.float32)


def _beside_last(
    members: Longs, sets: Longs, top: int, size: int
) -> tuple[Longs, Longs, NDArray[np.bool_]]:
    """Compare sets of numbers with the last of them.

    Args:
        members: numbers below ``top``, set by set.
        sets: the set of each.
        top: more than any member.
        size: number of sets.

    Returns:
        The sizes of the sets, how many members each but the last has in common with the last, and
        of each number whether the last set has it.
    """
    inside = np.zeros(top, bool)
    inside[members[sets == size - 1]] = True
    both = np.bincount(sets[inside[members]], minlength=size)[:-1]
    return np.bincount(sets, minlength=size), both, inside
