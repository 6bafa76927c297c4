"""Write vectors, a portion at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import LexsubError
from lexsub.storage.strings import write_strings
from lexsub.vectors.header import ANY_POS, ROWS, Header, Keys, Numbers, digest, write_header

Portions = Iterable[tuple[Sequence[str], "NDArray[np.float32]"]]
"""Some words and their vectors, shape (words, dimensions)."""


def write_vectors(
    folder: Path,
    portions: Portions,
    *,
    origin: str,
    keys: Keys,
    joint: bool,
    parameters: Mapping[str, Any],
    sources: Sequence[Mapping[str, Any]],
    tokens: Mapping[str, int] | None = None,
    left_out: Mapping[str, int] | None = None,
    numbers: Numbers = "float32",
) -> Header:
    """Write a folder of vectors, each scaled to length 1.

    Words of zeros have no direction and are left out, as is a word that stands twice, the
    second time.  Words that carry a part of speech must come in blocks of one.

    Args:
        folder: an empty folder.
        portions: words with their vectors, in the order of the rows to be.
        origin: see :class:`Header`, as for the rest.
        keys: what the words are.
        joint: whether they lie in one space.
        parameters: how they were made.
        sources: what they were made from.
        tokens: how often each word was seen.
        left_out: what the portions leave out; read when they are through.
        numbers: what to write of each vector.

    Raises:
        LexsubError: no word is left.
        OSError: the disk refuses.
    """
    words: dict[str, None] = {}
    dropped = {"twice": 0, "zero": 0}
    dimensions = 0
    with (folder / ROWS[numbers]).open("wb") as file:
        for names, vectors in portions:
            dimensions = vectors.shape[1]
            lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(1))
            kept = []
            for index, name in enumerate(names):
                if lengths[index] == 0.0:
                    dropped["zero"] += 1
                elif name in words:
                    dropped["twice"] += 1
                else:
                    words[name] = None
                    kept.append(index)
            unit = vectors[kept] / lengths[kept, None]
            file.write((unit.astype("<f4") if numbers == "float32" else _bytes(unit)).tobytes())
    if not words:
        raise LexsubError("no word with a vector is left; expected at least one")
    seen = {} if tokens is None else tokens
    np.save(folder / "tokens.npy", np.array([seen.get(word, 0) for word in words], np.int64))
    write_strings(folder, "words", words)
    header = Header(
        origin=origin,
        keys=keys,
        joint=joint,
        words=len(words),
        dimensions=dimensions,
        numbers=numbers,
        blocks=_blocks(list(words), keys),
        parameters=dict(parameters),
        sources=tuple(map(dict, sources)),
        left_out={k: n for k, n in {**dropped, **(left_out or {})}.items() if n},
        sha256=digest(folder),
    )
    write_header(folder, header)
    return header


def _bytes(unit: NDArray[np.float64]) -> NDArray[np.int8]:
    """Return rows so long that the greatest number of each is 127; their length is 1 anyway."""
    greatest = np.abs(unit).max(axis=1, keepdims=True)
    rounded: NDArray[np.int8] = np.rint(unit * (127 / greatest)).astype(np.int8)
    return rounded


def _blocks(words: Sequence[str], keys: Keys) -> dict[str, tuple[int, int]]:
    if keys == "form":
        return {ANY_POS: (0, len(words))}
    blocks: dict[str, tuple[int, int]] = {}
    for row, word in enumerate(words):
        pos = word[-1]
        start, stop = blocks.get(pos, (row, row))
        if stop != row:
            raise LexsubError(f"words of part of speech {pos!r} are not together (at {word!r})")
        blocks[pos] = (start, row + 1)
    return blocks
