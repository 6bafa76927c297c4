"""A thesaurus on disk: a folder with a readable header and memory-mapped arrays, no pickle.

::

    header.json                      format, version, parameters, corpus digest, counts
    digests.json                     of these files, see :mod:`lexsub.storage.digests`
    n/ v/ a/ r/  (one a part of speech; * where the contexts know none)
        words.*.npy                  lemmas, the most frequent first
        contexts.*.npy               "relation<TAB>other word"
        starts.npy contexts.npy counts.npy relations.npy       words by contexts, by row
    tables/NAME/                     neighbours computed in advance, see ``table``
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from lexsub.candidates.distributional.weights import Counts
from lexsub.errors import FormatError, LexsubError
from lexsub.storage.arrays import StringTable, map_array
from lexsub.storage.digests import FILE, seal
from lexsub.storage.files import write_text
from lexsub.storage.headers import header_reader

ANY_POS = "*"
POS_NAMES = ("n", "v", "a", "r", ANY_POS)
AGAIN = "build the thesaurus again"


class SpaceHeader(BaseModel):
    """What one part of speech holds.

    Attributes:
        words: number of words.
        contexts: number of different contexts.
        nonzeros: number of different word-context pairs.
        tokens: sum of all counts.
        relations: names of the relations, by id.
        sha256: digest of all its arrays.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    words: int
    contexts: int
    nonzeros: int
    tokens: int
    relations: tuple[str, ...]
    sha256: str


class Header(BaseModel):
    """The header of a thesaurus.

    Attributes:
        format: always ``lexsub-thesaurus``.
        version: format version.
        parameters: how contexts were found and which words and contexts were kept.
        sources: one entry a source: kind, files, digest of the corpus, counts.
        spaces: by part of speech.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["lexsub-thesaurus"] = "lexsub-thesaurus"
    version: Literal[1] = 1
    parameters: dict[str, Any]
    sources: tuple[dict[str, Any], ...]
    spaces: dict[str, SpaceHeader]

    @property
    def digest(self) -> str:
        """A digest of everything: header and, through it, all arrays."""
        return hashlib.sha256(self.text().encode()).hexdigest()

    def text(self) -> str:
        """Return the bytes of ``header.json``."""
        return json.dumps(self.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"


class Space:
    """The words of one part of speech with their contexts."""

    def __init__(self, folder: Path, header: SpaceHeader, sealed: bool = True) -> None:
        self.folder, self.header, self._sealed = folder, header, sealed

    @cached_property
    def words(self) -> StringTable:
        """The words, the most frequent first; their place is their id."""
        return StringTable(self.folder, "words", AGAIN)

    @cached_property
    def contexts(self) -> StringTable:
        """The contexts as ``relation<TAB>other word``."""
        return StringTable(self.folder, "contexts", AGAIN)

    @cached_property
    def counts(self) -> Counts:
        """The counts, memory-mapped.

        Raises:
            FormatError: a file is damaged or does not fit the header.
        """
        return self._mapped()

    def part(self, first: int, stop: int) -> Counts:
        """Return a copy of the counts of some words in a row; nothing stays mapped.

        Pages of a mapped file are counted as a process's memory, and stay while it is mapped.
        """
        whole = self._mapped()
        rows = slice(*whole.starts[[first, stop]].tolist())
        return Counts(
            whole.starts[first : stop + 1] - rows.start,
            np.array(whole.contexts[rows]),
            np.array(whole.counts[rows]),
            np.array(whole.relations),
        )

    def _mapped(self) -> Counts:
        header = self.header
        arrays = {
            name: map_array(self.folder / f"{name}.npy", AGAIN, types, (size,))
            for name, types, size in (
                ("starts", ("int64",), header.words + 1),
                ("contexts", ("int32",), header.nonzeros),
                ("counts", ("uint32", "uint64"), header.nonzeros),
                ("relations", ("int16",), header.contexts),
            )
        }
        if not self._sealed:
            # Compiled loops follow these numbers without checks, so they are checked here.
            starts, contexts = arrays["starts"], arrays["contexts"]
            if starts[0] != 0 or starts[-1] != header.nonzeros or (np.diff(starts) < 0).any():
                raise FormatError(self.folder / "starts.npy", None, f"is damaged: {AGAIN}")
            if contexts.min(initial=0) < 0 or contexts.max(initial=-1) >= header.contexts:
                raise FormatError(self.folder / "contexts.npy", None, f"is damaged: {AGAIN}")
        return Counts(**arrays)

    def tokens(self, word: int) -> int:
        """Return how many context tokens a word has."""
        start, stop = self.counts.starts[word : word + 2]
        return int(self.counts.counts[start:stop].sum(dtype=np.int64))


class Model:
    """An opened thesaurus; arrays are mapped when they are first needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.header = read_header(folder)
        sealed = (folder / FILE).is_file()
        self._spaces = {
            pos: Space(folder / _folder_name(pos), header, sealed)
            for pos, header in self.header.spaces.items()
        }

    def space(self, pos: str) -> Space:
        """Return the words of a part of speech (n, v, a or r).

        Raises:
            LexsubError: the thesaurus has none of that part of speech.
        """
        space = self._spaces.get(pos) or self._spaces.get(ANY_POS)
        if space is None:
            known = ", ".join(self._spaces)
            raise LexsubError(
                f"{self.folder}: holds no words of part of speech {pos!r} (it has: {known})"
            )
        return space


read_header = header_reader(
    "header.json", Header, "thesaurus", "make one with lexsub thesaurus build", AGAIN
)


def write_header(folder: Path, header: Header) -> None:
    """Write the header, because it makes the folder a thesaurus, and seal it: last of all."""
    write_text(folder / "header.json", header.text())
    seal(folder)


def space_folder(folder: Path, pos: str) -> Path:
    """Return (and make) the folder of a part of speech."""
    path = folder / _folder_name(pos)
    path.mkdir(parents=True, exist_ok=True)
    return path


def _folder_name(pos: str) -> str:
    return "any" if pos == ANY_POS else pos
