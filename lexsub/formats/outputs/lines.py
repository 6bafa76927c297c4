"""System outputs in lines: SemEval's best and oot, SemDis, GermEval, Melamud et al., TSAR-2022.

``lexelt id SEPARATOR answer;answer`` with the separators ``::`` (best), ``:::`` (oot) and
``::::`` (the ranked lines of GermEval's GAP scorer); SemDis has ``::`` and blanks around its
semicolons.  The ``.oot`` and ``.best`` files of Melamud et al. are SemEval's.  A lexelt may hold
blanks here (CoInCo).

The ``.ranked`` files of Melamud et al. (2015, 2016) hold candidates with their scores:
``RANKED<TAB>lexelt id<TAB>substitute score<TAB>substitute score …``; older files begin with
``RESULT``.

Submissions to TSAR-2022 are sentence, word, answers from the best, tab-separated.  The format has
no ids: they are made of sentence and word (:mod:`lexsub.formats.simplification`), and to write it,
the data set's sentences are needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from lexsub.datasets import Dataset
from lexsub.errors import FormatError, LexsubError
from lexsub.formats.outputs.common import Collector, number, short_enough, written
from lexsub.formats.semeval_lines import lines_of, numbered_lines
from lexsub.formats.simplification import parse_instances
from lexsub.rankings import Ranking

_SEPARATOR = re.compile(r" (:{2,4})(?: |$)")


def separator_of(text: str) -> str | None:
    """Return the separator of the first answer line, or None where there is no such line."""
    first = next((line for line in lines_of(text) if line.strip()), "")
    fields = _fields(first)
    return fields[2] if fields else None


def _fields(line: str) -> tuple[str, str, str, str] | None:
    """Return lexelt, id, separator and answers of a line, or None where it is none."""
    line = line.rstrip("\r")
    match = _SEPARATOR.search(line)
    if match is None:
        return None
    lexelt, _, item_id = line[: match.start()].strip(" ").rpartition(" ")
    if not lexelt.strip() or not item_id.strip():
        return None
    return lexelt.strip(), item_id, match[1], line[match.end() :]


def read_lines(text: str, path: Path, separator: str) -> list[Ranking]:
    """Read answer lines with one separator; a blank answer is an item without answers.

    Unlike the official scorer's reading, answers are trimmed and a repeated id is an error.

    Raises:
        FormatError: a line of another shape or with another separator, a repeated id, or
            no line at all.
    """
    collector = Collector(path)
    expected = f"'lexelt id {separator} answer;answer'"
    for line_number, line in numbered_lines(text, path):
        fields = _fields(line)
        if fields is None or fields[2] != separator:
            raise FormatError(path, line_number, f"{line[:60]!r}; expected {expected}")
        lexelt, item_id, _, answers = fields
        collector.add(line_number, item_id, lexelt, answers.split(";"))
    return collector.rankings(expected)


def format_lines(
    rankings: Iterable[Ranking], separator: str, top: int | None, glue: str = ";"
) -> str:
    """Return answer lines, the first ``top`` answers of each item (all where None).

    Raises:
        LexsubError: what the lines cannot say; see :func:`written`.
    """
    return "".join(
        short_enough(
            f"{ranking.lexelt} {ranking.id} {separator} "
            f"{glue.join(entry.substitute for entry in entries)}"
        )
        + "\n"
        for ranking, entries in written(rankings, top, ";\n\r", lines=True, scored=False)
    )


HEADS = ("RANKED", "RESULT")
_EXPECTED_RANKED = "'RANKED<TAB>lexelt id<TAB>substitute score<TAB>…'"


def read_ranked(text: str, path: Path) -> list[Ranking]:
    """Read a ``.ranked`` file.

    Raises:
        FormatError: a line of another shape, a score that is no number, a repeated id, or
            no line at all.
    """
    collector = Collector(path)
    for line_number, line in numbered_lines(text, path):
        head, *fields = line.rstrip("\r").split("\t")
        lexelt, _, item_id = (fields[0].strip() if fields else "").rpartition(" ")
        pairs = [field.strip().rpartition(" ") for field in fields[1:] if field.strip()]
        if head not in HEADS or not lexelt or not all(name for name, _, _ in pairs):
            raise FormatError(path, line_number, f"{line[:60]!r}; expected {_EXPECTED_RANKED}")
        scores = [number(score, path, line_number) for _, _, score in pairs]
        collector.add(line_number, item_id, lexelt, [name for name, _, _ in pairs], scores)
    return collector.rankings(_EXPECTED_RANKED)


def format_ranked(rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return a ``.ranked`` file; scores in full, so that they read back as they were.

    Raises:
        LexsubError: what the lines cannot say; see :func:`written`.
    """
    lines = []
    for ranking, entries in written(rankings, top, "\t\n\r", lines=True):
        pairs = [f"{entry.substitute} {float(entry.score)!r}" for entry in entries]
        line = "\t".join([HEADS[0], f"{ranking.lexelt} {ranking.id}", *pairs])
        lines.append(short_enough(line) + "\n")
    return "".join(lines)


def read_tsar(text: str, path: Path) -> list[Ranking]:
    """Read a submission; a line without answers is an item without, which counts as one.

    Raises:
        FormatError: a line without a word, or a blank answer between two others.
    """
    collector = Collector(path)
    for one in parse_instances(text, path):
        collector.add(one.line, one.id, "", one.answers)
    return collector.rankings("sentence<TAB>word<TAB>answers")


def refuse(rankings: Iterable[Ranking], top: int | None) -> NoReturn:
    """Say that sentences are wanted.

    Raises:
        LexsubError: always.
    """
    del rankings, top
    raise LexsubError(
        "the format has sentences in it: name the data set that was answered with --gold"
    )


def format_tsar(data: Dataset, rankings: Iterable[Ranking], top: int | None = None) -> str:
    """Return a line for each item of a data set, answered or not: the task's script counts lines.

    Raises:
        LexsubError: an answer, sentence or word that a line cannot hold.
    """
    entries = {ranking.id: kept for ranking, kept in written(rankings, top, "\t\n\r", scored=False)}
    lines = []
    for item in data.items:
        known = data.gold.items.get(item.id)
        word = (known and known.target) or item.target
        cells = [item.text, word, *(entry.substitute for entry in entries.get(item.id, ()))]
        if any(sign in item.text for sign in "\t\n\r"):
            raise LexsubError(f"the sentence of item {item.id} holds a tab or line end")
        lines.append(short_enough("\t".join(cells)) + "\n")
    return "".join(lines)
