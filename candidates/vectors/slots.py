"""Vectors of words and of their grammatical slots in one space: the model kind ``slots``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from annotated_types import Le
from numpy.typing import NDArray

from lexsub.candidates.distributional.model import ThesaurusModel
from lexsub.candidates.vectors.build import NEEDS, decompose, ppmi, stacked
from lexsub.errors import LexsubError
from lexsub.parts.base import ModelBuilder
from lexsub.parts.limits import AboveZero, Natural, Positive
from lexsub.resources import Resources
from lexsub.storage.arrays import StringTable, map_array, write_strings
from lexsub.storage.digests import seal
from lexsub.storage.files import write_text
from lexsub.storage.headers import Closed, header_reader

FILE = "slots.json"
AGAIN = "build the model again"


@dataclass(frozen=True)
class SlotsBuilder(ModelBuilder):
    """Factorises what words stand in what grammatical slots: both get vectors.

    A slot is a relation with a word (the object of *drink*).  The matrix of positive PMI is
    U Σ Vᵀ; a word's vector is its row of U √Σ, a slot's its row of V √Σ, and their product says
    how well the word fits, whether or not it was ever seen there (Levy and Goldberg, 2014,
    "Neural word embedding as implicit matrix factorization", section 5.1).

    Attributes:
        thesaurus: name of a model of kind ``thesaurus`` above this one, or the folder of one.
        dimensions: numbers a vector; fewer where the counts support no more.
        alpha: power of the slots' counts in P(c); .75 is kinder to rare slots.
        word_tokens: tokens that a word needs at least.
        context_words: different words that a slot needs at least.
        iterations: rounds of the randomised factorisation; more come closer to the exact one.
    """

    thesaurus: str
    dimensions: Annotated[Positive, Le(100_000)] = 300
    alpha: Annotated[AboveZero, Le(1)] = 0.75
    word_tokens: Positive = 20
    context_words: Positive = 4
    iterations: Annotated[Natural, Le(10_000)] = 4

    reads_models: ClassVar[dict[str, str]] = {"thesaurus": "thesaurus"}
    extras = (("sklearn", *NEEDS),)

    def build(self, resources: Resources, folder: Path) -> None:
        """Write the vectors into a folder.

        Raises:
            LexsubError: no thesaurus there, or nothing in it is frequent enough.
        """
        (source,) = self.inputs(resources)
        model = ThesaurusModel(source)
        spaces = {pos: model.space(pos) for pos in model.header.spaces}
        least = self.word_tokens, self.context_words
        words, _, counts, slots = stacked(spaces, "relation", *least)
        if not counts.nnz:
            raise LexsubError(f"{source}: no word and slot are frequent enough for a vector")
        how = self.dimensions, self.iterations, resources.seed
        left, values, right = decompose(ppmi(counts, self.alpha), *how)
        root = np.sqrt(values)
        np.save(folder / "words.npy", (left * root).astype(np.float32))
        np.save(folder / "slots.npy", (right * root).astype(np.float32))
        write_strings(folder, "word", words)
        write_strings(folder, "slot", slots)
        parameters = asdict(self) | {"seed": resources.seed}
        parameters["thesaurus"] = model.header.digest
        header = SlotsHeader(
            words=len(words), slots=len(slots), dimensions=len(values), parameters=parameters
        )
        write_text(folder / FILE, header.model_dump_json(indent=1) + "\n")
        seal(folder)


class SlotsHeader(Closed):
    """What a model says of itself.

    Attributes:
        format: always ``lexsub-slots``.
        version: format version.
        words: number of words.
        slots: number of slots.
        dimensions: numbers a vector.
        parameters: how it was made.
    """

    format: Literal["lexsub-slots"] = "lexsub-slots"
    version: Literal[1] = 1
    words: int
    slots: int
    dimensions: int
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Slots:
    """An opened model; its vectors are mapped, not read.

    Attributes:
        word_names: words, as ``bright.a`` (blanks as underscores).
        slot_names: slots, relation and word with a tab between.
        words: shape (words, dimensions).
        slots: shape (slots, dimensions).
    """

    word_names: StringTable
    slot_names: StringTable
    words: NDArray[np.float32]
    slots: NDArray[np.float32]

    def words_of(self, texts: Sequence[str], pos: str) -> NDArray[np.float32]:
        """Return the vectors of words, shape (texts, dimensions); nan for unknown ones."""
        names = [f"{text.replace(' ', '_')}.{pos}" for text in texts]
        rows = np.array(self.word_names.find_all(names), np.int64)
        return np.where(rows[:, None] >= 0, self.words[rows], np.float32(np.nan))

    def slots_of(self, relations: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the vectors of those slots that are known, shape (known, dimensions)."""
        found = self.slot_names.find_all([f"{relation}\t{other}" for relation, other in relations])
        return self.slots[np.array([row for row in found if row >= 0], np.int64)]


_read_header = header_reader(
    FILE,
    SlotsHeader,
    "vectors of slots",
    'add a model of kind "slots" to the config\'s [models]',
    AGAIN,
)


def open_slots(folder: Path) -> Slots:
    """Open a model.

    Raises:
        LexsubError: there is none, or it is damaged or of another version.
    """
    header = _read_header(folder)
    words, slots = (
        map_array(folder / f"{name}.npy", AGAIN, ("float32",), (number, header.dimensions))
        for name, number in (("words", header.words), ("slots", header.slots))
    )
    names = StringTable(folder, "word", AGAIN), StringTable(folder, "slot", AGAIN)
    return Slots(*names, words, slots)
