"""What is asked of thousands of synsets at a time, as arrays of numbers."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate


class Arrays:
    """Synsets by number: 0, 1, … in the order of their keys.

    Of each it knows the numbers of the synsets right above (hypernyms, then those of which it
    is an instance), and the numbers of the words of its gloss.
    """

    def __init__(self, packed: Mapping[str, bytes]) -> None:
        """Take the arrays that :func:`pack` made."""
        # In this machine's byte order: an index stays in its cache.
        views = {name: memoryview(numbers).cast("i") for name, numbers in packed.items()}
        self._keys = views["keys"]
        self._above_ends, self._above = views["above ends"], views["above"]
        self._gloss_ends, self._glosses = views["gloss ends"], views["glosses"]
        self._line_ends = views["line ends"]

    def lines(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return where the lines of the synsets with keys from first to last begin and end."""
        ends = self._line_ends
        places = range(bisect_left(self._keys, first), bisect_left(self._keys, last + 1))
        return [(ends[place - 1] if place else 0, ends[place]) for place in places]

    def number(self, key: int) -> int:
        """Return the number of the synset with a key."""
        return bisect_left(self._keys, key)

    def ancestors(self, keys: Iterable[int], farthest: int) -> dict[int, int]:
        """Return the synsets above any of some, these included, with the fewest steps up to each.

        Returns:
            Steps by the synset's number.
        """
        ends, above = self._above_ends, self._above
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

    def gloss_numbers(self, keys: Iterable[int]) -> frozenset[int]:
        """Return the numbers of the words of some synsets' glosses."""
        ends, words = self._gloss_ends, self._glosses
        numbers = (bisect_left(self._keys, key) for key in keys)
        return frozenset().union(*[words[ends[n - 1] if n else 0 : ends[n]] for n in numbers])


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
