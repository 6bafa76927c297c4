"""The tables of an experiment's file, with the type and the default of every key."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from lexsub.formats.outputs.catalogue import Kind
from lexsub.models import RecipeCard
from lexsub.parts.limits import Seed
from lexsub.printable import is_address
from lexsub.storage.headers import Closed

Table = str | dict[str, Any]
"""A part: its name alone, or a table with ``name`` and options."""

SLUG = r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$"
"""Names that become files: no folder, no hidden file, not too long with an ending behind it."""


class FigureTable(Closed):
    """``[[tables]]``: a table of figures in percent."""

    name: str = Field(pattern=SLUG)
    """Names its files."""
    title: str
    """Heads it."""
    measures: str
    """What it shows, as ``coverage-F@1..10``."""
    by_pos: bool = False
    """Whether each figure is also given for each part of speech."""
    published: dict[str, tuple[float, ...]] = Field(default_factory=dict)
    """Rows of the paper by system, in the table's columns, in percent; those of systems that are
    not in the run stand last."""


class ComparisonTable(Closed):
    """``[[comparisons]]``: systems of the run compared pairwise, with paired tests."""

    name: str = Field(pattern=SLUG)
    """Names its files and its place in ``scores.json``."""
    title: str
    """Heads it."""
    systems: tuple[str, ...] = Field(min_length=2)
    """Which systems, the one expected to be best first: differences are first minus second."""
    measures: str
    """Under which measures, as ``coverage-R optimal-F``."""
    pairs: Literal["all", "first"] = "all"
    """Every pair, or the first system with each other one."""
    unit: Literal["target", "item"] = "target"
    """What is resampled: whole targets, or single items (too narrow: a target's are alike)."""
    resamples: int = Field(default=10_000, ge=100, le=1_000_000)
    """Of both tests; their seed is the config's."""


class SystemTable(Closed):
    """``[[systems]]``: one system, from candidates to answers."""

    name: str = Field(pattern=SLUG)
    """Names the system's files and its row in the tables."""
    candidates: Table
    """Candidate source, or ``{ same_as = "NAME" }`` for that of another system."""
    answers: str | tuple[str, ...] | dict[Kind, str] = Field(default_factory=dict)
    """In place of candidates and ranker: files of another program's answers, from this file's
    folder; one, several (``["x.best", "x.oot"]``), or by what they hold (``{ oot = …, ranking = …
    }``).  Boundaries cut only where a ranking is all there is."""
    ranker: Table = "order"
    """Ranker over all candidates of an item."""
    best: Table = Field(default_factory=lambda: {"name": "top-n", "n": 1})
    """Boundary that decides the best answers."""
    oot: Table = Field(default_factory=lambda: {"name": "top-n", "n": 10})
    """Boundary that decides the out-of-ten answers."""
    mw: Table | None = None
    """Multiword detector; without one the system answers no mw task."""
    published: str | None = None
    """Row of the published tables to print beside it, as ``mccarthy-navigli-2007/WordNet``."""


class BaseTable(Closed):
    """A file that is built on another: all else in it is added to that one or stands in place."""

    based_on: str
    """The experiment built on: name of a ready one, or a file from this one's folder. Systems,
    tables, comparisons and models of this file stand behind that one's, in this file's order;
    where that one has the name, too, keys not given here are as there (``more`` makes its lists
    longer). Resources and notes are joined by name, plugins are those of both; any other key given
    here stands in place."""
    without: tuple[str, ...] = ()
    """What is left out of it: keys, and names behind them, as ``tuning``, ``systems.lm``,
    ``models.learned.features.votes``."""


class ExperimentTable(Closed):
    """The whole file."""

    name: str = Field(pattern=SLUG)
    """Names the run's folder."""
    title: str = ""
    """Heads the tables."""
    plugins: tuple[str, ...] = ()
    """Files (from this one's folder) and modules that register parts of your own."""
    notes: dict[Literal["all", "best", "oot", "mw", "measures"], tuple[str, ...]] = Field(
        default_factory=dict
    )
    """Printed under a task's table, or under all: what differs from the published set-up."""
    data: str
    """Data set and split, as ``semeval2007/test``."""
    language: str | None = Field(default=None, pattern="^[a-z]{2,3}$")
    """ISO 639-1 code of the sentences, as ``fr``; by default the data set's own (of a file of
    yours, English). It chooses lemmas and forms, and is the ``language`` of models that have
    such an option and do not say it."""
    tuning: str | None = None
    """Data set and split on which boundaries may learn, as ``semeval2007/trial``."""
    seed: Seed = 0
    """Seed of everything random."""
    workers: int = Field(default=1, ge=1, le=512)
    """Processes for the parallel stages; the output does not depend on it."""
    backend: str = "loky"
    """joblib backend of the parallel stages: loky, threading, dask …."""
    normalisation: Literal["official", "clean", "lemma", "tsar", "exact"] | None = None
    """How answers are compared with the gold; by default as the data set has it: ``official`` for
    ``semeval2007/test`` and ``trial``, whose published figures are the official scorer's, ``tsar``
    for TSAR-2022 and ``exact`` for other sets of lexical simplification, else ``clean``."""
    measures: tuple[str, ...] = ()
    """Measures beyond those of the official tables, by their names."""
    resources: dict[str, str] = Field(default_factory=dict)
    """Places of resources by name, looked for beside the config file, in the data folders, and
    beside these."""
    models: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Models to train first, each a table with ``kind`` and options, in this order; with
    ``same_as = "NAME"`` what it does not say is as that model has it, and the lists in ``more``,
    as ``{ features = [...] }``, are put behind that model's own."""
    tables: tuple[FigureTable, ...] = ()
    """Further tables, beside those of the official tasks."""
    comparisons: tuple[ComparisonTable, ...] = ()
    """Paired tests between systems of the run."""
    systems: tuple[SystemTable, ...] = Field(min_length=1)
    """The systems to run."""
    card: RecipeCard | None = None
    """What a model made from this file says of itself (``lexsub model build``)."""

    @property
    def data_name(self) -> str:
        """The data set's name as tables show it: of a file its own, not where it lies."""
        path = Path(self.data)
        return path.name if path.is_absolute() or is_address(path) else self.data
