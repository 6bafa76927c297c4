"""What is above each synset, as arrays: thousands of synsets are followed upwards at a time."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

ARRAYS = ("keys", "ends", "above")
"""Names of the arrays in the index: rising keys of all synsets, where the entries of each end,
and the entries: numbers (places among the keys) of the synsets right above."""


class Hierarchy:
    """The synsets by what is above them: hypernyms, then those of which they are instances."""

    def __init__(self, keys: bytes, ends: bytes, above: bytes) -> None:
        # In this machine's byte order: an index stays in its cache.
        self._keys, self._ends, self._above = (
            memoryview(numbers).cast("i") for numbers in (keys, ends, above)
        )

    def ancestors(self, keys: Iterable[int], farthest: int) -> dict[int, int]:
        """Return the synsets above any of some, these included, with the fewest steps up to each.

        Args:
            keys: where to start.
            farthest: how many steps to follow.

        Returns:
            Steps by number: synsets have the numbers 0, 1, ... in the order of their keys.
        """
        ends, above = self._ends, self._above
        here: Iterable[int] = [bisect_left(self._keys, key) for key in keys]
        found = dict.fromkeys(here, 0)
        for steps in range(1, farthest + 1):
            # A number that stands twice among them does no harm.
            here = [
                number
                for start in here
                for number in above[ends[start - 1] if start else 0 : ends[start]]
                if number not in found
            ]
            if not here:
                break
            found |= dict.fromkeys(here, steps)
        return found


def pack(above: Mapping[int, Sequence[int]]) -> dict[str, bytes]:
    """Return the arrays of :class:`Hierarchy` by name, for the index.

    Args:
        above: by the key of every synset the keys of those right above.
    """
    keys = sorted(above)
    numbers = {key: number for number, key in enumerate(keys)}
    arrays = (
        keys,
        accumulate(len(above[key]) for key in keys),
        [numbers[other] for key in keys for other in above[key]],
    )
    return {name: array("i", each).tobytes() for name, each in zip(ARRAYS, arrays, strict=True)}
