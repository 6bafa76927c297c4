"""The folder of vectors: what it says of itself, and how it is written, a portion at a time.

::

    header.json          format, version, origin, parameters, digests, layout
    words.*.npy          the words, those of a part of speech together
    tokens.npy           how often each word was seen (0 where that is not known)
    vectors.f32          one row of little-endian float32 a word, of length 1; no pickle
    vectors.i8           or else a row of whole numbers of one byte, in the same direction
    digests.json         of these files, see :mod:`lexsub.storage.digests`
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import LexsubError
from lexsub.storage.arrays import write_strings
from lexsub.storage.digests import seal
from lexsub.storage.files import write_text
from lexsub.storage.headers import Closed, header_reader

FILE = "header.json"
ANY_POS = "*"
Numbers = Literal["float32", "int8"]
ROWS: dict[Numbers, str] = {"float32": "vectors.f32", "int8": "vectors.i8"}
"""Name of the file of the rows, by what their numbers are."""
AGAIN = "build or convert the vectors again"

Keys = Literal["lexelt", "form"]
"""Whether words are lemmas of a part of speech (``bright.a``), or forms of any."""


class VectorsHeader(Closed):
    """The header of a folder of vectors.

    Attributes:
        format: always ``lexsub-vectors``.
        version: format version.
        origin: what made them: ``ppmi-svd``, or the format of a file.
        keys: ``lexelt`` or ``form``.
        joint: whether words of different parts of speech lie in one space, so that they can
            be compared.
        words: number of words.
        dimensions: numbers a vector.
        numbers: what they are on disk: ``int8`` takes a quarter of the place, and a cosine is off
            by less than one in a hundred.
        blocks: first row and the row behind the last of each part of speech; ``*`` for forms.
        parameters: how they were made.
        sources: one entry a source, with its digest.
        left_out: what was met and not taken, by reason.
        sha256: digest of the words, tokens and vectors.
    """

    format: Literal["lexsub-vectors"] = "lexsub-vectors"
    version: Literal[1] = 1
    origin: str
    keys: Keys
    joint: bool
    words: int
    dimensions: int
    numbers: Numbers = "float32"
    blocks: dict[str, tuple[int, int]]
    parameters: dict[str, Any]
    sources: tuple[dict[str, Any], ...]
    left_out: dict[str, int]
    sha256: str

    def text(self) -> str:
        """Return the bytes of ``header.json``."""
        # Vectors of float32 are written as they were before there were others.
        hidden = {"numbers"} if self.numbers == "float32" else set()
        table = self.model_dump(mode="json", exclude=hidden)
        return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


read_header = header_reader(
    FILE,
    VectorsHeader,
    "vectors",
    "make them with lexsub vectors build, or take a file of yours in with lexsub vectors convert",
    AGAIN,
)


def write_header(folder: Path, header: VectorsHeader) -> None:
    """Write the header, because it makes the folder one of vectors, and seal it: last of all."""
    write_text(folder / FILE, header.text())
    seal(folder)


def digest(folder: Path) -> str:
    """Return the digest of all arrays of a folder of vectors."""
    whole = hashlib.sha256()
    rows = [folder / name for name in ROWS.values() if (folder / name).exists()]
    for path in sorted([*folder.glob("*.npy"), *rows]):
        whole.update(path.name.encode())
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()


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
) -> VectorsHeader:
    """Write a folder of vectors, each scaled to length 1.

    Words of zeros have no direction and are left out, as is a word that stands twice, the
    second time.  Words that carry a part of speech must come in blocks of one.

    Args:
        folder: an empty folder.
        portions: words with their vectors, in the order of the rows to be.
        origin: see :class:`VectorsHeader`, as for the rest.
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
    header = VectorsHeader(
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
