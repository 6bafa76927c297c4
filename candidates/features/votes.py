"""What a thesaurus says of target and candidate together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.thesaurus_file import ThesaurusFile
from lexsub.candidates.thesaurus_index import Numbered, ThesaurusIndex, open_index
from lexsub.features import FEATURES, ByTarget, Feature
from lexsub.keeping import Kept
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
        self._found: dict[str, Numbered] = Kept(3_000)

    def __call__(self, lemma: str, pos: str, substitutes: tuple[str, ...]) -> NDArray[np.float32]:
        """Return the features, shape (substitutes, features)."""
        del pos
        if not substitutes:
            return np.zeros((0, 7), np.float32)
        words = [text.lower() for text in (*substitutes, lemma)]
        new = sorted(set(words) - self._found.keys())
        asked = dict(zip(new, self._index.all_numbered(new), strict=True))
        found = [asked[word] if word in asked else self._found[word] for word in words]
        for word, one in asked.items():
            self._found[word] = one
        numbers = np.array([one.number for one in found])
        own = _Beside.of([one.listed for one in found], self._index.size)
        above = _Beside.of([one.lists for one in found], self._index.size)
        columns = [
            own.last(numbers[:-1]), own.hold(numbers[-1]), np.log1p(above.both),
            above.both / np.sqrt(np.maximum(above.sizes[-1] * above.sizes[:-1], 1)),
            own.both / np.maximum(own.sizes[-1] + own.sizes[:-1] - own.both, 1),
            np.log1p(above.sizes[:-1]), np.log1p(own.sizes[:-1]),
        ]  # fmt: skip
        return np.stack(columns, axis=1).astype(np.float32)


@dataclass(frozen=True)
class _Beside:
    """Sets of numbers, each beside the last one.

    Attributes:
        sizes: of each set, the last one's included.
        both: how many each has in common with the last, shape (sets - 1,).
    """

    sizes: NDArray[np.int64]
    both: NDArray[np.int64]
    _inside: NDArray[np.bool_]
    _numbers: NDArray[np.int32]
    _owners: NDArray[np.int64]

    @classmethod
    def of(cls, sets: Sequence[NDArray[np.int32]], top: int) -> _Beside:
        """Compare sets of numbers below ``top``."""
        inside = np.zeros(top + 1, bool)  # the last place is that of -1, which none holds
        inside[sets[-1]] = True
        sizes = np.array([len(one) for one in sets], np.int64)
        numbers = np.concatenate(sets[:-1])
        owners = np.repeat(np.arange(len(sets) - 1), sizes[:-1])
        both = np.bincount(owners[inside[numbers]], minlength=len(sets) - 1)
        return cls(sizes, both, inside, numbers, owners)

    def last(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether the last set holds each of some numbers."""
        return self._inside[numbers]

    def hold(self, number: int) -> NDArray[np.bool_]:
        """Return whether each set but the last holds a number."""
        found = self._owners[self._numbers == number]
        return np.bincount(found, minlength=len(self.both)) > 0
