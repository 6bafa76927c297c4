"""Window contexts from running text: the words around a word, no parser needed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from lexsub.candidates.distributional.engine import quoted, write_shard
from lexsub.candidates.distributional.lemmas import Analysis
from lexsub.corpus import Corpus, CorpusReport
from lexsub.errors import LexsubError
from lexsub.files import write_text
from lexsub.languages import Language
from lexsub.parallel import run

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Words are letters, with apostrophes inside; hyphens part words, digits and signs are none.
_TOKENS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\n")
BLOCK = 4 << 20
"""Characters a job."""


@dataclass(frozen=True)
class Window:
    """What counts as a window context.

    Attributes:
        size: how many words to either side; a line's end ends a window.
        direction: ``both`` sides, or the words to the ``left`` or ``right`` alone.
        sides: tell contexts on the left from those on the right.
        weighting: ``flat``, or ``harmonic``: a word at distance d counts 1/d.
        form_tokens: tokens that a form needs at least.
        contexts: how many of the most frequent forms are contexts.
        skip: how many of the very most frequent ones are not (they are common to all words).
        context: whether contexts are those ``form``s themselves, or each form's ``lemma`` (its
            most frequent one by the lexicon), whose forms then count together.
    """

    size: int = 2
    direction: Literal["both", "left", "right"] = "both"
    sides: bool = False
    weighting: Literal["flat", "harmonic"] = "flat"
    form_tokens: int = 10
    contexts: int = 50_000
    skip: int = 0
    context: Literal["form", "lemma"] = "form"

    def __post_init__(self) -> None:
        for name, least in {"size": 1, "form_tokens": 1, "contexts": 1, "skip": 0}.items():
            if getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)}; expected at least {least}")

    @property
    def scale(self) -> int:
        """What a context at distance 1 counts, so that all counts are whole numbers.

        Whole numbers add up to the same sum in any order; fractions do not.
        """
        return lcm(*range(1, self.size + 1)) if self.weighting == "harmonic" else 1

    def relation(self, side: int) -> str:
        """Return the name of the contexts on a side (0 left, 1 right)."""
        return ("left", "right")[side] if self.sides else "near"


def count_windows(
    connection: Any,
    corpus: Corpus,
    window: Window,
    analysis: Analysis,
    work: Path,
    workers: int,
    backend: str,
    language: Language,
) -> dict[str, Any]:
    """Add the window contexts of a corpus to the engine's table ``counts``.

    The corpus is read twice: for the forms, then for the pairs.  Both are counted in blocks
    of the text, whose results stay in ``work``: a count that was stopped goes on behind
    its last finished block.

    Returns what the thesaurus's header says of the source.

    Raises:
        LexsubError: no form is frequent enough, or the corpus cannot be read.
    """
    report = CorpusReport()
    shards = work / "forms"
    work_on = (workers, backend, language)
    _count_blocks(_form_job, (), corpus, report, shards, "counting words", *work_on)
    forms = connection.execute(
        f"SELECT form, sum(count)::BIGINT AS total FROM '{quoted(shards)}/*.parquet' "
        "GROUP BY form HAVING sum(count) >= $least ORDER BY total DESC, form",
        {"least": window.form_tokens},
    ).fetchall()
    if not forms:
        raise LexsubError(
            f"no word occurs {window.form_tokens} times in the text: use a larger corpus, "
            "or lower form_tokens"
        )
    vocabulary = work / "vocabulary.json"
    text = json.dumps([form for form, _ in forms], ensure_ascii=False)
    if not vocabulary.exists() or vocabulary.read_text(encoding="utf-8") != text:
        write_text(vocabulary, text)
    shards = work / "pairs"
    options = (vocabulary, window)
    _count_blocks(_pair_job, options, corpus, CorpusReport(), shards, "counting pairs", *work_on)
    _expand(connection, shards, [form for form, _ in forms], window, analysis)
    (tokens,) = connection.execute(
        f"SELECT sum(count)::BIGINT FROM '{quoted(work / 'forms')}/*.parquet'"
    ).fetchone()
    return {
        "kind": "windows",
        "files": [path.name for path in corpus.files()],
        "sha256": corpus.sha256(),
        "lines": report.lines,
        "bad_bytes": sum(report.bad_bytes.values()),
        "tokens": tokens,
        "forms": len(forms),
        "scale": window.scale,
    }


def _expand(
    connection: Any, shards: Path, forms: list[str], window: Window, analysis: Analysis
) -> None:
    """Merge the shards; give each form's contexts to every lemma it may be a form of."""
    analyses = analysis.of(forms)
    rows = [(number, pos, lemma) for number, form in enumerate(forms)
            for pos, lemma in analyses[form]]  # fmt: skip
    connection.register(
        "analyses_given",
        {
            "form": np.array([row[0] for row in rows], np.int64),
            "pos": np.array([row[1] for row in rows], object),
            "word": np.array([row[2] for row in rows], object),
        },
    )
    # Contexts of the same name (forms of a lemma, sides not told apart) add up in the end.
    names = [
        (window.relation(side), name)
        for side in (0, 1)
        for name in _context_names(forms, window, analysis)
    ]
    connection.register(
        "contexts_given",
        {
            "context": np.arange(len(names)),
            "relation": np.array([name[0] for name in names], object),
            "other": np.array([name[1] for name in names], object),
        },
    )
    connection.execute("CREATE OR REPLACE TABLE analyses AS SELECT * FROM analyses_given")
    connection.execute("CREATE OR REPLACE TABLE window_contexts AS SELECT * FROM contexts_given")
    connection.execute(
        "CREATE OR REPLACE TABLE pairs AS SELECT key // $width AS form, key % $width AS context, "
        f"sum(count)::BIGINT AS count FROM '{quoted(shards)}/*.parquet' GROUP BY key",
        {"width": len(names)},
    )
    connection.execute(
        "INSERT INTO counts SELECT pos, word, relation, other, count FROM pairs "
        "JOIN analyses USING (form) JOIN window_contexts USING (context)"
    )
    for table in ("pairs", "analyses", "window_contexts"):
        connection.execute(f"DROP TABLE {table}")


