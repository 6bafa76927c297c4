"""What a folder of vectors says of itself.

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
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from lexsub.formats.json_text import read_header_file
from lexsub.storage.digests import check_sealed, seal
from lexsub.storage.files import write_text

FILE = "header.json"
ANY_POS = "*"
Numbers = Literal["float32", "int8"]
ROWS: dict[Numbers, str] = {"float32": "vectors.f32", "int8": "vectors.i8"}
"""Name of the file of the rows, by what their numbers are."""
AGAIN = "build or convert the vectors again"

Keys = Literal["lexelt", "form"]
"""Whether words are lemmas of a part of speech (``bright.a``), or forms of any."""


class Header(BaseModel):
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

    model_config = ConfigDict(extra="forbid", frozen=True)

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


def read_header(folder: Path) -> Header:
    """Read the header of a folder of vectors, and check its files against their digests.

    Raises:
        MissingResourceError: there is none at that place.
        FormatError: it is another format or version, or damaged.
    """
    check_sealed(folder, AGAIN)
    return read_header_file(
        folder / FILE,
        Header,
        f"no vectors here (a folder with a {FILE}): make them with lexsub vectors build, or take "
        "a file of yours in with lexsub vectors convert",
        AGAIN,
    )


def write_header(folder: Path, header: Header) -> None:
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
