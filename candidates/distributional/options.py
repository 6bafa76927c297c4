"""The options of a thesaurus, which all steps of its building read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.distributional.relations import Inventory, patterns
from lexsub.frequency import FREQUENCIES
from lexsub.languages import language_of
from lexsub.parts.limits import at_least

OWN_LEXICONS = ("", "relations", "forms", "lemmas")
"""What ``lexicon`` may be beside the name of a frequency list."""


@dataclass(frozen=True)
class ThesaurusOptions:
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
    size: int = 2
    direction: Literal["both", "left", "right"] = "both"
    sides: bool = False
    weighting: Literal["flat", "harmonic"] = "flat"
    form_tokens: int = 10
    contexts: int = 50_000
    skip: int = 0
    context: Literal["form", "lemma"] = "form"
    lexicon: str = ""
    language: str = "en"
    share: float = 0.1
    word_tokens: int = 10
    context_tokens: int = 1
    pair_tokens: int = 1
    tables: tuple[str, ...] = ()
    top: int = 200
    memory: int = 1500

    def __post_init__(self) -> None:
        patterns(self.inventory)
        at_least(
            self,
            size=1,
            form_tokens=1,
            contexts=1,
            skip=0,
            word_tokens=1,
            context_tokens=1,
            pair_tokens=1,
            top=1,
            memory=100,
        )
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
