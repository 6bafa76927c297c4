"""Features of a split's candidates, several families in one go."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset, Item
from lexsub.parallel import in_blocks
from lexsub.parts.base import Extractor, FeatureFamily
from lexsub.parts.checked import checked_values
from lexsub.rankers.learned.matrix import write_values
from lexsub.rankings import Candidate, Pools, with_pools
from lexsub.resources import Resources

AT_ONCE = 1 << 27
"""Values that are held before they are written: half a gigabyte."""


def make(
    draft: Path, family: FeatureFamily, data: Dataset, values: list[NDArray[np.float32]]
) -> None:
    """Write a family's features of all items."""
    write_values(draft, family, data.items, values)


def fitting_in_memory(families: Sequence[FeatureFamily], pools: Pools) -> Sequence[FeatureFamily]:
    """Return the first of some families whose values may be held at once, one at least."""
    rows = sum(map(len, pools.values()))
    sizes = accumulate(rows * len(family.features()) for family in families)
    return families[: max(sum(size <= AT_ONCE for size in sizes), 1)]


@dataclass(frozen=True)
class Described:
    """The features of one family.

    Attributes:
        values: of every item's candidates, in item order, each of shape (candidates, features).
        seconds: wall time of a worker, on average.
    """

    values: list[NDArray[np.float32]]
    seconds: float


def describe(
    families: Sequence[FeatureFamily], resources: Resources, data: Dataset, pools: Pools
) -> list[Described]:
    """Compute the features of several families in one go: candidates travel to workers once."""

    def block(entries: Iterable[tuple[Item, Sequence[Candidate]]]) -> list[list[Described]]:
        parts: list[Extractor] = []
        values: list[list[NDArray[np.float32]]] = [[] for _ in families]
        seconds: list[float] = []
        for family in families:
            begin = time.perf_counter()
            parts.append(family.open(resources))
            seconds.append(time.perf_counter() - begin)
        for _, group in groupby(entries, key=lambda entry: entry[0].lexelt):
            of_target = list(group)
            for place, family in enumerate(families):
                begin = time.perf_counter()
                values[place] += _values(family, parts[place], of_target)
                seconds[place] += time.perf_counter() - begin
        return [list(map(Described, values, seconds))]

    blocks = in_blocks(block, with_pools(data.items, pools), resources, "features")
    return [
        Described(
            [array for one in of_family for array in one.values],
            sum(one.seconds for one in of_family) / len(of_family),
        )
        for of_family in zip(*blocks, strict=True)
    ]


def _values(
    family: FeatureFamily, extractor: Extractor, entries: Sequence[tuple[Item, Sequence[Candidate]]]
) -> list[NDArray[np.float32]]:
    extractor.prepare([item for item, _ in entries])
    width = len(family.features())
    return [
        checked_values(extractor.values(item, pool), width, family, item, len(pool))
        for item, pool in entries
    ]