def _context_names(forms: list[str], window: Window, analysis: Analysis) -> list[str]:
    chosen = forms[window.skip : window.skip + window.contexts]
    if window.context == "form":
        return chosen
    lemmas = analysis.lemma(chosen)
    return [lemmas[form] for form in chosen]


def _count_blocks(
    job: Any,
    options: tuple[Any, ...],
    corpus: Corpus,
    report: CorpusReport,
    shards: Path,
    label: str,
    workers: int,
    backend: str,
    language: Language,
) -> None:
    """Count the blocks whose shard is not there yet; a mark says that all of them are."""
    done = shards / "done.json"
    if done.exists():
        _restore(report, json.loads(done.read_text()))
        return
    shards.mkdir(exist_ok=True)

    def jobs() -> Iterator[Any]:
        for number, lines in enumerate(corpus.blocks(BLOCK, report)):
            shard = shards / f"{number:06d}.parquet"
            if not shard.exists():
                yield partial(job, shard, language.part("\n".join(lines)), *options)

    for _ in run(jobs(), workers, backend, label, ordered=False):
        pass
    counts = {"lines": report.lines, "bad_bytes": sum(report.bad_bytes.values())}
    write_text(done, json.dumps(counts))


def _restore(report: CorpusReport, counts: Mapping[str, int]) -> None:
    report.lines = counts["lines"]
    if counts["bad_bytes"]:
        report.bad_bytes[Path()] = counts["bad_bytes"]


def _form_job(shard: Path, text: str) -> None:
    """Count the forms of a block; runs in a worker."""
    counts = Counter(_TOKENS.findall(text.lower()))
    del counts["\n"]
    forms = sorted(counts)
    write_shard(
        shard,
        form=np.array(forms, object),
        count=np.array([counts[form] for form in forms], np.int64),
    )


def _pair_job(shard: Path, text: str, vocabulary: Path, window: Window) -> None:
    """Count the pairs of a block; runs in a worker."""
    numbers, lines = _numbers(text, _vocabulary(vocabulary))
    width = min(len(_vocabulary(vocabulary)) - window.skip, window.contexts)
    parts = list(_pairs(numbers, lines, width, window))
    write_shard(
        shard,
        key=np.concatenate([keys for keys, _ in parts]),
        count=np.concatenate([counts for _, counts in parts]),
    )


def _numbers(text: str, vocabulary: Mapping[str, int]) -> tuple[NDArray[np.int64], ...]:
    """Return the form numbers of a text's tokens (-1: too rare) and the lines they stand on."""
    tokens = _TOKENS.findall(text.lower())
    number = vocabulary.get
    numbers = np.fromiter((number(token, -1) for token in tokens), np.int64, len(tokens))
    ends = np.fromiter((token == "\n" for token in tokens), bool, len(tokens))
    return numbers[~ends], np.cumsum(ends)[~ends]


def _pairs(
    numbers: NDArray[np.int64], lines: NDArray[np.int64], width: int, window: Window
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield (form * 2 width + side * width + context, weighted count), distance by distance."""
    contexts = numbers - window.skip
    usable = (contexts >= 0) & (contexts < width)
    for distance in range(1, window.size + 1):
        left, right = slice(None, -distance), slice(distance, None)
        same = lines[left] == lines[right]
        weight = window.scale // distance if window.weighting == "harmonic" else 1
        found = []
        if window.direction != "right":
            at = same & (numbers[right] >= 0) & usable[left]
            found.append(numbers[right][at] * (2 * width) + contexts[left][at])
        if window.direction != "left":
            at = same & (numbers[left] >= 0) & usable[right]
            found.append(numbers[left][at] * (2 * width) + width + contexts[right][at])
        keys, counts = np.unique(np.concatenate(found), return_counts=True)
        yield keys, counts * weight


@lru_cache(maxsize=2)
def _vocabulary(path: Path) -> Mapping[str, int]:
    """Read the forms once a worker."""
    forms = json.loads(path.read_text(encoding="utf-8"))
    return {form: number for number, form in enumerate(forms)}
