"""The engine that merges counts: DuckDB, in a database file that spills to disk.

DuckDB because its grouping, joining and sorting all go to disk once a given memory limit
is reached (Polars' streaming engine does not promise that for groups, PyArrow does not
spill at all), because it reads and writes the Parquet shards of any number of workers by
itself, and because it is one wheel without dependencies.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from lexsub.errors import FileProblemError, needing, one_line


@contextmanager
def engine(work: Path, memory_mb: int = 1500, threads: int = 1) -> Iterator[Any]:
    """Open a fresh database in the folder ``work`` and delete it in the end.

    Raises:
        MissingExtraError: DuckDB is not installed.
        FileProblemError: the disk is full or the memory limit too tight for the data.
    """
    duckdb = import_duckdb()
    path = work / "counts.duckdb"
    _remove(path)
    settings = {
        "memory_limit": f"{memory_mb}MB",
        "threads": threads,
        "temp_directory": str(work / "spill"),
        # Order comes from ORDER BY alone; not keeping the input's saves memory.
        "preserve_insertion_order": False,
    }
    try:
        with (
            _refusals(work, f"counts could not be merged within {memory_mb} MB of memory"),
            closing(duckdb.connect(str(path), config=settings)) as connection,
        ):
            yield connection
    finally:
        _remove(path)


@contextmanager
def _refusals(place: Path, what: str) -> Iterator[None]:
    """Say in one line what DuckDB could not do at a place for want of disk or memory."""
    duckdb = import_duckdb()
    try:
        yield
    except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
        raise FileProblemError(place, f"{what}: {one_line(str(error))}") from error


@contextmanager
def local_engine(memory_mb: int) -> Iterator[Any]:
    """Open a database for one job, in the temporary folder of the machine that it runs on.

    Raises:
        MissingExtraError: DuckDB is not installed.
        FileProblemError: the disk is full or the memory limit too tight for the data.
    """
    with (
        tempfile.TemporaryDirectory(prefix="lexsub-", ignore_cleanup_errors=True) as name,
        engine(Path(name), memory_mb) as connection,
    ):
        yield connection


def import_duckdb() -> Any:
    """Return the duckdb module.

    Raises:
        MissingExtraError: it is not installed.
    """
    with needing("duckdb", "thesaurus", "building a thesaurus"):
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


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.with_name(f"{path.name}.wal").unlink(missing_ok=True)
