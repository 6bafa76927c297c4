"""From merged counts to the folder of a thesaurus: words and contexts numbered, cells written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lexsub.candidates.distributional import model, sorted_counts
from lexsub.candidates.distributional.sorted_counts import Jobs, Numbers, WordRange
from lexsub.errors import LexsubError
from lexsub.storage.arrays import array_file, write_strings
from lexsub.storage.files import writing

TABLES = (
    "CREATE TABLE counts "
    "(pos VARCHAR, word VARCHAR, relation VARCHAR, other VARCHAR, count BIGINT)",
    "CREATE TABLE analyses (form BIGINT, pos VARCHAR, word VARCHAR, tokens BIGINT)",
    "CREATE TABLE window_contexts (place BIGINT, relation VARCHAR, other VARCHAR)",
)
"""Rows that were counted, and what the forms of running text stand for."""


def number_all(connection: Any, work: Path, runs: Path) -> tuple[list[WordRange], int]:
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
    sorted_counts.write_query(connection, "FROM words ORDER BY id", work / "words.parquet")
    sorted_counts.write_query(connection, "FROM contexts ORDER BY id", work / "contexts.parquet")
    (contexts,) = connection.execute("SELECT count(*) FROM contexts").fetchone()
    runs.mkdir(exist_ok=True)
    rows = runs / "rows.parquet"
    if not rows.exists():
        query = (
            f"SELECT words.id * {contexts} + contexts.id AS key, sum(count)::BIGINT AS count "
            "FROM counts JOIN words USING (pos, word) JOIN contexts USING (relation, other) "
            "GROUP BY key ORDER BY key"
        )
        sorted_counts.write_query(connection, query, rows)
    words = connection.execute("SELECT pos, tokens FROM words ORDER BY id").fetchnumpy()
    parts = sorted_counts.cut_parts(words["pos"].tolist(), words["tokens"], sorted_counts.PART)
    return parts, int(contexts)


def write_spaces(
    work: Path,
    parts: Sequence[WordRange],
    merged: Path,
    folder: Path,
    options: model.ThesaurusOptions,
    jobs: Jobs,
) -> dict[str, model.SpaceHeader]:
    """Write every part of speech from the merged parts, each by one job.

    Words are ordered by falling number of tokens, then by name; that is the order in which
    ties between neighbours are broken.  Contexts are ordered by relation, then other word.

    Raises:
        LexsubError: no word has enough tokens.
    """
    own = {pos: [part for part in parts if part.pos == pos] for pos in model.POS_NAMES}
    spaces_of = [partial(write_space, pos, work, own[pos], merged, folder, options) for pos in own]
    found = dict(jobs.run(spaces_of))
    spaces = {pos: found[pos] for pos in model.POS_NAMES if found.get(pos) and found[pos].words}
    if not spaces:
        raise LexsubError(
            f"no word has {options.word_tokens} context tokens: use a larger corpus, "
            "or lower word_tokens"
        )
    return spaces


def write_space(
    pos: str,
    work: Path,
    parts: Sequence[WordRange],
    merged: Path,
    folder: Path,
    options: model.ThesaurusOptions,
) -> tuple[str, model.SpaceHeader | None]:
    """Write a part of speech from its parts, in order; runs in a worker.

    The merged cells go by twice, a part at a time: for the lengths of the rows, and to their
    places.  ``work`` has the names of words and contexts.

    Returns the part of speech, and its header unless it has no counts.

    Raises:
        FileProblemError: the disk refuses.
    """
    with writing(folder):
        totals = [sorted_counts.read_shard(part.file(merged, "words.parquet")) for part in parts]
        if not any(len(one["word"]) for one in totals):
            return pos, None
        place = model.space_folder(folder, pos)
        first, stop = parts[0].first, parts[-1].stop
        total = np.zeros(stop - first, np.int64)
        for one in totals:
            total[one["word"] - first] = one["total"]
        words = np.flatnonzero(total >= options.word_tokens)
        words = words[np.argsort(-total[words], kind="stable")]
        names = sorted_counts.read_shard(work / "contexts.parquet")
        kept = _kept(parts, merged, len(names["other"]), options.context_tokens)
        cells = partial(_cells, parts, merged, kept, options.pair_tokens)
        lengths, left, largest = _sizes(cells(words), len(words))
        if options.pair_tokens > 1:
            # By the tokens that the cut of pairs has left them, then by name.
            order = np.lexsort((words, -left))
            words, lengths = words[order], lengths[order]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        _write_cells(place, cells(words), starts, np.uint32 if largest < 2**32 else np.uint64)
        spelled = sorted_counts.read_shard(work / "words.parquet")["word"][first:stop]
        write_strings(place, "words", spelled[words].tolist())
        chosen = np.flatnonzero(kept >= 0)
        relations = _write_contexts(place, names["relation"][chosen], names["other"][chosen])
        return pos, model.SpaceHeader(
            words=len(words),
            contexts=len(chosen),
            nonzeros=int(starts[-1]),
            tokens=int(left.sum()),
            relations=relations,
            sha256=_digest(place),
        )


def _kept(parts: Sequence[WordRange], merged: Path, contexts: int, least: int) -> Numbers:
    """Return the new number of every context; -1 for one that has too few tokens."""
    total = np.zeros(contexts, np.int64)
    for part in parts:
        found = sorted_counts.read_shard(part.file(merged, "contexts.parquet"))
        total[found["context"]] += found["total"]
    return np.where(total >= least, np.cumsum(total >= least) - 1, -1)


def _cells(
    parts: Sequence[WordRange], merged: Path, kept: Numbers, least: int, words: Numbers
) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """Yield rows, contexts and counts of the cells kept, a part at a time, equal rows side by side.

    Contexts have their numbers in ``kept`` (contexts,), cells at least ``least`` tokens; ``words``
    (rows,) says which word each row is, counted from the first part's first.
    """
    first, stop = parts[0].first, parts[-1].stop
    rows = np.full(stop - first, -1, np.int64)
    rows[words] = np.arange(len(words))
    for part in parts:
        found = sorted_counts.read_shard(part.file(merged, "cells.parquet"))
        row, context = rows[found["word"] - first], kept[found["context"]]
        at = (row >= 0) & (context >= 0) & (found["count"] >= least)
        yield row[at], context[at], found["count"][at]


def _sizes(
    cells: Iterator[tuple[Numbers, Numbers, Numbers]], rows: int
) -> tuple[Numbers, Numbers, int]:
    """Return the number of cells and the tokens of every row, and the largest count."""
    lengths, tokens, largest = np.zeros(rows, np.int64), np.zeros(rows, np.int64), 0
    for row, _, count in cells:
        lengths += np.bincount(row, minlength=rows)
        # Sums of whole numbers below 2**53 are exact.
        tokens += np.bincount(row, count, minlength=rows).astype(np.int64)
        largest = max(largest, int(count.max(initial=0)))
    return lengths, tokens, largest


def _write_cells(
    place: Path, cells: Iterator[tuple[Numbers, Numbers, Numbers]], starts: Numbers, wide: Any
) -> None:
    np.save(place / "starts.npy", starts)
    shape = (int(starts[-1]),)
    with (
        array_file(place / "contexts.npy", np.int32, shape) as contexts_file,
        array_file(place / "counts.npy", wide, shape) as counts_file,
    ):
        for row, context, count in cells:
            begins = np.flatnonzero(np.diff(row, prepend=-1))
            targets = starts[row[begins]]
            _write_rows(contexts_file, targets, begins, context.astype(np.int32))
            _write_rows(counts_file, targets, begins, count.astype(wide))


def _write_rows(file: IO[bytes], targets: Numbers, begins: Numbers, values: NDArray[Any]) -> None:
    """Write rows of numbers to their places in a file, and go back behind its header."""
    head = file.tell()
    places = (head + targets * values.itemsize).tolist()
    stops = [*begins[1:].tolist(), len(values)][: len(begins)]  # there may be no row
    for place, begin, stop in zip(places, begins.tolist(), stops, strict=True):
        file.seek(place)
        file.write(values[begin:stop].data)
    file.seek(head)


def _write_contexts(place: Path, relations: Any, others: Any) -> tuple[str, ...]:
    """Write the contexts' names and relations; return what those are called."""
    names = sorted(set(relations.tolist()))
    number = {name: index for index, name in enumerate(names)}
    pairs = zip(relations.tolist(), others.tolist(), strict=True)
    write_strings(place, "contexts", (f"{relation}\t{other}" for relation, other in pairs))
    of_context = [number[name] for name in relations.tolist()]
    np.save(place / "relations.npy", np.array(of_context, np.int16))
    return tuple(names)


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.npy")):
        digest.update(path.name.encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
