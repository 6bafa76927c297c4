"""ARPA files: what every language model tool reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

import numpy as np
from numpy.typing import NDArray

from rankers.lm.kneser_ney import Level

ROWS = 500_000


def write_arpa(file: IO[bytes], levels: Sequence[Level], words: Sequence[str]) -> None:
    """Write an estimated model as ARPA text.

    Args:
        file: open for writing.
        levels: the orders from 1.
        words: word by id.
    """
    file.write(b"\\data\\\n")
    for n, level in enumerate(levels, start=1):
        file.write(f"ngram {n}={len(level.prob)}\n".encode())
    for n, level in enumerate(levels, start=1):
        file.write(f"\n\\{n}-grams:\n".encode())
        last = n == len(levels)
        for begin in range(0, len(level.prob), ROWS):
            some = np.arange(begin, min(begin + ROWS, len(level.prob)))
            columns = [
                list(map(words.__getitem__, column.tolist())) for column in spell(levels[:n], some)
            ]
            texts = columns[0] if n == 1 else map(" ".join, zip(*columns, strict=True))
            probs = level.prob[some].tolist()
            if last:
                lines = map("%.7g\t%s\n".__mod__, zip(probs, texts, strict=True))
            else:
                backoffs = level.backoff[some].tolist()
                lines = map("%.7g\t%s\t%.7g\n".__mod__, zip(probs, texts, backoffs, strict=True))
            file.write("".join(lines).encode())
    file.write(b"\n\\end\\\n")


def spell(levels: Sequence[Level], rows: NDArray[np.int64]) -> list[NDArray[np.int32]]:
    """Return the word ids of n-grams of the highest of ``levels``, one array a position."""
    columns = []
    ids: NDArray[np.int64] | NDArray[np.int32] = rows
    for level in reversed(levels):
        columns.append(level.word[ids])
        ids = level.prefix[ids]
    return columns[::-1]
