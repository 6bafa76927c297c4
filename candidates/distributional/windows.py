"""Window contexts from running text: the words around a word in its line, no parser needed."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import count
from math import lcm
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lexsub.candidates.distributional import sorted_counts
from lexsub.candidates.distributional.lemmas import Analysis
from lexsub.candidates.distributional.model import ThesaurusOptions
from lexsub.candidates.distributional.sorted_counts import Jobs, Numbers, quoted
from lexsub.corpus.reader import CorpusReport, Piece, blocks_of
from lexsub.errors import LexsubError
from lexsub.languages import Language, language_of
from lexsub.parts import plugins
from lexsub.storage.files import atomic_write, read_text, write_text

# Words are letters, with apostrophes inside; hyphens part words, digits and signs are none.
_TOKENS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\n")
BLOCK = 4 << 20
"""Characters counted at a time."""


def scale(options: ThesaurusOptions) -> int:
    """Return what a context at distance 1 counts, so that all counts are whole numbers.

    Whole numbers add up to the same sum in any order; fractions do not.
    """
    return lcm(*range(1, options.size + 1)) if options.weighting == "harmonic" else 1


def count_forms(
    connection: Any,
    corpus: Sequence[Piece],
    options: ThesaurusOptions,
    analysis: Analysis,
    work: Path,
    jobs: Jobs,
) -> dict[str, Any]:
    """Read the text once; fill the engine's tables ``analyses`` and ``window_contexts``.

    The workers read the pieces of the corpus in blocks; each block stays in ``work`` as its
    forms with their counts, and its tokens as numbers of those forms.  A count that was
    stopped goes on behind its last finished block.

    Returns what the thesaurus's header says of the text.

    Raises:
        LexsubError: no form is frequent enough, or the corpus cannot be read.
    """
    for folder in (work / "forms", work / "tokens"):
        folder.mkdir(exist_ok=True)
    read = partial(_read, work, language_of(options.language), plugins.known(), BLOCK)
    missing = [number for number in range(len(corpus)) if not _mark(work, number).exists()]
    jobs.run([partial(read, number, corpus[number]) for number in missing], "counting words")
    if not any(mark["blocks"] for mark in _marks(work)):
        raise LexsubError("the text holds nothing but blank lines; expected text to count")
    (tokens,) = jobs.run([partial(_merge_forms, work, options.form_tokens, jobs.memory)])
    vocabulary = sorted_counts.read_shard(work / VOCABULARY)
    forms = vocabulary["form"].tolist()
    if not forms:
        raise LexsubError(
            f"no word occurs {options.form_tokens} times in the text: use a larger corpus, "
            "or lower form_tokens"
        )
    _register(connection, forms, vocabulary["total"] * 2 * options.size, options, analysis)
    marks = _marks(work)
    return {
        "lines": sum(mark["lines"] for mark in marks),
        "bad_bytes": sum(mark["bad_bytes"] for mark in marks),
        "tokens": tokens,
        "forms": len(forms),
        "scale": scale(options),
    }


def _register(
    connection: Any, forms: list[str], pairs: Numbers, options: ThesaurusOptions, analysis: Analysis
) -> None:
    """Say which words a form of so many pairs may stand for, and what its contexts are called."""
    words = list(map(analysis.of, forms))
    numbers = np.repeat(np.arange(len(forms)), list(map(len, words)))
    named = [[word[part] for found in words for word in found] for part in (0, 1)]
    _insert(connection, "analyses", numbers, *named, pairs[numbers])
    names = forms[options.skip : options.skip + options.contexts]
    if options.context == "lemma":
        names = list(map(analysis.lemma, names))
    # Contexts of the same name (forms of a lemma, sides not told apart) add up in the end.
    sides = [side if options.sides else "near" for side in ("left", "right") for _ in names]
    _insert(connection, "window_contexts", np.arange(2 * len(names)), sides, [*names, *names])


def _insert(connection: Any, table: str, *columns: Numbers | list[str]) -> None:
    """Add rows, given by column, to a table of the engine."""
    given = {
        f"column{place}": np.array(one, object) if isinstance(one, list) else one
        for place, one in enumerate(columns)
    }
    connection.register("given", given)
    connection.execute(f"INSERT INTO {table} SELECT {', '.join(given)} FROM given")
    connection.unregister("given")


def count_pairs(options: ThesaurusOptions, work: Path, runs: Path, jobs: Jobs) -> None:
    """Count the pairs of words and contexts in the tokens that :func:`count_forms` left behind.

    Each job counts as many blocks as fit into its memory, into one sorted run.
    """
    plan = work / GROUPS
    if not plan.exists():  # a build that goes on with other memory keeps the groups it began with
        room = jobs.memory * 1_000_000 // (2 * options.size * BYTES_A_PAIR + BYTES_A_TOKEN)
        write_text(plan, json.dumps(_groups(_marks(work), room)))
    named = {runs / f"{group[0]}.parquet": group for group in json.loads(read_text(plan))}
    missing = [path for path in named if not path.exists()]
    counting = [partial(_count, path, named[path], work, options) for path in missing]
    jobs.run(counting, "counting pairs")
    shutil.rmtree(work / "tokens", ignore_errors=True)


def _groups(marks: Sequence[dict[str, Any]], room: int) -> list[list[str]]:
    """Return the names of the blocks, as many side by side as have so many tokens."""
    groups: list[list[str]] = []
    held = 0
    for name, tokens in [block for mark in marks for block in mark["blocks"]]:
        if not groups or held + tokens > room:
            groups.append([])
            held = 0
        groups[-1].append(name)
        held += tokens
    return groups


BYTES_A_PAIR = 32
"""What a pair takes in memory while it is counted: itself, its sorted copy, key and count."""
BYTES_A_TOKEN = 64


def write_plan(connection: Any, skip: int, work: Path) -> None:
    """Write what the numbers of forms stand for: their words, and their contexts.

    The first ``skip`` forms are no contexts.
    """
    (forms,) = connection.execute(f"SELECT count(*) FROM '{quoted(work / VOCABULARY)}'").fetchone()
    words = connection.execute(
        "SELECT form, id FROM analyses JOIN words USING (pos, word) ORDER BY form, id"
    ).fetchnumpy()
    found = connection.execute(
        "SELECT id FROM window_contexts JOIN contexts USING (relation, other) ORDER BY place"
    ).fetchnumpy()["id"]
    contexts = np.full((2, forms), -1, np.int64)
    width = len(found) // 2
    contexts[:, skip : skip + width] = found.reshape(2, width)
    (number,) = connection.execute("SELECT count(*) FROM contexts").fetchone()
    starts = np.searchsorted(words["form"], np.arange(forms + 1))
    with atomic_write(work / PLAN) as file:
        np.savez(file, **WindowPlan(starts, words["id"], contexts, number)._asdict())


VOCABULARY = "vocabulary.parquet"
PLAN = "plan.npz"
GROUPS = "groups.json"


def _mark(work: Path, number: int) -> Path:
    """Return the file that says that a piece is read."""
    return work / "forms" / f"{number:06d}.json"


def _marks(work: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted((work / "forms").glob("*.json"))]


def _read(
    work: Path, language: Language, known: plugins.Known, block: int, number: int, piece: Piece
) -> None:
    """Count the forms of a piece of the corpus, block by block; runs in a worker."""
    plugins.know(known)
    report = CorpusReport()
    blocks = []
    for place, lines in enumerate(blocks_of(piece.lines(report), block)):
        name = f"{number:06d}-{place:06d}"
        tokens = work / "tokens" / f"{name}.npy"
        forms = work / "forms" / f"{name}.parquet"
        if not forms.exists():
            _number(language.split_elided("\n".join(lines)), tokens, forms)
        blocks.append((name, len(np.load(tokens, mmap_mode="r"))))
    bad = sum(report.bad_bytes.values())
    mark = {"lines": report.lines, "bad_bytes": bad, "blocks": blocks}
    write_text(_mark(work, number), json.dumps(mark))


def _number(text: str, tokens: Path, forms: Path) -> None:
    """Write the forms of a text with their counts, and its tokens: 0 a line end, i form i - 1."""
    found = _TOKENS.findall(text.lower())
    numbers = defaultdict(count(1).__next__, {"\n": 0})
    ids = np.fromiter(map(numbers.__getitem__, found), np.int32, len(found))
    counts = np.bincount(ids, minlength=1)[1:]
    with atomic_write(tokens) as file:
        np.save(file, ids.astype(np.min_scalar_type(len(numbers))))
    sorted_counts.write_shard(forms, form=np.array(list(numbers)[1:], object), count=counts)


def _merge_forms(work: Path, least: int, memory: int) -> int:
    """Write the frequent forms of all blocks, the most frequent first; runs in a worker.

    Returns the number of tokens.
    """
    with sorted_counts.engine(memory) as connection:
        connection.execute(
            "CREATE TABLE forms AS SELECT form, sum(count)::BIGINT AS total "
            f"FROM '{quoted(work / 'forms')}/*.parquet' GROUP BY form"
        )
        query = f"FROM forms WHERE total >= {least} ORDER BY total DESC, form"
        sorted_counts.write_query(connection, query, work / VOCABULARY)
        (tokens,) = connection.execute("SELECT sum(total)::BIGINT FROM forms").fetchone()
        return int(tokens or 0)


def _count(run: Path, names: Sequence[str], work: Path, options: ThesaurusOptions) -> None:
    """Count the pairs of some blocks; runs in a worker."""
    known = _vocabulary(work / VOCABULARY)
    plan = _words_and_contexts(work / PLAN)
    found: dict[int, list[Numbers]] = defaultdict(list)
    for name in names:
        forms = sorted_counts.read_shard(work / "forms" / f"{name}.parquet")["form"].tolist()
        numbers = np.array([LINE_END, *(known.get(form, RARE) for form in forms)], np.int64)
        tokens = numbers[np.load(work / "tokens" / f"{name}.npy")]
        for keys, weight in pairs(tokens, plan, options):
            found[weight].append(keys)
    weighted = [(np.concatenate(found.pop(weight)), weight) for weight in sorted(found)]
    sorted_counts.write_run(run, weighted)


RARE, LINE_END = -1, -2


class WindowPlan(NamedTuple):
    """What forms stand for.

    Attributes:
        starts: (forms + 1,) where the words of a form start in ``words``.
        words: numbers of words.
        contexts: (2, forms) number of the context that a form is to the left and to the right
            of a word, -1 for none.
        number: how many contexts there are.
    """

    starts: Numbers
    words: Numbers
    contexts: Numbers
    number: int


def pairs(
    tokens: Numbers, plan: WindowPlan, options: ThesaurusOptions
) -> Iterator[tuple[Numbers, int]]:
    """Yield the pairs of some tokens as word * contexts + context, and what each counts.

    Args:
        tokens: numbers of forms, ``RARE`` or ``LINE_END``.
        plan: what they stand for.
        options: which pairs.
    """
    lines = np.cumsum(tokens == LINE_END)[tokens != LINE_END].astype(np.int32)
    tokens = tokens[tokens != LINE_END]
    if not len(tokens):
        return
    many = np.append(np.diff(plan.starts), 0)  # of RARE, which is the last one, none
    most = int(many.max())
    of_word = np.append(plan.starts[:-1], 0)
    sides = [np.append(side, -1)[tokens] for side in plan.contexts]
    for turn in range(most):
        # The word that a form may stand for, times the number of contexts; then the next one.
        has = many > turn
        word = np.full(len(many), -1, np.int64)
        word[has] = plan.words[of_word[has] + turn] * plan.number
        words = word[tokens]
        for distance in range(1, options.size + 1):
            left, right = slice(None, -distance), slice(distance, None)
            same = lines[left] == lines[right]
            weight = scale(options) // distance if options.weighting == "harmonic" else 1
            for side, target, context in ((0, right, left), (1, left, right)):
                if options.direction != ("right", "left")[side]:
                    at = same & (words[target] >= 0) & (sides[side][context] >= 0)
                    yield words[target][at] + sides[side][context][at], weight


@lru_cache(maxsize=2)
def _vocabulary(path: Path) -> Mapping[str, int]:
    """Read the forms once a worker."""
    forms = sorted_counts.read_shard(path)["form"].tolist()
    return dict(zip(forms, range(len(forms)), strict=True))


@lru_cache(maxsize=2)
def _words_and_contexts(path: Path) -> WindowPlan:
    with np.load(path, allow_pickle=False) as plan:
        return WindowPlan(*(plan[name] for name in WindowPlan._fields))
