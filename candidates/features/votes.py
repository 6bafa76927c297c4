"""What a thesaurus says of target and candidate together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.thesaurus_file import ThesaurusFile
from lexsub.candidates.thesaurus_index import Numbered, ThesaurusIndex, open_index
from lexsub.parts.features import ByTarget, Feature
from lexsub.resources import Resources
from lexsub.storage.memory import BoundedCache


@dataclass(frozen=True)
class VoteFeatures:
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
        return [ThesaurusFile(self.file, self.format).path(resources)]

    def open(self, resources: Resources) -> ByTarget:
        """Open the thesaurus's index, which is written first where there is none.

        Raises:
            FormatError: it is not of the format; names the line.
        """
        path = ThesaurusFile(self.file, self.format).path(resources)
        return ByTarget(Votes(open_index(path, self.format, resources.cache)))


class Votes:
    """Computes the family's values for a target; it keeps what it has looked up of each word."""

    def __init__(self, index: ThesaurusIndex) -> None:
        self._index = index
        self._found: dict[str, Numbered] = BoundedCache(8_000)

    def __call__(self, lemma: str, pos: str, substitutes: tuple[str, ...]) -> NDArray[np.float32]:
        """Return the features, shape (substitutes, features)."""
        if not substitutes:
            return np.zeros((0, 7), np.float32)
        words = [text.lower() for text in (*substitutes, lemma)]
        new = sorted(set(words) - self._found.keys())
        asked = dict(zip(new, self._index.all_numbered(new), strict=True))
        found = [asked[word] if word in asked else self._found[word] for word in words]
        for word, one in asked.items():
            self._found[word] = one
        *others, target = found
        own = _beside_last([one.listed for one in found], self._index.size)
        above = _beside_last([one.lists for one in found], self._index.size)
        columns = [
            np.isin([one.number for one in others], target.listed),
            [target.number in one.listed for one in others],
            np.log1p(above.both),
            above.both / np.sqrt(np.maximum(above.sizes[-1] * above.sizes[:-1], 1)),
            own.both / np.maximum(own.sizes[-1] + own.sizes[:-1] - own.both, 1),
            np.log1p(above.sizes[:-1]),
            np.log1p(own.sizes[:-1]),
        ]
        return np.stack(columns, axis=1).astype(np.float32)


class _Beside(NamedTuple):
    """The sizes of sets, and how many members each but the last has in common with the last."""

    sizes: NDArray[np.int64]
    both: NDArray[np.int64]


def _beside_last(sets: Sequence[NDArray[np.int32]], top: int) -> _Beside:
    """Compare sets of numbers below ``top`` with the last of them."""
    inside = np.zeros(top, bool)
    inside[sets[-1]] = True
    both = [np.count_nonzero(inside[one]) for one in sets[:-1]]
    return _Beside(np.array(list(map(len, sets)), np.int64), np.array(both, np.int64))
