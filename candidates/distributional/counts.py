"""Number what was counted, and write the merged counts as a thesaurus."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexsub.candidates.distributional.engine import write_query
from lexsub.candidates.distributional.model import POS_NAMES, SpaceHeader
from lexsub.candidates.distributional.runs import PART, Jobs, Part, cut_parts
from lexsub.candidates.distributional.spaces import write_space
from lexsub.errors import LexsubError

if TYPE_CHECKING:
    from lexsub.candidates.distributional.build import ThesaurusBuilder

TABLES = (
    "CREATE TABLE counts "
    "(pos VARCHAR, word VARCHAR, relation VARCHAR, other VARCHAR, count BIGINT)",
    "CREATE TABLE analyses (form BIGINT, pos VARCHAR, word VARCHAR, tokens BIGINT)",
    "CREATE TABLE window_contexts (place BIGINT, relation VARCHAR, other VARCHAR)",
)
"""Rows that were counted, and what the forms of running text stand for."""


def number_all(connection: Any, work: Path, runs: Path) -> tuple[list[Part], int]:
    """Number all words and contexts of the engine's tables, and write ``counts`` as a run.

    Words are numbered by part of speech and name, contexts by relation and other word; what
    they are called stays in ``work``.

    Returns the parts in which the words' counts are to be merged, and the number of contexts.
    """
    connection.execute(
        "CREATE TABLE words AS SELECT pos, word, sum(tokens)::BIGINT AS tokens, "
        "row_number() OVER (ORDER BY pos, word) - 1 AS id FROM ("
        "SELECT pos, word, tokens FROM analyses UNION ALL "
        "SELECT pos, word, count(*) AS tokens FROM counts GROUP BY pos, word) GROUP BY pos, word"
    )
    connection.execute(
        "CREATE TABLE contexts AS SELECT relation, other, "
        "row_number() OVER (ORDER BY relation, other) - 1 AS id FROM ("
        "SELECT relation, other FROM counts UNION SELECT relation, other FROM window_contexts)"
    )
    write_query(connection, "FROM words ORDER BY id", work / "words.parquet")
    write_query(connection, "FROM contexts ORDER BY id", work / "contexts.parquet")
    (contexts,) = connection.execute("SELECT count(*) FROM contexts").fetchone()
    runs.mkdir(exist_ok=True)
    rows = runs / "rows.parquet"
    if not rows.exists():
        query = (
            f"SELECT words.id * {contexts} + contexts.id AS key, sum(count)::BIGINT AS count "
            "FROM counts JOIN words USING (pos, word) JOIN contexts USING (relation, other) "
            "GROUP BY key ORDER BY key"
        )
        write_query(connection, query, rows)
    words = connection.execute("SELECT pos, tokens FROM words ORDER BY id").fetchnumpy()
    return cut_parts(words["pos"].tolist(), words["tokens"], PART), int(contexts)


def write_spaces(
    work: Path,
    parts: Sequence[Part],
    merged: Path,
    folder: Path,
    options: ThesaurusBuilder,
    jobs: Jobs,
) -> dict[str, SpaceHeader]:
    """Write every part of speech from the merged parts, each by one job.

    Words are ordered by falling number of tokens, then by name; that is the order in which
    ties between neighbours are broken.  Contexts are ordered by relation, then other word.

    Raises:
        LexsubError: no word has enough tokens.
    """
    of_pos = {pos: [part for part in parts if part.pos == pos] for pos in POS_NAMES}
    found = dict(jobs.run([
        partial(write_space, pos, work, some, merged, folder, options)
        for pos, some in of_pos.items()
    ]))  # fmt: skip
    spaces = {pos: found[pos] for pos in POS_NAMES if found.get(pos) and found[pos].words}
    if not spaces:
        raise LexsubError(
            f"no word has {options.word_tokens} context tokens: use a larger corpus, "
            "or lower word_tokens"
        )
    return spaces
