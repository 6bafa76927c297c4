"""Counts of grammatical relations from tab-separated files, and which relations are contexts.

Five columns: part of speech (n, v, a, r), lemma, relation, other lemma, count.  A relation
is named as seen from the lemma in column 2, as ``dobj-of`` for a noun that is a verb's
object.  The same row may occur any number of times; counts are added.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

from lexsub.candidates.distributional.sorted_counts import import_duckdb, quoted
from lexsub.corpus.reader import BLOCK, Corpus, CorpusReport
from lexsub.datasets import PARTS_OF_SPEECH
from lexsub.errors import ConfigError, FormatError
from lexsub.storage.compression import open_stream

SUFFIXES = (".tsv",)
COLUMNS = ("pos", "word", "relation", "other", "count")


def load_relations(
    connection: Any, corpus: Corpus, inventory: Inventory, work: Path
) -> dict[str, int]:
    """Add the rows of relation files to the engine's table ``counts``.

    Returns how many there were, and how many bad bytes.

    Raises:
        FormatError: a line that is no relation row.
        FileProblemError: a file that cannot be read.
    """
    report = CorpusReport()
    plain = work / "relations.tsv"
    rows = 0
    for path in corpus.files():
        _make_plain(path, plain, report)
        rows += _insert(connection, plain, inventory, partial(_first_fault, path))
        plain.unlink()
    return {"rows": rows, "bad_bytes": sum(report.bad_bytes.values())}


def _make_plain(path: Path, plain: Path, report: CorpusReport) -> None:
    """Write a file's lines as the engine reads them: uncompressed, valid, none blank.

    Files are nearly always like that already and are copied block by block; the others go
    line by line.
    """
    decoder = getincrementaldecoder("utf-8")()
    end = b"\n"
    try:
        with open_stream(path) as stream, plain.open("wb") as file:
            while block := stream.read(BLOCK):
                decoder.decode(block)
                if b"\r" in block or b"\0" in block or b"\n\n" in end + block:
                    break
                file.write(block)
                end = block[-1:]
            else:
                decoder.decode(b"", final=True)
                return
    except UnicodeDecodeError:
        pass
    with plain.open("w", encoding="utf-8", newline="\n") as file:
        for line in Corpus((path,)).lines(report):
            file.write(f"{line}\n")


def _insert(
    connection: Any, plain: Path, inventory: Inventory, diagnose: Callable[[], FormatError]
) -> int:
    """Load one plain file; only when something is wrong with it is the line looked for."""
    duckdb = import_duckdb()
    columns = ", ".join(f"'{name}': 'VARCHAR'" for name in COLUMNS)
    connection.execute("DROP TABLE IF EXISTS incoming")
    try:
        connection.execute(
            f"CREATE TABLE incoming AS SELECT * FROM read_csv('{quoted(plain)}', "
            f"columns = {{{columns}}}, delim = '\t', header = false, "
            "quote = '', escape = '', comment = '', nullstr = '\\N', auto_detect = false, "
            "strict_mode = true, max_line_size = 8000000)"
        )
    except (duckdb.InvalidInputException, duckdb.ConversionException) as error:
        raise diagnose() from error
    poses = ", ".join(f"'{pos}'" for pos in PARTS_OF_SPEECH)
    number = "regexp_full_match(count, '0*[1-9][0-9]{0,17}')"
    texts = "word != '' AND relation != '' AND other != ''"
    ((faulty, rows),) = connection.execute(
        f"SELECT count(*) FILTER (WHERE (pos IN ({poses}) AND {texts} AND {number}) "
        "IS NOT TRUE), count(*) FROM incoming"
    ).fetchall()
    if faulty:
        raise diagnose()
    count_wanted(connection, "incoming", inventory)
    connection.execute("DROP TABLE incoming")
    return int(rows)


def _first_fault(path: Path) -> FormatError:
    report = CorpusReport()
    for line in Corpus((path,)).lines(report):
        problem = _fault(line)
        if problem:
            return FormatError(path, report.lines + report.blank, problem)
    return FormatError(path, None, "is not a file of relation counts")


def _fault(line: str) -> str | None:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        return (
            f"{len(cells)} columns; expected 5 with tabs between them: "
            "part of speech, lemma, relation, other lemma, count"
        )
    if cells[0] not in PARTS_OF_SPEECH:
        return f"part of speech {cells[0]!r}; expected n, v, a or r"
    for name, cell in zip(COLUMNS[1:4], cells[1:4], strict=True):
        if not cell or cell == "\\N":
            return f"{name} is {cell!r}; expected text"
    if not cells[4].isascii() or not cells[4].isdigit() or int(cells[4]) < 1:
        return f"count {cells[4]!r}; expected a whole number of at least 1"
    if int(cells[4]) >= 10**18:
        return f"count {cells[4]} is too large"
    return None


# McCarthy, Koeling, Weeds and Carroll (2007, section 5.1): the verbs a noun is object or
# subject of and the adjectives and nouns that modify it; a verb's objects and subjects; the
# nouns an adjective modifies and the adverbs that modify it; what an adverb modifies.
CORE = {
    "n": ("dobj-of", "subj-of", "amod", "nn"),
    "v": ("dobj", "subj"),
    "a": ("amod-of", "advmod"),
    "r": ("advmod-of-v", "advmod-of-a"),
}
ALL = dict.fromkeys(PARTS_OF_SPEECH, ("*",))
INVENTORIES: Mapping[str, Mapping[str, tuple[str, ...]]] = {"core": CORE, "all": ALL}

Inventory = str | dict[str, tuple[str, ...]]
"""``core``, ``all``, or relation names by part of speech (``prep-*`` stands for a family)."""


def patterns(inventory: Inventory) -> Mapping[str, tuple[str, ...]]:
    """Return the relation patterns by part of speech.

    Raises:
        ConfigError: an unknown inventory or part of speech.
    """
    if isinstance(inventory, str):
        if inventory not in INVENTORIES:
            raise ConfigError(
                f"relations: found {inventory!r}; expected {' or '.join(INVENTORIES)}, or "
                "names by part of speech"
            )
        return INVENTORIES[inventory]
    unknown = sorted(set(inventory) - set(PARTS_OF_SPEECH))
    if unknown:
        raise ConfigError(
            f"relations: unknown part of speech {', '.join(unknown)}; expected n, v, a or r"
        )
    return inventory


def selected(inventory: Inventory, pos: str, relation: str) -> bool:
    """Return True if a relation of a word with this part of speech is wanted."""
    return any(fnmatchcase(relation, p) for p in patterns(inventory).get(pos, ()))


def count_wanted(connection: Any, rows: str, inventory: Inventory) -> None:
    """Add the rows of a table or of files to ``counts`` whose relations an inventory selects."""
    kinds = connection.execute(f"SELECT DISTINCT pos, relation FROM {rows}").fetchall()
    wanted = [kind for kind in kinds if selected(inventory, *kind)]
    connection.execute("CREATE OR REPLACE TABLE wanted (pos VARCHAR, relation VARCHAR)")
    if wanted:
        connection.executemany("INSERT INTO wanted VALUES (?, ?)", wanted)
    connection.execute(
        f"INSERT INTO counts SELECT pos, word, relation, other, count::BIGINT FROM {rows} "
        "SEMI JOIN wanted USING (pos, relation)"
    )
