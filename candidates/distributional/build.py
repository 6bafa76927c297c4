"""Build a thesaurus: the model kind ``thesaurus`` of configs, and what the command calls."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from candidates.distributional.counts import TABLE, Keep, write_spaces
from candidates.distributional.engine import engine
from candidates.distributional.inventory import Inventory, patterns
from candidates.distributional.measures import parse_measure
from candidates.distributional.model import Header, write_header
from candidates.distributional.relations import SUFFIXES, load_relations
from candidates.distributional.table import build_table
from candidates.registry import BUILDERS
from lexsub.corpus import corpus_files
from lexsub.resources import Resources


@BUILDERS.register("thesaurus")
@dataclass(frozen=True)
class ThesaurusBuilder:
    """Builds a distributional thesaurus from counted, parsed or running text.

    All sources that are given are joined: their contexts stand side by side, told apart by
    the names of their relations.

    Attributes:
        relations: files of relation counts (see ``relations``), as paths, globs, folders or
            names from ``[resources]``.
        inventory: which relations count: ``core`` (McCarthy et al., 2007), ``all``, or names
            by part of speech.
        word_tokens: context tokens that a word needs at least.
        context_tokens: tokens that a context needs at least.
        pair_tokens: tokens that a pair of word and context needs at least.
        tables: measures whose whole table of neighbours is computed in advance.
        top: neighbours a word in those tables.
        memory: megabytes the merging of counts may use; beyond them it goes to disk.
    """

    relations: tuple[str, ...] = ()
    inventory: Inventory = "core"
    word_tokens: int = 10
    context_tokens: int = 1
    pair_tokens: int = 1
    tables: tuple[str, ...] = ()
    top: int = 200
    memory: int = 1500

    code: ClassVar[tuple[str, ...]] = ("candidates.distributional", "lexsub.corpus")

    def __post_init__(self) -> None:
        patterns(self.inventory)
        self.keep()
        for measure in self.tables:
            parse_measure(measure, "tables")
        if not self.relations:
            raise ValueError("no source is given; expected relations")
        if self.top < 1 or self.memory < 100:
            raise ValueError("top must be at least 1, memory at least 100 (megabytes)")

    def keep(self) -> Keep:
        """Return which words and contexts to keep."""
        return Keep(self.word_tokens, self.context_tokens, self.pair_tokens)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the source files."""
        return corpus_files(_places(resources, self.relations), SUFFIXES)

    def build(self, resources: Resources, folder: Path) -> None:
        """Build the thesaurus into a folder.

        What is finished is kept in the cache folder until the thesaurus is whole, so that
        a build that was stopped goes on where it was.

        Raises:
            LexsubError: a source is missing or not what it should be, or the disk refuses.
        """
        work = resources.cache / "thesaurus" / self._key(resources)
        work.mkdir(parents=True, exist_ok=True)
        with engine(work, self.memory, resources.workers) as connection:
            connection.execute(TABLE)
            sources = [self._load_relations(connection, resources, work)]
            spaces = write_spaces(connection, folder, self.keep())
        parameters = {
            key: value
            for key, value in asdict(self).items()
            if key not in ("relations", "tables", "top", "memory")
        }
        write_header(folder, Header(parameters=parameters, sources=tuple(sources), spaces=spaces))
        for measure in self.tables:
            build_table(folder, measure, self.top, resources.workers, resources.backend)
        shutil.rmtree(work, ignore_errors=True)

    def _load_relations(self, connection: Any, resources: Resources, work: Path) -> dict[str, Any]:
        return load_relations(connection, _places(resources, self.relations), self.inventory, work)

    def _key(self, resources: Resources) -> str:
        """Return a name for the unfinished work, the same for the same work."""
        files = [f"{path.resolve()} {path.stat().st_size}" for path in self.inputs(resources)]
        return hashlib.sha256(repr((self, files)).encode()).hexdigest()[:24]


def _places(resources: Resources, names: Sequence[str]) -> list[Path | str]:
    return [resources.paths.get(name, name) for name in names]
