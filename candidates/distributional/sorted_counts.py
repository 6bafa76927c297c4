"""Counts of (word, context) pairs as sorted runs on disk, which the workers write and merge.

A run is a Parquet file of ``key`` and ``count``, sorted by key; a key is word * contexts + context.
The words are numbered by part of speech, then name, the contexts by relation, then other word.
Runs are merged a part of the words at a time, each part by one job, in the memory it is given
and on its worker's own disk beyond that: nothing is collected anywhere.

The engine that merges is DuckDB, because its grouping, joining and sorting all go to disk once a
given memory limit is reached (Polars' streaming engine does not promise that for groups, PyArrow
does not spill at all), because it reads and writes the Parquet shards of any number of workers by
itself, and because it is one wheel without dependencies.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FileProblemError, needing, one_line
from lexsub.parallel import run
from lexsub.storage.arrays import changes


@contextmanager
def engine(memory_mb: int, threads: int = 1, within: Path | None = None) -> Iterator[Any]:
    """Open a fresh database in a folder of its own and delete it in the end.

    Args:
        memory_mb: megabytes that it may use.
        threads: how many it works with.
        within: where the folder is; by default among the temporary ones of the machine that
            this runs on.

    Raises:
        MissingExtraError: DuckDB is not installed.
        FileProblemError: the disk is full or the memory limit too tight for the data.
    """
    duckdb = import_duckdb()
    with tempfile.TemporaryDirectory(
        prefix="lexsub-", dir=within, ignore_cleanup_errors=True
    ) as folder:
        settings = {
            "memory_limit": f"{memory_mb}MB",
            "threads": threads,
            "temp_directory": f"{folder}/spill",
            # Order comes from ORDER BY alone; not keeping the input's saves memory.
            "preserve_insertion_order": False,
        }
        what = f"counts could not be merged within {memory_mb} MB of memory"
        with (
            _refusals(within or Path(folder), what),
            closing(duckdb.connect(f"{folder}/counts.duckdb", config=settings)) as connection,
        ):
            yield connection


@contextmanager
def _refusals(place: Path, what: str) -> Iterator[None]:
    """Say in one line what DuckDB could not do at a place for want of disk or memory."""
    duckdb = import_duckdb()
    try:
        yield
    except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
        raise FileProblemError(place, f"{what}: {one_line(str(error))}") from error
    except RuntimeError as error:
        # What a signal's handler raises in the middle of a query does not come through.
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from error
        raise


def import_duckdb() -> Any:
    """Return the duckdb module.

    Raises:
        MissingExtraError: it is not installed.
    """
    with needing(*ENGINE):
        import duckdb
    return duckdb


def write_shard(path: Path, **columns: Any) -> None:
    """Write equally long arrays as a Parquet file that appears whole or not at all."""
    with _connection() as connection, _refusals(path, "cannot be written"):
        connection.register("shard", columns)
        write_query(connection, "FROM shard", path)


def write_query(connection: Any, query: str, path: Path) -> None:
    """Write what a query finds as a Parquet file that appears whole or not at all."""
    # A worker that was given up may still be writing when its work is done again elsewhere.
    draft = path.with_name(f"{path.name}.{uuid4().hex}.part")
    try:
        connection.execute(
            f"COPY ({query}) TO '{quoted(draft)}' (FORMAT parquet, COMPRESSION zstd)"
        )
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read_shard(path: Path) -> dict[str, Any]:
    """Return the columns of a Parquet file, its rows in their order."""
    with _connection() as connection:
        columns: dict[str, Any] = connection.execute(f"FROM '{quoted(path)}'").fetchnumpy()
        return columns


def _connection() -> Any:
    """Return a new connection to this process's database; the caller closes it."""
    return closing(_database(os.getpid()).cursor())


@cache
def _database(_process: int) -> Any:
    """Open a database in memory that holds nothing: to open one takes longer than a small shard.

    A process that is forked off opens its own.
    """
    return import_duckdb().connect(config={"threads": 1})


def quoted(path: Path) -> str:
    """Return a path as it may stand between quotes in SQL."""
    return str(path).replace("'", "''")


Numbers = NDArray[np.int64]

ENGINE = ("duckdb", "thesaurus", "building a thesaurus")
PART = 24_000_000
"""Tokens of pairs whose runs are merged in one job."""


