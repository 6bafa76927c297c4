"""Build a thesaurus: the model kind ``thesaurus`` of configs, and what the command calls."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lexsub.candidates.distributional import model, parsed
from lexsub.candidates.distributional.kernel import COMPILER
from lexsub.candidates.distributional.lemmas import Analysis, LemmaTable, OneLemma
from lexsub.candidates.distributional.model_writing import TABLES, number_all, write_spaces
from lexsub.candidates.distributional.relations import SUFFIXES, count_wanted, load_relations
from lexsub.candidates.distributional.sorted_counts import ENGINE, Jobs, engine, merge_runs, quoted
from lexsub.candidates.distributional.table import build_table
from lexsub.candidates.distributional.windows import count_forms, count_pairs, write_plan
from lexsub.corpus.reader import Corpus, pieces
from lexsub.errors import LexsubError, look_for
from lexsub.frequency import FREQUENCIES
from lexsub.languages import language_of
from lexsub.parts.base import ModelBuilder
from lexsub.resources import Resources
from lexsub.storage.digests import FILE, work_name
from lexsub.storage.files import write_text
from lexsub.storage.locks import locked


@dataclass(frozen=True)
class ThesaurusBuilder(model.ThesaurusOptions, ModelBuilder):
    """Builds a distributional thesaurus from counted, parsed or running text.

    All sources that are given are joined: their contexts stand side by side, told apart by
    the names of their relations.  Sources are paths, globs, folders, or names from the
    config's ``[resources]``.
    """

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the source files, and what tells the parser's version."""
        files = [path for corpus in self._corpora(resources).values() for path in corpus.files()]
        if self.text and self.lexicon not in model.OWN_LEXICONS:
            files += FREQUENCIES[self.lexicon].inputs(resources)
        if self.parse:
            parsed.check_parser(self.parser, resources)
            files += parsed.parser_files(self.parser)
        return list(dict.fromkeys(files))

    def check_extras(self) -> None:
        """Look for DuckDB, and for numba, spaCy and what knows lemmas where they have work."""
        look_for("duckdb", *ENGINE)
        if self.tables:
            look_for("numba", *COMPILER)
        if self.parse:
            parsed.look_for_parser(self.parser)
        if self.text and not self.takes_forms() and self.lexicon != "lemmas":
            language_of(self.language).prepare()

    def build(self, resources: Resources, folder: Path) -> None:
        """Build the thesaurus into a folder.

        What is counted and compared is kept in the cache folder until the thesaurus is whole,
        so that a build that was stopped goes on where it was.  Of several builds of the same
        thesaurus at once, one works and the others wait.

        Raises:
            LexsubError: a source is missing or not what it should be, or the disk refuses.
        """
        name = work_name(self, self.inputs(resources), resources.cache)
        work = resources.cache / "thesaurus" / name
        running = resources.workers, resources.backend, self.memory
        with locked(work, "building this thesaurus"):
            whole = work / "thesaurus"
            if not (whole / FILE).is_file():  # the last that counting writes
                shutil.rmtree(whole, ignore_errors=True)
                whole.mkdir(parents=True)
                self._count(resources, work, whole)
            for measure in self.tables:
                build_table(whole, measure, self.top, *running)
            shutil.copytree(whole, folder, dirs_exist_ok=True, copy_function=_link)
            shutil.rmtree(work, ignore_errors=True)

    def _count(self, resources: Resources, work: Path, folder: Path) -> None:
        jobs = Jobs.sharing(resources.workers, resources.backend, self.memory)
        runs, merged = work / "runs", work / "merged"
        with engine(self.memory, resources.workers, work) as connection:
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
        model.write_header(
            folder, model.ThesaurusHeader(parameters=parameters, sources=sources, spaces=spaces)
        )

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
                    parsed.conllu_jobs(corpus, shards)
                    if kind == "conllu"
                    else parsed.parse_jobs(corpus, self.parser, shards),
                    f"counting relations ({kind})",
                )
                count_wanted(connection, f"'{quoted(shards)}/*.parquet'", self.inventory)
            yield {
                "kind": kind,
                "files": [path.name for path in corpus.files()],
                "sha256": corpus.sha256(),
                **found,
            }

    def _analysis(self, connection: Any, resources: Resources) -> Analysis:
        spoken = language_of(self.language)
        if self.takes_forms():
            return OneLemma(str)
        if self.lexicon == "lemmas":
            lemmatiser = spoken.lemmatiser(resources)
            return OneLemma(lambda form: lemmatiser.lemma(form, ""))
        if self.lexicon in ("", "relations"):
            rows = connection.execute("SELECT word, pos, sum(count) FROM counts GROUP BY ALL")
            counts = {(word, pos): float(count) for word, pos, count in rows.fetchall()}
            return LemmaTable(lambda word, pos: counts.get((word, pos), 0.0), self.share, spoken)
        resources = replace(resources, language=self.language)
        return LemmaTable(FREQUENCIES[self.lexicon].open(resources).frequency, self.share, spoken)

    def _corpora(self, resources: Resources) -> dict[str, Corpus]:
        kinds = {
            "relations": Corpus(_places(resources, self.relations), SUFFIXES),
            "conllu": Corpus(_places(resources, self.conllu), parsed.CONLLU_SUFFIXES),
            "parse": Corpus(_places(resources, self.parse)),
            "text": Corpus(_places(resources, self.text)),
        }
        return {kind: corpus for kind, corpus in kinds.items() if corpus.sources}


def _link(source: str, target: str) -> None:
    """Give a finished file its second name; copy it to another disk."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _places(resources: Resources, names: Sequence[str]) -> tuple[Path | str, ...]:
    return tuple(resources.paths.get(name, name) for name in names)
