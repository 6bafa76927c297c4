"""The trained model and its files, and the smaller one: the model kind ``compact-cbow``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.parts.base import ModelBuilder
from lexsub.parts.limits import Natural
from lexsub.rankers.lm.tokens import NAME, tokenise
from lexsub.resources import Resources
from lexsub.storage.arrays import StringTable, map_array, write_strings
from lexsub.storage.digests import seal
from lexsub.storage.files import write_text, writing
from lexsub.storage.headers import Closed, header_reader

FILE = "cbow.json"
AGAIN = "train the model again"
ARRAYS = ("outputs", "contexts", "places")

Floats = NDArray[np.float32]


class CbowHeader(Closed):
    """What a model says of itself.

    Attributes:
        format: always ``lexsub-cbow``.
        version: format version.
        words: number of words.
        dimensions: numbers a vector.
        window: tokens on each side that predict.
        lower: whether the text was lower-cased.
        tokens: tokens of the text.
        tokenisation: name of its tokenisation.
        numbers: what vectors are on disk: ``int8`` takes a quarter of the place.
        parameters: how it was trained.
    """

    format: Literal["lexsub-cbow"] = "lexsub-cbow"
    version: Literal[1] = 1
    words: int
    dimensions: int
    window: int
    lower: bool
    tokens: int
    tokenisation: str = NAME
    numbers: Literal["float32", "int8"] = "float32"
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Scaled:
    """Vectors of bytes, each with a factor of its own; a vector is made when it is asked for.

    Attributes:
        bytes: shape (words, dimensions), from -127 to 127.
        factors: shape (words,).
    """

    bytes: NDArray[np.int8]
    factors: Floats

    @classmethod
    def of(cls, vectors: Floats) -> Scaled:
        """Round vectors: each so that its greatest number is 127 times the factor."""
        greatest = np.abs(vectors).max(axis=1)
        factors = (np.where(greatest > 0, greatest, 1) / 127).astype(np.float32)
        return cls(np.rint(vectors / factors[:, None]).astype(np.int8), factors)

    def __getitem__(self, rows: NDArray[np.int64] | list[int]) -> Floats:
        """Return the vectors of rows, shape (rows, dimensions)."""
        return self.bytes[rows] * self.factors[rows][:, None]


@dataclass(frozen=True)
class Cbow:
    """An opened model; its arrays are mapped, not read.

    Attributes:
        header: what it says of itself.
        words: the words, the most frequent first.
        outputs: vectors of words that are predicted, shape (words, dimensions).
        contexts: vectors of words that predict, the same shape.
        places: weights of the places around a word, shape (2 × window + 1, dimensions).
    """

    header: CbowHeader
    words: StringTable
    outputs: Floats | Scaled
    contexts: Floats | Scaled
    places: Floats

    def rows(self, text: str) -> list[int]:
        """Return the rows of a text's tokens, -1 for those it does not know."""
        return self.words.find_all(tokenise(text, lower=self.header.lower))

    def all_rows(self, texts: Sequence[str]) -> list[list[int]]:
        """Return for each of some texts the rows of the tokens that it knows."""
        return [[row for row in self.rows(text) if row >= 0] for text in texts]

    def expected(self, left: str, right: str) -> Floats | None:
        """Return what is expected between two texts: the mean of their words, place by place.

        None where no word within the window is known; its product with an output says how
        well a word fits.
        """
        window = self.header.window
        before, behind = self.rows(left)[-window:], self.rows(right)[:window]
        rows = np.array([*before, *behind], np.int64)
        places = np.array(
            [*range(window - len(before), window), *range(window + 1, window + 1 + len(behind))],
            np.int64,
        )
        known = rows >= 0
        if not known.any():
            return None
        mean: Floats = (self.contexts[rows[known]] * self.places[places[known]]).mean(axis=0)
        return mean

    def mean(self, vectors: Floats | Scaled, known: Sequence[list[int]]) -> Floats:
        """Return the mean vector of each text's known tokens; nan where there is none.

        Args:
            vectors: of all words.
            known: the rows of each text's tokens (:meth:`all_rows`).

        Returns:
            Shape (texts, dimensions).
        """
        found = np.full((len(known), self.header.dimensions), np.nan, np.float32)
        single = [place for place, rows in enumerate(known) if len(rows) == 1]
        if single:
            found[single] = vectors[[known[place][0] for place in single]]
        for place, rows in enumerate(known):
            if len(rows) > 1:
                found[place] = vectors[rows].mean(axis=0)
        return found


def write_cbow(
    folder: Path, header: CbowHeader, words: Sequence[str], arrays: Sequence[Floats | Scaled]
) -> None:
    """Write a model's files and seal them; raises OSError where the disk refuses."""
    write_strings(folder, "words", words)
    for name, array in zip(ARRAYS, arrays, strict=True):
        if isinstance(array, Scaled):
            np.save(folder / f"{name}.npy", array.bytes)
            np.save(folder / f"{name}.factors.npy", array.factors)
        else:
            np.save(folder / f"{name}.npy", array)
    write_text(folder / FILE, header.model_dump_json(indent=1) + "\n")
    seal(folder)


_read_header = header_reader(
    FILE, CbowHeader, "CBOW model", 'add one of kind "cbow" to the config\'s [models]', AGAIN
)


def open_cbow(folder: Path) -> Cbow:
    """Open a model.

    Raises:
        LexsubError: there is none, or it is damaged or of another version.
    """
    header = _read_header(folder)
    shape = (header.words, header.dimensions)

    def vectors(name: str) -> Floats | Scaled:
        found = map_array(folder / f"{name}.npy", AGAIN, (header.numbers,), shape)
        if header.numbers == "float32":
            return found
        factors = folder / f"{name}.factors.npy"
        return Scaled(found, map_array(factors, AGAIN, ("float32",), shape[:1]))

    weights = (2 * header.window + 1, header.dimensions)
    places = map_array(folder / "places.npy", AGAIN, ("float32",), weights)
    words = StringTable(folder, "words", AGAIN)
    return Cbow(header, words, vectors("outputs"), vectors("contexts"), places)


@dataclass(frozen=True)
class CompactCbowBuilder(ModelBuilder):
    """Takes the most frequent words of a CBOW model, and a byte for each number of their vectors.

    Attributes:
        cbow: model of kind ``cbow``, by its name in ``[models]`` or its folder.
        words: how many words, the most frequent first; 0 for all.
    """

    cbow: str = "cbow"
    words: Natural = 40_000

    reads_models: ClassVar[dict[str, str]] = {"cbow": "cbow"}

    def build(self, resources: Resources, folder: Path) -> None:
        """Write the smaller model into a folder.

        Raises:
            LexsubError: there is no such model, or the disk refuses.
        """
        (source,) = self.inputs(resources)
        model = open_cbow(source)
        size = min(self.words or len(model.words), len(model.words))
        rows = np.arange(size)
        parameters = {**model.header.parameters, "kept": size}
        changes = {"words": size, "numbers": "int8", "parameters": parameters}
        header = model.header.model_copy(update=changes)
        scaled = [Scaled.of(vectors[rows]) for vectors in (model.outputs, model.contexts)]
        words = list(islice(model.words, size))
        with writing(folder):
            write_cbow(folder, header, words, (*scaled, np.array(model.places)))
