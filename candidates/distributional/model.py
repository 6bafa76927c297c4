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
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Le

from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.distributional.relations import Inventory, patterns
from lexsub.candidates.distributional.weights import Counts
from lexsub.errors import FormatError, LexsubError
from lexsub.frequency import FREQUENCIES
from lexsub.languages import language_of
from lexsub.parts.limits import Bounded, Natural, NotNegative, Positive
from lexsub.storage.arrays import StringTable, map_array
from lexsub.storage.digests import FILE, seal
from lexsub.storage.files import write_text
from lexsub.storage.headers import Closed, header_reader

OWN_LEXICONS = ("", "relations", "forms", "lemmas")
"""What ``lexicon`` may be beside the name of a frequency list."""


@dataclass(frozen=True)
class ThesaurusOptions(Bounded):
    """From what a thesaurus is built, and how.

    Attributes:
        relations: files of relation counts (see :mod:`lexsub.candidates.distributional.relations`).
        conllu: parsed text in CoNLL-U.
        parse: text for spaCy to parse.
        text: text whose words have the words around them as contexts.
        inventory: which relations count: ``core`` (McCarthy et al., 2007), ``all``, or names
            by part of speech.
        parser: spaCy model for ``parse``.
        size: window contexts: how many words to either side.
        direction: ``both`` sides, ``left`` or ``right``.
        sides: tell contexts on the left from those on the right.
        weighting: ``flat``, or ``harmonic`` for 1/distance.
        form_tokens: tokens that a form needs at least.
        contexts: how many of the most frequent forms are contexts.
        skip: how many of the very most frequent ones are not.
        context: what a window context is: the ``form`` as it stands, or the ``lemma`` it most
            often stands for, so that *sings* and *sang* count as one (needs a lexicon).
        lexicon: what lemmas forms are taken for: those of a frequency list (``bnc-lemmas``),
            of the ``relations`` read beside the text, or none (``forms`` stay forms, without
            part of speech; ``lemmas``: each is taken for the one lemma that its language's
            lemmatiser gives).  By default the relations', where there are some.
        language: ISO 639-1 code of the ``text``: what its forms may be forms of, and which words
            are written as one (*l'eau*).
        share: what part of a form's frequency a lemma needs to get its contexts.
        word_tokens: context tokens that a word needs at least (McCarthy et al., 2007: 10).
        context_tokens: tokens that a context needs at least, over all words kept.
        pair_tokens: tokens that a pair of word and context needs at least.
        tables: measures whose whole table of neighbours is computed in advance.
        top: neighbours a word in those tables.
        memory: megabytes that counting, merging and comparing may use on this machine, shared by
            its workers; on a cluster, each worker.  Beyond them counts go to disk.
    """

    relations: tuple[str, ...] = ()
    conllu: tuple[str, ...] = ()
    parse: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    inventory: Inventory = "core"
    parser: str = "en_core_web_sm"
    size: Annotated[Positive, Le(1_000_000)] = 2
    direction: Literal["both", "left", "right"] = "both"
    sides: bool = False
    weighting: Literal["flat", "harmonic"] = "flat"
    form_tokens: Positive = 10
    contexts: Positive = 50_000
    skip: Natural = 0
    context: Literal["form", "lemma"] = "form"
    lexicon: str = ""
    language: str = "en"
    share: NotNegative = 0.1
    word_tokens: Positive = 10
    context_tokens: Positive = 1
    pair_tokens: Positive = 1
    tables: tuple[str, ...] = ()
    top: Positive = 200
    memory: Annotated[int, Ge(100), Le(10_000_000)] = 1500

    def __post_init__(self) -> None:
        super().__post_init__()
        patterns(self.inventory)
        for measure in self.tables:
            parse_measure(measure, "tables")
        if not (self.relations or self.conllu or self.parse or self.text):
            raise ValueError("no source is given; expected relations, conllu, parse or text")
        if self.context == "lemma" and self.takes_forms():
            raise ValueError(
                "context is 'lemma', but forms are given no lemmas: name a lexicon, as bnc-lemmas"
            )
        if self.lexicon == "relations" and not self.has_relations():
            raise ValueError("lexicon is 'relations', but no relations are read")
        if self.lexicon not in OWN_LEXICONS:
            FREQUENCIES[self.lexicon]
        language_of(self.language)

    def takes_forms(self) -> bool:
        """Return True if every form is a word, without a lemma."""
        return self.lexicon == "forms" or not (self.lexicon or self.has_relations())

    def has_relations(self) -> bool:
        """Return True if there are sources with grammatical relations."""
        return bool(self.relations or self.conllu or self.parse)


ANY_POS = "*"
POS_NAMES = ("n", "v", "a", "r", ANY_POS)
AGAIN = "build the thesaurus again"


class SpaceHeader(Closed):
    """What one part of speech holds.

    Attributes:
        words: number of words.
        contexts: number of different contexts.
        nonzeros: number of different word-context pairs.
        tokens: sum of all counts.
        relations: names of the relations, by id.
        sha256: digest of all its arrays.
    """

    words: int
    contexts: int
    nonzeros: int
    tokens: int
    relations: tuple[str, ...]
    sha256: str


class ThesaurusHeader(Closed):
    """The header of a thesaurus.

    Attributes:
        format: always ``lexsub-thesaurus``.
        version: format version.
        parameters: how contexts were found and which words and contexts were kept.
        sources: one entry a source: kind, files, digest of the corpus, counts.
        spaces: by part of speech.
    """

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


class ThesaurusModel:
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
    "header.json", ThesaurusHeader, "thesaurus", "make one with lexsub thesaurus build", AGAIN
)


def write_header(folder: Path, header: ThesaurusHeader) -> None:
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
