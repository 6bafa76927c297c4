"""Merge counted contexts on disk and write them as a thesaurus."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lexsub.candidates.distributional.model import POS_NAMES, SpaceHeader, space_folder
from lexsub.errors import LexsubError
from lexsub.strings import write_strings

# Nonzeros fetched from the engine at a time.
PORTION = 4_000_000

TABLE = (
    "CREATE TABLE counts (pos VARCHAR, word VARCHAR, relation VARCHAR, other VARCHAR, count BIGINT)"
)


@dataclass(frozen=True)
class Keep:
    """Which words and contexts make it into a thesaurus.

    Attributes:
        word_tokens: context tokens that a word needs at least (McCarthy et al., 2007: 10).
        context_tokens: tokens that a context needs at least, over all words kept.
        pair_tokens: tokens that a pair of word and context needs at least.
    """

    word_tokens: int = 10
    context_tokens: int = 1
    pair_tokens: int = 1

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value < 1:
                raise ValueError(f"{name} is {value}; expected a whole number of at least 1")


def write_spaces(connection: Any, folder: Path, keep: Keep) -> dict[str, SpaceHeader]:
    """Write every part of speech of the engine's table ``counts``.

    Words are ordered by falling number of tokens, then by name; that is the order in which
    ties between neighbours are broken.  Contexts are ordered by relation, then other word.

    Raises:
        LexsubError: no word has enough tokens.
    """
    present = {row[0] for row in connection.execute("SELECT DISTINCT pos FROM counts").fetchall()}
    spaces = {}
    for pos in POS_NAMES:
        if pos in present:
            header = _write_space(connection, space_folder(folder, pos), pos, keep)
            if header.words:
                spaces[pos] = header
    if not spaces:
        raise LexsubError(
            f"no word has {keep.word_tokens} context tokens: use a larger corpus, "
            "or lower word_tokens"
        )
    return spaces


def _write_space(connection: Any, folder: Path, pos: str, keep: Keep) -> SpaceHeader:
    _select(connection, pos, keep)
    words = _column(connection, "SELECT word FROM words ORDER BY id")
    relations = _column(connection, "SELECT DISTINCT relation AS name FROM contexts ORDER BY name")
    contexts = connection.execute("SELECT relation, other FROM contexts ORDER BY id").fetchnumpy()
    write_strings(folder, "words", words)
    pairs = zip(contexts["relation"].tolist(), contexts["other"].tolist(), strict=True)
    write_strings(folder, "contexts", (f"{relation}\t{other}" for relation, other in pairs))
    number = {name: index for index, name in enumerate(relations)}
    np.save(
        folder / "relations.npy",
        np.array([number[name] for name in contexts["relation"].tolist()], np.int16),
    )
    tokens = _write_cells(connection, folder, len(words))
    starts = np.load(folder / "starts.npy")
    return SpaceHeader(
        words=len(words),
        contexts=len(contexts["other"]),
        nonzeros=int(starts[-1]),
        tokens=tokens,
        relations=tuple(relations),
        sha256=_digest(folder),
    )


def _select(connection: Any, pos: str, keep: Keep) -> None:
    """Make the tables words, contexts and cells of one part of speech."""
    for table in ("words", "contexts", "cells"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    connection.execute(
        "CREATE TABLE words AS "
        "SELECT word, row_number() OVER (ORDER BY total DESC, word) - 1 AS id FROM ("
        "SELECT word, sum(count) AS total FROM counts WHERE pos = $pos "
        "GROUP BY word HAVING sum(count) >= $least)",
        {"pos": pos, "least": keep.word_tokens},
    )
    connection.execute(
        "CREATE TABLE contexts AS "
        "SELECT relation, other, row_number() OVER (ORDER BY relation, other) - 1 AS id FROM ("
        "SELECT relation, other FROM counts JOIN words USING (word) WHERE pos = $pos "
        "GROUP BY relation, other HAVING sum(count) >= $least)",
        {"pos": pos, "least": keep.context_tokens},
    )
    connection.execute(
        "CREATE TABLE cells AS "
        "SELECT words.id::INTEGER AS row, contexts.id::INTEGER AS context, "
        "sum(count)::UBIGINT AS count FROM counts "
        "JOIN words USING (word) JOIN contexts USING (relation, other) "
        "WHERE pos = $pos GROUP BY ALL HAVING sum(count) >= $least ORDER BY row",
        {"pos": pos, "least": keep.pair_tokens},
    )
    if keep.pair_tokens > 1:
        _renumber(connection)


def _renumber(connection: Any) -> None:
    """Order the words by the tokens that the cut of pairs has left them, then by name."""
    connection.execute(
        "CREATE OR REPLACE TABLE renumbered AS SELECT word, id AS old, "
        "row_number() OVER (ORDER BY coalesce(total, 0) DESC, word) - 1 AS id FROM words "
        "LEFT JOIN (SELECT row, sum(count) AS total FROM cells GROUP BY row) ON row = id"
    )
    connection.execute("CREATE OR REPLACE TABLE words AS SELECT word, id FROM renumbered")
    connection.execute(
        "CREATE OR REPLACE TABLE cells AS SELECT renumbered.id::INTEGER AS row, context, count "
        "FROM cells JOIN renumbered ON row = old ORDER BY 1"
    )
    connection.execute("DROP TABLE renumbered")


def _write_cells(connection: Any, folder: Path, words: int) -> int:
    """Write the matrix a portion of rows at a time; return the sum of its counts."""
    rows = connection.execute("SELECT row, count(*) AS n FROM cells GROUP BY row").fetchnumpy()
    lengths = np.zeros(words, np.int64)
    lengths[rows["row"]] = rows["n"]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    np.save(folder / "starts.npy", starts)
    largest, tokens = connection.execute("SELECT max(count), sum(count) FROM cells").fetchone()
    contexts = np.empty(0, np.int32)
    counts = np.empty(0, np.uint32)
    if starts[-1]:
        shape = (int(starts[-1]),)
        wide = np.uint32 if largest < 2**32 else np.uint64
        contexts = _array(folder / "contexts.npy", np.int32, shape)
        counts = _array(folder / "counts.npy", wide, shape)
    else:
        np.save(folder / "contexts.npy", contexts)
        np.save(folder / "counts.npy", counts)
    first = 0
    while first < words:
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + PORTION, "right")) - 1)
        portion = connection.execute(
            "SELECT context, count FROM cells WHERE row >= $first AND row < $last "
            "ORDER BY row, context",
            {"first": first, "last": last},
        ).fetchnumpy()
        span = slice(int(starts[first]), int(starts[last]))
        contexts[span] = portion["context"]
        counts[span] = portion["count"]
        first = last
    for array in (contexts, counts):
        if isinstance(array, np.memmap):
            array.flush()
    return int(tokens or 0)


def _array(path: Path, dtype: Any, shape: tuple[int, ...]) -> Any:
    return np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape)


def _column(connection: Any, query: str) -> list[str]:
    return [row[0] for row in connection.execute(query).fetchall()]


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.npy")):
        digest.update(path.name.encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