@dataclass(frozen=True)
class Jobs:
    """What runs the jobs of a build.

    Attributes:
        workers: how many at a time.
        backend: joblib's, as ``loky`` or ``dask``.
        memory: megabytes that a job may use.
    """

    workers: int
    backend: str
    memory: int = 0

    @classmethod
    def sharing(cls, workers: int, backend: str, memory: int) -> Jobs:
        """Return jobs that share a machine's memory; on a cluster each worker has its own."""
        return cls(workers, backend, memory // (1 if backend == "dask" else workers))

    def run(self, jobs: Iterable[Callable[[], Any]], label: str = "") -> list[Any]:
        """Run jobs in any order and return what they return: little, for it is collected."""
        total = len(jobs) if isinstance(jobs, list) else None
        return list(run(jobs, self.workers, self.backend, label, total, ordered=False))


def write_run(path: Path, weighted: Sequence[tuple[Numbers, int]]) -> None:
    """Write a run of all keys of some arrays, counting each by the weight of its array."""
    counted = [_counted(keys, weight) for keys, weight in weighted]
    none = np.zeros(0, np.int64)  # there may be no pair at all
    keys = np.concatenate([none, *(one for one, _ in counted)])
    counts = np.concatenate([none, *(many for _, many in counted)])
    if len(counted) > 1:
        order = np.argsort(keys, kind="stable")  # quick for a few sorted ones in a row
        keys, counts = keys[order], counts[order]
        first = np.flatnonzero(changes(keys))
        keys, counts = keys[first], np.add.reduceat(counts, first) if len(first) else counts
    write_shard(path, key=keys, count=counts)


def _counted(keys: Numbers, weight: int) -> tuple[Numbers, Numbers]:
    """Return different keys in order and how often they are there, times the weight."""
    keys.sort()
    first = np.flatnonzero(changes(keys))
    return keys[first], np.diff(first, append=len(keys)) * weight


class WordRange(NamedTuple):
    """Some words of one part of speech that are worked on at a time.

    Attributes:
        pos: the part of speech.
        first: number of the first word.
        stop: number behind the last.
    """

    pos: str
    first: int
    stop: int

    def file(self, folder: Path, what: str) -> Path:
        """Return a file with results for these words."""
        return folder / f"{ord(self.pos[0])}-{self.first:09d}-{self.stop:09d}.{what}"


def cut_parts(pos: Sequence[str], tokens: Numbers, size: int) -> list[WordRange]:
    """Cut the words into parts of one part of speech and at most ``size`` tokens, or one word.

    Args:
        pos: (words,) the words' parts of speech, equal ones side by side.
        tokens: (words,) how many tokens of pairs each may have.
        size: the most for a part.
    """
    parts: list[WordRange] = []
    first, held = 0, 0
    for word, (here, count) in enumerate(zip(pos, tokens.tolist(), strict=True)):
        if word > first and (here != pos[first] or held + count > size):
            parts.append(WordRange(pos[first], first, word))
            first, held = word, 0
        held += count
    if len(pos):
        parts.append(WordRange(pos[first], first, len(pos)))
    return parts


def merge_runs(
    runs: Path, parts: Sequence[WordRange], contexts: int, least: int, folder: Path, jobs: Jobs
) -> None:
    """Merge all runs of a folder, part by part; parts merged before are left as they are.

    A word needs ``least`` tokens to count for its contexts.
    """
    folder.mkdir(exist_ok=True)
    missing = [part for part in parts if not part.file(folder, "contexts.parquet").exists()]
    merge = partial(_merge, runs, contexts, least, folder, jobs.memory)
    jobs.run([partial(merge, part) for part in missing], "merging counts")


def _merge(
    runs: Path, contexts: int, least: int, folder: Path, memory: int, part: WordRange
) -> None:
    """Merge the counts of some words; runs in a worker."""
    with engine(memory) as connection:
        connection.execute(
            "CREATE TABLE cells AS SELECT (key // $contexts)::INTEGER AS word, "
            "(key % $contexts)::INTEGER AS context, sum(count)::UBIGINT AS count "
            f"FROM '{quoted(runs)}/*.parquet' WHERE key >= $first AND key < $stop GROUP BY key",
            {"contexts": contexts, "first": part.first * contexts, "stop": part.stop * contexts},
        )
        connection.execute(
            "CREATE TABLE totals AS "
            "SELECT word, sum(count)::BIGINT AS total FROM cells GROUP BY word"
        )
        for what, query in {
            "cells": "FROM cells ORDER BY word, context",
            "words": "FROM totals ORDER BY word",
            "contexts": "SELECT context, sum(count)::BIGINT AS total FROM cells JOIN totals "
            f"USING (word) WHERE total >= {least} GROUP BY context ORDER BY context",
        }.items():  # the last one says that all are there
            write_query(connection, query, part.file(folder, f"{what}.parquet"))
