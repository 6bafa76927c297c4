"""What is asked of thousands of synsets at a time, as arrays of numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexsub.storage.arrays import changes

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


class Lists:
    """Lists of numbers, one behind the other."""

    def __init__(self, numbers: NDArray[np.intc], ends: NDArray[np.intc]) -> None:
        self._numbers = numbers
        self._starts = np.concatenate([np.zeros(1, np.intc), ends])

    def of(self, places: Longs, owners: Longs) -> tuple[Longs, Longs]:
        """Return the numbers in some lists, and for each the owner of its list."""
        starts = self._starts[places]
        sizes = self._starts[places + 1] - starts
        first = np.cumsum(sizes) - sizes
        at = np.arange(int(sizes.sum())) + np.repeat(starts - first, sizes)
        return self._numbers[at].astype(np.int64), np.repeat(owners, sizes)


class Arrays:
    """Synsets by number: 0, 1, … in the order of their keys.

    Of each it knows the numbers of the synsets right above (hypernyms, then those of which it
    is an instance), and the numbers of the words of its gloss.
    """

    def __init__(self, packed: Mapping[str, bytes]) -> None:
        """Take the arrays that :func:`pack` made."""
        # In this machine's byte order: an index stays in its cache.
        found = {name: np.frombuffer(numbers, np.intc) for name, numbers in packed.items()}
        self._keys, self._line_ends = found["keys"], found["line ends"]
        self._above = Lists(found["above"], found["above ends"])
        self._glosses = Lists(found["glosses"], found["gloss ends"])

    def lines(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return where the lines of the synsets with keys from first to last begin and end."""
        begin, end = np.searchsorted(self._keys, (first, last + 1)).tolist()
        ends = self._line_ends[max(begin - 1, 0) : end].tolist()
        starts = ends if begin else [0, *ends]
        return list(pairwise(starts))

    def number(self, key: int) -> int:
        """Return the number of the synset with a key."""
        return int(np.searchsorted(self._keys, key))

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
