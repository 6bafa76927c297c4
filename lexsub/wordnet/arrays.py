"""What is asked of thousands of synsets at a time, as arrays of numbers."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexsub.storage.arrays import Lists, changes

Longs = NDArray[np.int64]


class Above(NamedTuple):
    """Synsets above words, sorted by word and number.

    Attributes:
        owner: the word, shape (found,).
        number: the synset's, the same shape.
        steps: up to it, the same shape.
    """

    owner: Longs
    number: Longs
    steps: Longs


class Arrays:
    """Synsets by number: 0, 1, … in the order of their keys.

    Of each it knows the numbers of the synsets right above (hypernyms, then those of which it
    is an instance), and the numbers of the words of its gloss.
    """

    def __init__(self, read: Callable[[str], bytes]) -> None:
        """Take what returns an array that :func:`pack` made, by its name."""
        self._read = read
        # In this machine's byte order: an index stays in its cache.  A single synset is sooner
        # found in a view than in an array.
        self._one = memoryview(read("keys")).cast("i")
        self._line_ends = memoryview(read("line ends")).cast("i")
        self._keys = np.frombuffer(self._one, np.intc)

    @cached_property
    def _above(self) -> Lists:
        return self._lists("above", "above ends")

    @cached_property
    def _glosses(self) -> Lists:
        return self._lists("glosses", "gloss ends")

    def _lists(self, *names: str) -> Lists:
        numbers, ends = (np.frombuffer(self._read(name), np.intc) for name in names)
        return Lists(numbers, np.diff(ends, prepend=0))

    def lines(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return where the lines of the synsets with keys from first to last begin and end."""
        ends = self._line_ends
        places = range(bisect_left(self._one, first), bisect_left(self._one, last + 1))
        return [(ends[place - 1] if place else 0, ends[place]) for place in places]

    def number(self, key: int) -> int:
        """Return the number of the synset with a key."""
        return bisect_left(self._one, key)

    def ancestors(self, keys: Sequence[int], owners: Sequence[int], farthest: int) -> Above:
        """Return the synsets above the senses of some words, with the fewest steps up to each.

        Args:
            keys: of the senses, word by word.
            owners: the number of the word that each is a sense of, rising.
            farthest: steps that are followed.
        """
        number = np.searchsorted(self._keys, np.array(keys, np.int64))
        owner = np.array(owners, np.int64)
        levels = []
        for _ in range(farthest + 1):
            levels.append((owner, number))
            number, owner = self._above.of(number, owner)
            if not len(number):
                break
        steps = np.repeat(np.arange(len(levels)), [len(each) for each, _ in levels])
        owner, number = (np.concatenate(column) for column in zip(*levels, strict=True))
        # Stable, and levels rise: of equal ones the first has the fewest steps.
        order = np.argsort(owner * len(self._keys) + number, kind="stable")
        owner, number, steps = owner[order], number[order], steps[order]
        first = changes(owner * len(self._keys) + number)
        return Above(owner[first], number[first], steps[first])

    def gloss_numbers(self, keys: Sequence[int], owners: Sequence[int]) -> tuple[Longs, Longs]:
        """Return the numbers of the words of some synsets' glosses, and whose each is.

        A word that stands in several glosses of an owner stands there as often.

        Args:
            keys: of the synsets.
            owners: whose each is.
        """
        numbers = np.searchsorted(self._keys, np.array(keys, np.int64))
        return self._glosses.of(numbers, np.array(owners, np.int64))


def pack(
    above: Mapping[int, Sequence[int]],
    glosses: Mapping[int, Sequence[int]],
    lines: Iterable[int] = (),
) -> dict[str, bytes]:
    """Return the arrays of :class:`Arrays` by name.

    Args:
        above: by the key of every synset the keys of those right above.
        glosses: by the same keys the numbers of the words of its gloss.
        lines: bytes of their lines, by rising keys.
    """
    keys = sorted(above)
    numbers = {key: number for number, key in enumerate(keys)}
    arrays: dict[str, Iterable[int]] = {
        "keys": keys,
        "above ends": accumulate(len(above[key]) for key in keys),
        "above": (numbers[other] for key in keys for other in above[key]),
        "gloss ends": accumulate(len(glosses[key]) for key in keys),
        "line ends": accumulate(lines),
        "glosses": (word for key in keys for word in glosses[key]),
    }
    return {name: array("i", each).tobytes() for name, each in arrays.items()}
