"""Build a thesaurus: the model kind ``thesaurus`` of configs, and what the command calls."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from lexsub import __version__
from lexsub.candidates.distributional.counts import TABLES, number_all, write_spaces
from lexsub.candidates.distributional.engine import engine, quoted
from lexsub.candidates.distributional.inventory import Inventory, count_wanted, patterns
from lexsub.candidates.distributional.lemmas import Analysis, Lemmas, OneLemma
from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.distributional.model import Header, write_header
from lexsub.candidates.distributional.parsed import (
    CONLLU_SUFFIXES,
    check_parser,
    conllu_jobs,
    parse_jobs,
    parser_files,
)
from lexsub.candidates.distributional.relations import SUFFIXES, load_relations
from lexsub.candidates.distributional.runs import Jobs, merge_runs
from lexsub.candidates.distributional.table import build_table
from lexsub.candidates.distributional.windows import count_forms, count_pairs, write_plan
from lexsub.corpus import Corpus
from lexsub.corpus.reader import pieces
from lexsub.errors import LexsubError
from lexsub.frequency import FREQUENCIES
from lexsub.languages import language_of
from lexsub.parts.limits import at_least
from lexsub.resources import Resources
from lexsub.storage.addresses import resolved
from lexsub.storage.digests import FILE, known_sha256
from lexsub.storage.files import write_text
from lexsub.storage.locks import alone

OWN_LEXICONS = ("", "relations", "forms", "lemmas")
"""What ``lexicon`` may be beside the name of a frequency list."""


@dataclass(frozen=True)
class ThesaurusBuilder:
    """Builds a distributional thesaurus from counted, parsed or running text.

    All sources that are given are joined: their contexts stand side by side, told apart by
    the names of their relations.  Sources are paths, globs, folders, or names from the
    config's ``[resources]``.

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
        at_least(self, size=1, form_tokens=1, contexts=1, skip=0, word_tokens=1,
                 context_tokens=1, pair_tokens=1, top=1, memory=100)  # fmt: skip
        for measure in self.tables:
            parse_measure(measure, "tables")
        if not (self.relations or self.conllu or self.parse or self.text):
            raise ValueError("no source is given; expected relations, conllu, parse or text")
        if self.context == "lemma" and self._takes_forms():
            raise ValueError(
                "context is 'lemma', but forms are given no lemmas: name a lexicon, as bnc-lemmas"
            )
        if self.lexicon == "relations" and not self._has_relations():
            raise ValueError("lexicon is 'relations', but no relations are read")
        if self.lexicon not in OWN_LEXICONS:
            FREQUENCIES[self.lexicon]
        language_of(self.language)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the source files, and what tells the parser's version."""
        files = [path for corpus in self._corpora(resources).values() for path in corpus.files()]
        if self.text and self.lexicon not in OWN_LEXICONS:
            files += FREQUENCIES[self.lexicon].inputs(resources)
        if self.parse:
            check_parser(self.parser, resources)
            files += parser_files(self.parser)
        return list(dict.fromkeys(files))

    def build(self, resources: Resources, folder: Path) -> None:
        """Build the thesaurus into a folder.

        What is counted and compared is kept in the cache folder until the thesaurus is whole,
        so that a build that was stopped goes on where it was.  Of several builds of the same
        thesaurus at once, one works and the others wait.

        Raises:
            LexsubError: a source is missing or not what it should be, or the disk refuses.
        """
        work = resources.cache / "thesaurus" / self._key(resources)
        with alone(work, "building this thesaurus"):
            self._build(resources, work, folder)

    def _build(self, resources: Resources, work: Path, folder: Path) -> None:
        whole = work / "thesaurus"
        if not (whole / FILE).is_file():  # the last that counting writes
            shutil.rmtree(whole, ignore_errors=True)
            whole.mkdir(parents=True)
            self._count(resources, work, whole)
        for measure in self.tables:
            build_table(whole, measure, self.top, resources.workers, resources.backend, self.memory)
        shutil.copytree(whole, folder, dirs_exist_ok=True, copy_function=_link)
        shutil.rmtree(work, ignore_errors=True)

    def _count(self, resources: Resources, work: Path, folder: Path) -> None:
        jobs = Jobs.sharing(resources.workers, resources.backend, self.memory)
        runs, merged = work / "runs", work / "merged"
        with engine(work, self.memory, resources.workers) as connection:
            for table in TABLES:
                connection.execute(table)
            sources = tuple(self._load(connection, resources, work, jobs))
            parts, contexts = number_all(connection, work, runs)
            if not parts:
                known = f" that lexicon {self.lexicon!r} knows" if self.lexicon else ""
                raise LexsubError(
                    f"the sources hold no word{known}; expected some: name another lexicon "
                    "(forms: every form is a word), or other sources"
                )
            if self.text:
                write_plan(connection, self.skip, work)
        if not (work / "merged.done").exists():  # what was merged is not kept beside it
            if self.text:
                count_pairs(self, work, runs, jobs)
            merge_runs(runs, parts, contexts, self.word_tokens, merged, jobs)
            write_text(work / "merged.done", "")
        shutil.rmtree(runs, ignore_errors=True)
        spaces = write_spaces(work, parts, merged, folder, self, jobs)
        hidden = ("relations", "conllu", "parse", "text", "tables", "top", "memory")
        parameters = {key: value for key, value in asdict(self).items() if key not in hidden}
        write_header(folder, Header(parameters=parameters, sources=sources, spaces=spaces))

    def _load(
        self, connection: Any, resources: Resources, work: Path, jobs: Jobs
    ) -> Iterator[dict[str, Any]]:
        for kind, corpus in self._corpora(resources).items():
            found: dict[str, Any] = {}
            if kind == "relations":
                found = load_relations(connection, corpus, self.inventory, work)
            elif kind == "text":
                kind = "windows"
                analysis = self._analysis(connection, resources)
                found = count_forms(connection, pieces(corpus), self, analysis, work, jobs)
            else:
                shards = work / kind
                jobs.run(
                    conllu_jobs(corpus, shards) if kind == "conllu"
                    else parse_jobs(corpus, self.parser, shards),
                    f"counting relations ({kind})",
                )  # fmt: skip
                count_wanted(connection, f"'{quoted(shards)}/*.parquet'", self.inventory)
            yield {
                "kind": kind,
                "files": [path.name for path in corpus.files()],
                "sha256": corpus.sha256(),
                **found,
            }

    def _analysis(self, connection: Any, resources: Resources) -> Analysis:
        spoken = language_of(self.language)
        if self._takes_forms():
            return OneLemma(str)
        if self.lexicon == "lemmas":
            lemmatiser = spoken.lemmatiser(resources)
            return OneLemma(lambda form: lemmatiser.lemma(form, ""))
        if self.lexicon in ("", "relations"):
            rows = connection.execute("SELECT word, pos, sum(count) FROM counts GROUP BY ALL")
            counts = {(word, pos): float(count) for word, pos, count in rows.fetchall()}
            return Lemmas(lambda word, pos: counts.get((word, pos), 0.0), self.share, spoken)
        resources = replace(resources, language=self.language)
        return Lemmas(FREQUENCIES[self.lexicon].open(resources).frequency, self.share, spoken)

    def _takes_forms(self) -> bool:
        return self.lexicon == "forms" or not (self.lexicon or self._has_relations())

    def _has_relations(self) -> bool:
        return bool(self.relations or self.conllu or self.parse)

    def _corpora(self, resources: Resources) -> dict[str, Corpus]:
        kinds = {
            "relations": Corpus(_places(resources, self.relations), SUFFIXES),
            "conllu": Corpus(_places(resources, self.conllu), CONLLU_SUFFIXES),
            "parse": Corpus(_places(resources, self.parse)),
            "text": Corpus(_places(resources, self.text)),
        }
        return {kind: corpus for kind, corpus in kinds.items() if corpus.sources}

    def _key(self, resources: Resources) -> str:
        """Return a name for the unfinished work, the same for the same work."""
        files = [
            f"{resolved(path)} {known_sha256(path, resources.cache / 'digests')}"
            for path in self.inputs(resources)
        ]
        return hashlib.sha256(repr((__version__, self, files)).encode()).hexdigest()[:24]


def _link(source: str, target: str) -> None:
    """Give a finished file its second name; copy it to another disk."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _places(resources: Resources, names: Sequence[str]) -> tuple[Path | str, ...]:
    return tuple(resources.paths.get(name, name) for name in names)
